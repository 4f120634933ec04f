// The Oracle's state, and what it must see in a cycle: for oracle.c, crosscheck.c and the worker, which look at every
// one.
#ifndef TIPOFF_ORACLE_INTERNAL_H
#define TIPOFF_ORACLE_INTERNAL_H

#include "oracle/bundle_rules.h"
#include "oracle/oracle.h"
#include <assert.h>
#include <string.h>

struct oracle {
    unsigned width, units;
    uint64_t cycles;
    uint64_t state_units[STATE_COUNT];
    struct oir oir;
    uint64_t held_stalled, held_drained; // units that wait for the head (or the next head) to leave
    struct place head;                   // of the held time, once something was in the ROB
    uint16_t head_psv;                   // as it was last seen
    bool has_head;                       // the owner of the held time is known
    bool ended;                          // time counts no more
    struct bundle_before before;
    struct profile_table *table;
    const struct call_stacks *stacks; // of the cycle that is booked
};

// The state of a cycle: docs/guide/profiling.md, "What a cycle is given to".
static inline enum commit_state oracle_state(const struct oracle *o, const struct commit_bundle *b) {
    if (b->commit) return STATE_COMPUTING;
    if (!b->rob_empty) return STATE_STALLED;
    return o->oir.mispredict || o->oir.flush || o->oir.exception ? STATE_FLUSHED : STATE_DRAINED;
}

// Lanes whose instruction commits: micro-ops that begin one, and an oldest that goes on with one begun earlier.
static inline unsigned oracle_committing(const struct commit_bundle *b) {
    unsigned lanes = b->commit & b->first;
    if (b->commit >> b->oldest & 1) lanes |= 1u << b->oldest;
    return lanes;
}

static inline uint16_t oracle_head_psv(const struct commit_bundle *b) {
    return b->exception ? b->exception_psv : b->psv[b->oldest];
}

// What sample_select must show.
static inline __attribute__((always_inline)) void
oracle_selection(const struct oracle *o, const struct commit_bundle *b, struct sample *sample) {
    memset(sample, 0, sizeof *sample);
    sample->state = (uint8_t)oracle_state(o, b);
    sample->priv = b->priv;
    sample->space = b->space;
    switch (sample->state) {
    case STATE_COMPUTING:
        sample->valid = (uint8_t)oracle_committing(b);
        sample->oldest = b->oldest;
        for (unsigned lanes = sample->valid; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(lanes);
            sample->addr[lane] = b->pc[lane];
            sample->psv[lane] = b->psv[lane];
        }
        break;
    case STATE_STALLED:
        sample->valid = (uint8_t)(1u << b->oldest);
        sample->oldest = b->oldest;
        sample->addr[b->oldest] = b->pc[b->oldest];
        sample->psv[b->oldest] = oracle_head_psv(b);
        break;
    case STATE_FLUSHED:
        sample->valid = 1;
        sample->addr[0] = o->oir.pc;
        sample->psv[0] = o->oir.psv;
        sample->exception = o->oir.exception;
        sample->flush = o->oir.flush;
        sample->mispredict = o->oir.mispredict;
        sample->priv = o->oir.priv; // of the instruction that is to blame, whatever mode it led to
        sample->space = o->oir.space;
        break;
    default: break; // Drained: the instruction is not known yet
    }
}

// No byte differs, those between the fields included. Of so few that nothing is called.
static inline bool equal_bytes(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// In two pieces: so small ones are compared without a call.
static inline bool equal_samples(const struct sample *a, const struct sample *b) {
    enum { PIECE = 64 };
    static_assert(sizeof *a > PIECE && sizeof *a <= 2 * PIECE, "both pieces are small");
    return equal_bytes(a, b, PIECE) && equal_bytes((const char *)a + PIECE, (const char *)b + PIECE, sizeof *a - PIECE);
}

// Bundle, selection and OIR are what they must be in this cycle, and the bytes between their fields are the same.
// False: oracle_crosscheck knows.
static inline bool oracle_agrees(const struct oracle *o, const struct commit_bundle *b, const struct sample *select,
                                 const struct oir *oir) {
    struct sample e;
    if (bundle_rule_broken(b, o->width, &o->before)) return false;
    oracle_selection(o, b, &e);
    return equal_samples(&e, select) && equal_bytes(&o->oir, oir, sizeof *oir);
}

static inline struct place oracle_place(const struct commit_bundle *b, uint64_t pc) {
    return (struct place){pc, place_context(b->priv, b->space)};
}

static inline void oracle_hold_stalled(struct oracle *o, const struct commit_bundle *b, uint64_t units) {
    o->held_stalled += units;
    o->has_head = true;
    o->head = oracle_place(b, b->pc[b->oldest]);
    o->head_psv = oracle_head_psv(b);
}

// oracle_step in a cycle in which the head waits, and nothing is booked. False: it is another.
static inline bool oracle_waits(struct oracle *o, const struct commit_bundle *b, uint64_t cycles) {
    const uint64_t units = cycles * o->units;
    if (b->commit | b->rob_empty | b->exception | o->ended) return false;
    bundle_remember(&o->before, b);
    o->cycles += cycles;
    o->state_units[STATE_STALLED] += units;
    oracle_hold_stalled(o, b, units);
    return true;
}

#endif
