// Which transfers of control a core would have predicted, packet by packet: direction by TAGE, next packet by a branch
// target buffer, returns by a stack of addresses; tables, hashes and order of training are those of rtl/fetch (tage.sv,
// tage_table.sv, btb.sv, ras.sv). A packet trains when the caller says that it has left, not when it is predicted.
// Wrong paths are not seen: they leave no trace in the core's tables either, but for the deeper half of its stack.
#ifndef TIPOFF_METHODS_GUS_BRANCHES_H
#define TIPOFF_METHODS_GUS_BRANCHES_H

#include "methods/gus/table.h"

enum gus_transfer { // fetch_pkg.sv, cfi_e
    GUS_NO_TRANSFER,
    GUS_CONDITIONAL,
    GUS_JUMP,
    GUS_CALL,
    GUS_INDIRECT,
    GUS_INDIRECT_CALL,
    GUS_RETURN,
    GUS_SWAP
};
struct gus_foresight {
    bool mispredicted; // direction or target, found when it is executed
    bool late;         // the next packet's address was known a cycle late
    bool ends;         // the packet ends after it
};

struct gus_branches;
// By the sizes fetch_bytes, tage_tables, tage_rows, base_rows, btb_entries, ras_entries of the table; without base_rows
// all is predicted. NULL with err: no memory.
struct gus_branches *gus_branches_create(const struct gus_table *table, struct error *err);
void gus_branches_destroy(struct gus_branches *b); // NULL is fine

// A packet is fetched at `cycle` that begins with the parcel at `address` (of the first instruction that ends in its
// block; the block's own address if that began in the one before). True: the packet before fell through against the
// guess of the buffer, and this one comes a cycle late.
bool gus_branches_packet(struct gus_branches *b, uint64_t address, uint64_t cycle);
// The first instruction of the newest packet left at `cycle`: those before it have left, and train.
void gus_branches_left(struct gus_branches *b, uint64_t cycle);
// A transfer of the newest packet, whose last parcel is at `last`, went to `target`; `behind` it in memory is its
// successor if it does not.
struct gus_foresight gus_branches_see(struct gus_branches *b, enum gus_transfer transfer, uint64_t last,
                                      uint64_t behind, uint64_t target);
// The newest packet was cut off by a trap or a flush: it teaches nothing.
void gus_branches_cut(struct gus_branches *b);

#endif
