// The Oracle: time-proportional attribution of every cycle of a run, from the commit bundles alone:
// docs/guide/profiling.md, "What a cycle is given to".
//
// Written from the specification, not from the RTL: it is what the hardware is checked against. All accounting is in
// integers: a cycle is U = lcm(1..width) units, and the sum over all rows is exactly cycles x U.
#ifndef TIPOFF_ORACLE_ORACLE_H
#define TIPOFF_ORACLE_ORACLE_H

#include "base/error.h"
#include "oracle/call_stacks.h"
#include "profile/profile_table.h"
#include "records.h"

struct oracle;
struct oracle *oracle_create(unsigned width, struct error *err); // commit width, 1..MAX_LANES
void oracle_destroy(struct oracle *o);                           // NULL is fine

// From now on time is booked by call stack, too: `stacks` says which, brought up to date before each step in which
// something commits or traps. Borrowed. NULL, as at first: they are not known.
void oracle_use_stacks(struct oracle *o, const struct call_stacks *stacks);

// What sample_select must show in the next cycle, if the core shows this bundle in it.
void oracle_expect(const struct oracle *o, const struct commit_bundle *bundle, struct sample *sample);
// What the OIR must hold in the next cycle: the youngest instruction that left the ROB before it.
const struct oir *oracle_oir(const struct oracle *o);

// Accounts for `cycles` cycles (>= 1) with this bundle; more than one only where nothing commits, excepts or
// dispatches in it. 0, or -ENOMEM.
int oracle_step(struct oracle *o, const struct commit_bundle *bundle, uint64_t cycles);
// Forgets all time so far, and what is open: the accounts begin with the next cycle. 0, or -ENOMEM.
int oracle_begin(struct oracle *o);
// The accounts end before the next cycle: what follows is not booked, but names the owner of what is held.
void oracle_end(struct oracle *o);
// End of the run: closes what is open. -EBADMSG with err if any unit of time was lost or invented; the caller says how
// many cycles there were, from oracle_begin to oracle_end.
int oracle_finish(struct oracle *o, uint64_t cycles, struct error *err);

uint64_t oracle_cycles(const struct oracle *o);
// Time in a state (enum commit_state) so far, in units.
uint64_t oracle_state_units(const struct oracle *o, unsigned state);
// Rows by pc, context, state, psv, stack; owned by the Oracle, until its next step.
const struct profile_row *oracle_rows(struct oracle *o, size_t *count);

// The rule of docs/guide/integration.md that the bundle of the next cycle breaks, 0: none. One that breaks rule 1 or 2
// must not be stepped with: its time may belong to no instruction.
unsigned oracle_rule_broken(const struct oracle *o, const struct commit_bundle *bundle);

// ---- the cross-check (crosscheck.c) ----
struct oracle_difference {
    char field[24]; // "state", "valid lanes", "addr[2]", "oir.psv"
    uint64_t expected, got;
};
// Compares what the hardware shows in a cycle with what it must show, the rules of the bundle first ("bundle rule":
// expected 0). True: `difference` holds the first that differs.
bool oracle_crosscheck(const struct oracle *o, const struct commit_bundle *bundle, const struct sample *select,
                       const struct oir *oir, struct oracle_difference *difference);

#endif
