// Follows the head of the ROB: its stall ends when it commits, excepts or vanishes.
#include "oracle/stalls.h"
#include <errno.h>
#include <stdlib.h>

struct stalls {
    bool ended;
    uint64_t length; // of the open stall, cycles
    struct place at; // its instruction, with its vector as last seen
    uint16_t psv;
    uint64_t executions[1 << EVENT_COUNT];
    struct profile_table *base;
};

struct stalls *stalls_create(struct error *err) {
    struct stalls *s = calloc(1, sizeof *s);
    if (s && (s->base = profile_table_create())) return s;
    free(s);
    error_nomem(err, "stalls");
    return NULL;
}

void stalls_destroy(struct stalls *s) {
    if (!s) return;
    profile_table_destroy(s->base);
    free(s);
}

static bool end(struct stalls *s, struct place at, uint16_t psv) {
    uint64_t length = s->length < STALL_LONGEST_KNOWN ? s->length : STALL_LONGEST_KNOWN;
    s->length = 0;
    return length == 0 || psv != 0 || profile_table_add(s->base, at, STATE_STALLED, (uint16_t)length, 1);
}

static void count(struct stalls *s, uint16_t psv) {
    s->executions[psv & EVENT_SET_ALL]++;
}

static struct place place_in(const struct commit_bundle *b, uint64_t pc) {
    return (struct place){pc, place_context(b->priv, b->space)};
}

static void stall(struct stalls *s, const struct commit_bundle *b, uint64_t cycles) {
    s->length += cycles;
    s->at = place_in(b, b->pc[b->oldest]);
    s->psv = b->psv[b->oldest];
}

// It may end. Kept apart: in most of the other cycles there is nothing to be called.
__attribute__((noinline)) static int step_to_end(struct stalls *s, const struct commit_bundle *b, uint64_t cycles,
                                                 struct error *err) {
    bool good = true;
    if (b->commit) {
        good = end(s, place_in(b, b->pc[b->oldest]), b->psv[b->oldest]);
        for (unsigned lanes = b->commit & (b->first | 1u << b->oldest); lanes; lanes &= lanes - 1)
            count(s, b->psv[__builtin_ctz(lanes)]);
    } else if (b->rob_empty) {
        good = end(s, s->at, s->psv);
    } else {
        stall(s, b, cycles);
        good = end(s, place_in(b, b->exception_pc), b->exception_psv);
        count(s, b->exception_psv);
    }
    if (!good) error_nomem(err, "stalls");
    return good ? 0 : -ENOMEM;
}

int stalls_step(struct stalls *s, const struct commit_bundle *b, uint64_t cycles, struct error *err) {
    if (s->ended) return 0;
    if (s->length || b->exception) {
        if (b->commit || b->rob_empty || b->exception) return step_to_end(s, b, cycles, err);
        stall(s, b, cycles);
    } else if (b->commit) {
        for (unsigned lanes = b->commit & (b->first | 1u << b->oldest); lanes; lanes &= lanes - 1)
            count(s, b->psv[__builtin_ctz(lanes)]);
    } else if (!b->rob_empty) {
        stall(s, b, cycles);
    }
    return 0;
}

void stalls_end(struct stalls *s) {
    s->ended = true;
}

int stalls_begin(struct stalls *s) {
    struct profile_table *base = profile_table_create();
    if (!base) return -ENOMEM;
    profile_table_destroy(s->base);
    *s = (struct stalls){.base = base};
    return 0;
}

uint64_t stalls_executions(const struct stalls *s, unsigned psv) {
    return s->executions[psv & EVENT_SET_ALL];
}

const struct profile_row *stalls_base(struct stalls *s, size_t *count) {
    return profile_table_rows(s->base, count);
}
