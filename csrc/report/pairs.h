// Pairs of instructions with counts, as the run's results have them (profile/pair_table.h). By image, over all modes
// and address spaces. Not for other libraries.
#ifndef TIPOFF_REPORT_PAIRS_H
#define TIPOFF_REPORT_PAIRS_H

#include "analysis/images.h"
#include "profile/pair_table.h"

struct code_place { // an instruction of a program's file; outside of all that can be read: program NULL
    const struct program *program;
    uint64_t pc;        // as the file has it
    struct place place; // as it ran, in one of the contexts that it ran in
};
struct code_pair {
    struct code_place from, to;
    uint64_t counts[PAIR_COUNTS];
};
struct pairs {
    bool known; // the run kept them
    size_t count;
    struct code_pair *list; // by from, then by to
};
// number: of a result whose row is two places and then counts. False: no memory.
bool pairs_read(struct pairs *p, const struct images *images, const struct results *results, unsigned number);
void pairs_free(struct pairs *p);
// Those from that instruction.
const struct code_pair *pairs_from(const struct pairs *p, const struct program *program, uint64_t pc, size_t *count);
struct code_place code_place_of(const struct images *images, struct place place);
int code_place_order(const struct code_place *a, const struct code_place *b);
// In a list whose entries, of `bytes` each, begin with their code_place, and are sorted by it: the first one that is
// not before that place; count: all are.
size_t code_place_first(const void *list, size_t count, size_t bytes, const struct code_place *at);

#endif
