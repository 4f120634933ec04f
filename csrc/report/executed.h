// How often instructions and jumps were executed, exactly: from the run's statistics (workers/exec_counts.c). By image,
// over all modes and address spaces. Not for other libraries.
#ifndef TIPOFF_REPORT_EXECUTED_H
#define TIPOFF_REPORT_EXECUTED_H

#include "report/pairs.h"

struct executed;
struct executed *executed_read(const struct images *images, const struct results *results); // NULL: no memory
void executed_free(struct executed *e);                                                     // NULL is fine
bool executed_known(const struct executed *e);                                              // the statistics have them
uint64_t executed_count(const struct executed *e, const struct program *p, uint64_t pc);    // of an instruction
// The transfers that leave that instruction, by where to: counts[0] times. Of what ends there `to` has no program.
const struct code_pair *executed_from(const struct executed *e, const struct program *p, uint64_t pc, size_t *count);
// Those that leave instructions from `start` up to `end`, by where from.
const struct code_pair *executed_between(const struct executed *e, const struct program *p, uint64_t start,
                                         uint64_t end, size_t *count);
// How often the instruction was left in memory order.
uint64_t executed_passed(const struct executed *e, const struct program *p, uint64_t pc);

#endif
