// Litmus tests for RISC-V: files are read, the states that RVWMO allows are enumerated.
//
// The files are those of herdtools7 (diy, herd, litmus). A test that uses what is not read is refused with its line,
// its column and the remedy.
#ifndef TIPOFF_LITMUS_LITMUS_H
#define TIPOFF_LITMUS_LITMUS_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct litmus_test;
struct litmus_test *litmus_read(const char *path, struct error *err); // NULL with err
// Of a text that is in memory; path: for messages alone.
struct litmus_test *litmus_parse(const char *text, const char *path, struct error *err);
void litmus_destroy(struct litmus_test *t); // NULL is fine
const char *litmus_name(const struct litmus_test *t);
unsigned litmus_threads(const struct litmus_test *t);
const char *litmus_condition(const struct litmus_test *t); // as it is written, from its first word on

// Loads with .aq and stores with .rl, which RV64GC has not, become `l; fence r,rw` and `fence rw,w; s`: stronger, so
// that what was forbidden stays so. How many were changed; -1 with err: the test becomes too long.
int litmus_lower(struct litmus_test *t, const char *path, struct error *err);

// ---- states: what the registers and locations that the condition names hold at the end ----
struct litmus_states;
struct litmus_states *litmus_states_create(const struct litmus_test *t); // none in it; NULL: no memory
void litmus_states_destroy(struct litmus_states *s);                     // NULL is fine
size_t litmus_states_count(const struct litmus_states *s);
// Values in the order of the test's items. The state's number; LITMUS_NO_STATE: no memory; LITMUS_FILTERED: the test's
// `filter` drops it.
#define LITMUS_NO_STATE SIZE_MAX
#define LITMUS_FILTERED (SIZE_MAX - 1)
size_t litmus_states_add(struct litmus_states *s, const uint64_t *values);
size_t litmus_states_put(struct litmus_states *s, const uint64_t *state);        // of another set of the test; likewise
size_t litmus_states_find(const struct litmus_states *s, const uint64_t *state); // of another set; or LITMUS_NO_STATE
const uint64_t *litmus_states_values(const struct litmus_states *s, size_t state);
void litmus_states_sort(struct litmus_states *s); // by their values
// "0:x5=1; x=2;"
void litmus_states_print(const struct litmus_states *s, size_t state, FILE *out);
bool litmus_states_satisfies(const struct litmus_states *s, size_t state); // the proposition of the condition

// The verdict on all states.
struct litmus_verdict {
    uint64_t positive, negative; // states (or runs that ended in them) with and without the proposition
    bool holds;                  // the condition, with its quantifier
};
// counts: of each state; NULL: one each.
struct litmus_verdict litmus_judge(const struct litmus_states *s, const uint64_t *counts);
const char *litmus_kind(const struct litmus_test *t);                 // "Allowed", "Forbidden", "Required"
const char *litmus_observation(const struct litmus_verdict *verdict); // "Always", "Sometimes", "Never"

// ---- the axioms ----
// All states that RVWMO allows (unprivileged manual, chapter RVWMO: load value, atomicity, progress, the 13 rules of
// preserved program order). NULL with err: the test is too large, loops, or does what is not defined (an access that is
// misaligned or outside of all locations).
struct litmus_states *litmus_allowed(const struct litmus_test *t, const char *path, struct error *err);

#endif
