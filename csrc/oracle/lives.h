// The way of every instruction, from the fetch buffer until it retires or dies, by what the core emits in each cycle
// (struct trace_life) and by the commit bundle: for who holds ProfileMe's records to it, and for exact values where
// ProfileMe estimates. An independent account: nothing of the unit's is looked at.
#ifndef TIPOFF_ORACLE_LIVES_H
#define TIPOFF_ORACLE_LIVES_H

#include "base/error.h"
#include "trace/cycle.h"

#define LIFE_NEVER UINT64_MAX

// Why an instruction left, as records of ProfileMe have it (tables/instruction_sample.tsv, outcome).
enum life_outcome {
    OUTCOME_RETIRED,
    OUTCOME_MISPREDICTION,
    OUTCOME_REORDERED,
    OUTCOME_EXCEPTION,
    OUTCOME_INTERRUPT,
    OUTCOME_FLUSH,
    OUTCOME_PAGE,
    LIFE_OUTCOMES
};

struct life {
    uint64_t number,
        slots; // of all that were fetched, from 0 on; fetch opportunities up to it, in whole cycles from reset
    uint64_t pc, space, address;
    uint64_t fetched, mapped, ready, issued, done, headed, left; // cycles; LIFE_NEVER: it did not come to that
    uint32_t insn, rob;
    uint16_t conflicts, psv, history;
    uint8_t mode, unit, outcome, cause; // unit: enum insn_unit, of the instruction's bits
    bool fault, queued, predicted_taken, resolved, taken, mispredicted, addressed, own;
};

struct lives;
// left: an instruction has left; lane: from where it retired, else MAX_LANES. The life is valid during the call.
typedef int lives_left(void *context, const struct life *life, unsigned lane, struct error *err);
struct lives *lives_create(unsigned width, unsigned fetch_width, lives_left *left, void *context,
                           struct error *err); // NULL with err
void lives_destroy(struct lives *l);           // NULL is fine
// `count` equal cycles, more than one only where nothing happens. 0, what left returns, or -EBADMSG: the events do not
// fit together.
int lives_cycle(struct lives *l, uint64_t cycle, uint64_t count, const struct commit_bundle *bundle,
                const struct trace_life *events, struct error *err);
// Of those in flight, the cycle in which the oldest was fetched; LIFE_NEVER: there are none.
uint64_t lives_oldest(const struct lives *l);

#endif
