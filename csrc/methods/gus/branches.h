// Which transfers of control a core would have foreseen: direction by TAGE, targets by a branch target buffer and a
// stack of return addresses. Learns at once, in program order.
#ifndef TIPOFF_METHODS_GUS_BRANCHES_H
#define TIPOFF_METHODS_GUS_BRANCHES_H

#include "methods/gus/table.h"

enum gus_transfer { GUS_CONDITIONAL, GUS_JUMP, GUS_CALL, GUS_INDIRECT, GUS_INDIRECT_CALL, GUS_RETURN };
struct gus_foresight {
    bool mispredicted; // direction or target, found when it is executed
    bool late;         // the target was not in the buffer: one packet later
};

struct gus_branches;
// By the sizes tage_tables, tage_rows, base_rows, btb_entries, ras_entries of the table; without base_rows all is
// foreseen.
struct gus_branches *gus_branches_create(const struct gus_table *table, struct error *err);
void gus_branches_destroy(struct gus_branches *b); // NULL is fine
// A transfer at pc, whose successor in memory is `behind`, went to `target`.
struct gus_foresight gus_branches_see(struct gus_branches *b, enum gus_transfer transfer, uint64_t pc, uint64_t behind,
                                      uint64_t target);

#endif
