// What is known of a test, as text (the form of herd and litmus7, which mcompare7 reads), CSV or JSON.
#ifndef TIPOFF_LITMUS_REPORT_H
#define TIPOFF_LITMUS_REPORT_H

#include "litmus/run.h"

enum litmus_format { LITMUS_TEXT, LITMUS_CSV, LITMUS_JSON, LITMUS_FORMATS };
#define LITMUS_FORMAT_NAMES "text", "csv", "json"

// A test and its states: those that are allowed, and, where it has run, those that were seen.
struct litmus_result {
    const char *path;
    const struct litmus_test *test;
    const struct litmus_states *allowed;
    const struct litmus_seen *seen; // NULL: it has not run
    int lowered;                    // by litmus_lower
};

// Iterations that ended in a state that is not allowed; *state: such a one of `seen`, where there are any.
uint64_t litmus_forbidden(const struct litmus_result *r, size_t *state);

// One after the other, into one document: `number` is the result's, from 0 on. False: no memory.
bool litmus_report(const struct litmus_result *r, enum litmus_format format, size_t number, FILE *out);
void litmus_report_end(enum litmus_format format, size_t count, FILE *out); // of `count` results, at least one

#endif
