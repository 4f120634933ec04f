// Why an instruction takes time, in words: what report_why says, and what the run's statistics know beside it. Not for
// other libraries.
#ifndef TIPOFF_REPORT_REASONS_H
#define TIPOFF_REPORT_REASONS_H

#include "report/facts.h"
#include "report/run.h"
#include "report/value.h"

// Of one instruction.
void reasons_of_instruction(const struct run *d, const struct unit_time *unit, char *text, size_t size);
// Two columns of text: executions, and cycles an execution of a time in 1/U cycle; "-": not known.
void reasons_counts(const struct run *d, struct place place, uint64_t weight, char *text, size_t size);
// For JSON, of an instruction, else none: "executions"; "met": how many of them met each event; "waits_for": what it
// waited for, how often, the cycles, how often through others. Null: not known. False: another column.
bool reasons_value(const struct run *d, struct place place, const char *column, struct value *v);
// Text: what mispredictions cost in all, a line (nothing where that is not known or nothing); then the branches, a
// table of `rows` at most.
void mispredictions_print_sum(const struct run *d, FILE *out);
void mispredictions_print(const struct run *d, const struct report_options *o, FILE *out);
void mispredictions_add_json(cJSON *root, const struct run *d); // "mispredictions", null: not known

#endif
