// Follows the head of the ROB: its stall ends when it commits, excepts or vanishes.
#include "oracle/stalls.h"
#include "base/array.h"
#include "base/hash_index.h"
#include <errno.h>
#include <stdlib.h>

struct stalls {
    bool ended;
    uint64_t length; // of the open stall, cycles
    struct place at; // its instruction, with its vector as last seen
    uint16_t psv;
    uint64_t executions[1 << EVENT_COUNT];
    struct base_stall *base;
    size_t count, capacity;
    struct hash_index index; // of `base`
};

static uint64_t key_hash(struct place place, uint16_t length) {
    return place.pc ^ place.context << 20 ^ (uint64_t)length << 40;
}
static uint64_t hash_of(const void *stalls, uint32_t number) {
    const struct base_stall *b = &((const struct stalls *)stalls)->base[number];
    return key_hash(b->place, b->length);
}
static bool is_same(const void *stalls, uint32_t number, const void *key) {
    const struct base_stall *a = &((const struct stalls *)stalls)->base[number], *b = key;
    return place_equal(a->place, b->place) && a->length == b->length;
}

static bool add(struct stalls *s, struct place place, uint16_t length) {
    const struct base_stall stall = {place, length, 1};
    const uint64_t hash = key_hash(place, length);
    const uint32_t number = hash_index_find(&s->index, hash, is_same, s, &stall);
    if (number != HASH_INDEX_NONE) {
        s->base[number].count++;
        return true;
    }
    if (!hash_index_reserve(&s->index, 0, (uint32_t)s->count, hash_of, s) ||
        !array_reserve(&s->base, &s->capacity, s->count, sizeof *s->base))
        return false;
    hash_index_put(&s->index, hash, (uint32_t)s->count);
    s->base[s->count++] = stall;
    return true;
}

struct stalls *stalls_create(struct error *err) {
    return error_calloc(sizeof(struct stalls), "stalls", err);
}

void stalls_destroy(struct stalls *s) {
    if (!s) return;
    hash_index_free(&s->index);
    free(s->base);
    free(s);
}

static bool end(struct stalls *s, struct place at, uint16_t psv) {
    uint64_t length = s->length < STALL_LONGEST_KNOWN ? s->length : STALL_LONGEST_KNOWN;
    s->length = 0;
    return length == 0 || psv != 0 || add(s, at, (uint16_t)length);
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

void stalls_begin(struct stalls *s) {
    hash_index_free(&s->index);
    free(s->base);
    *s = (struct stalls){.ended = false};
}

uint64_t stalls_executions(const struct stalls *s, unsigned psv) {
    return s->executions[psv & EVENT_SET_ALL];
}

static int by_place(const void *x, const void *y) {
    const struct base_stall *a = x, *b = y;
    if (!place_equal(a->place, b->place)) return place_order(a->place, b->place);
    return a->length < b->length ? -1 : a->length > b->length;
}

const struct base_stall *stalls_base(struct stalls *s, size_t *count) {
    *count = s->count;
    if (!s->count) return NULL;
    qsort(s->base, s->count, sizeof *s->base, by_place);
    hash_index_rebuild(&s->index, 0, (uint32_t)s->count, hash_of, s);
    return s->base;
}
