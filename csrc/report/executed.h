// How often instructions and jumps were executed, exactly: from the run's statistics (workers/exec_counts.c). By image,
// over all modes and address spaces. Not for other libraries.
#ifndef TIPOFF_REPORT_EXECUTED_H
#define TIPOFF_REPORT_EXECUTED_H

#include "analysis/analysis.h"
#include "profile/result_store.h"

struct executed_edge { // addresses as the program's file has them; another program's, or nowhere: NULL
    const struct program *from_program, *to_program;
    uint64_t from, to;
    uint64_t count;
};
struct executed;
struct executed *executed_read(const struct images *images, const struct results *results); // NULL: no memory
void executed_free(struct executed *e);                                                     // NULL is fine
bool executed_known(const struct executed *e);                                              // the statistics have them
uint64_t executed_count(const struct executed *e, const struct program *p, uint64_t pc);    // of an instruction
// The edges that leave that instruction, by where to; those that end there go nowhere.
const struct executed_edge *executed_from(const struct executed *e, const struct program *p, uint64_t pc,
                                          size_t *count);
// Those that leave instructions from `start` up to `end`, by where from.
const struct executed_edge *executed_between(const struct executed *e, const struct program *p, uint64_t start,
                                             uint64_t end, size_t *count);
// How often the instruction was left in memory order.
uint64_t executed_passed(const struct executed *e, const struct program *p, uint64_t pc);

#endif
