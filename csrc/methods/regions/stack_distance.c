// Stack distances in logarithmic time: stack_distance.h.
//
// Each line has the time of its last access, and each time that is one a bit; a distance is the number of bits after a
// time. Bits stand in words, and a Fenwick tree has the sums of words. When times run out, those that are some line's
// last are numbered again, in their order.
#include "methods/regions/stack_distance.h"
#include "base/hash_index.h"
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, FIRST_TIMES = 1 << 12 };

struct line {
    uint64_t number;
    uint32_t time;
};
struct stack_distance {
    struct line *lines; // of each line that was accessed
    struct hash_index index;
    uint32_t *line_at; // by time; holds for those whose bit is set
    uint64_t *bits;
    uint32_t *sums; // Fenwick tree over words, from 1 on
    uint32_t count, capacity, now, times, last;
    bool partial;
};

static uint64_t hash_of(const void *stack, uint32_t number) {
    return ((const struct stack_distance *)stack)->lines[number].number;
}
static bool is_line(const void *stack, uint32_t number, const void *key) {
    return ((const struct stack_distance *)stack)->lines[number].number == *(const uint64_t *)key;
}

static void add(struct stack_distance *s, uint32_t time, int change) {
    s->bits[time / WORD] ^= UINT64_C(1) << time % WORD;
    for (uint32_t i = time / WORD + 1; i <= s->times / WORD; i += i & -i)
        s->sums[i] += (uint32_t)change;
}

// Bits that are set at this time and before it.
static uint32_t up_to(const struct stack_distance *s, uint32_t time) {
    const uint32_t word = time / WORD;
    uint32_t sum = (uint32_t)__builtin_popcountll(s->bits[word] & UINT64_MAX >> (WORD - 1 - time % WORD));
    for (uint32_t i = word; i; i &= i - 1)
        sum += s->sums[i];
    return sum;
}

// The tree of bits 0 to count - 1, all of them set.
static void set_first(struct stack_distance *s, uint32_t count) {
    const uint32_t words = s->times / WORD;
    memset(s->bits, 0, words * sizeof *s->bits);
    memset(s->sums, 0, (words + 1) * sizeof *s->sums);
    for (uint32_t i = 0; i < count; i++)
        s->bits[i / WORD] |= UINT64_C(1) << i % WORD;
    for (uint32_t i = 1; i <= words; i++) {
        s->sums[i] += (uint32_t)__builtin_popcountll(s->bits[i - 1]);
        const uint32_t parent = i + (i & -i);
        if (parent <= words) s->sums[parent] += s->sums[i];
    }
}

// Twice as many times. False: no memory, and all is as before.
static bool grow(struct stack_distance *s) {
    if (s->times > UINT32_MAX / 4) return false;
    const uint32_t times = 2 * s->times;
    uint32_t *line_at = realloc(s->line_at, times * sizeof *line_at);
    if (line_at) s->line_at = line_at;
    uint64_t *bits = realloc(s->bits, (times / WORD + 1) * sizeof *bits);
    if (bits) s->bits = bits;
    uint32_t *sums = realloc(s->sums, (times / WORD + 1) * sizeof *sums);
    if (sums) s->sums = sums;
    if (!line_at || !bits || !sums) return false;
    s->times = times;
    return true;
}

// Numbers the times again; then at least half of them are free.
static bool renumber(struct stack_distance *s) {
    uint32_t next = 0;
    for (uint32_t time = 0; time < s->now; time++) {
        if (!(s->bits[time / WORD] >> time % WORD & 1)) continue;
        const uint32_t line = s->line_at[time];
        s->lines[line].time = next;
        s->line_at[next++] = line;
    }
    const bool room = next <= s->times / 2 || grow(s);
    s->now = next;
    set_first(s, next);
    return room || next < s->times;
}

struct stack_distance *stack_distance_create(void) {
    struct stack_distance *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->times = FIRST_TIMES / 2;
    if (grow(s)) {
        set_first(s, 0);
        return s;
    }
    stack_distance_destroy(s);
    return NULL;
}

void stack_distance_destroy(struct stack_distance *s) {
    if (!s) return;
    hash_index_free(&s->index);
    free(s->lines);
    free(s->line_at);
    free(s->bits);
    free(s->sums);
    free(s);
}

// HASH_INDEX_NONE: no memory.
static uint32_t new_line(struct stack_distance *s, uint64_t number) {
    if (s->count == s->capacity) {
        const uint32_t capacity = s->capacity ? 2 * s->capacity : FIRST_TIMES;
        struct line *lines = capacity > s->capacity ? realloc(s->lines, capacity * sizeof *lines) : NULL;
        if (!lines) return HASH_INDEX_NONE;
        s->lines = lines;
        s->capacity = capacity;
    }
    if (!hash_index_reserve(&s->index, 0, s->count, hash_of, s)) return HASH_INDEX_NONE;
    s->lines[s->count].number = number;
    hash_index_put(&s->index, number, s->count);
    return s->count++;
}

static uint64_t failed(struct stack_distance *s) {
    s->partial = true;
    return STACK_DISTANCE_COLD;
}

uint64_t stack_distance_access(struct stack_distance *s, uint64_t number) {
    if (s->count && s->lines[s->last].number == number) return 0;
    if (s->now == s->times && !renumber(s)) return failed(s);
    uint64_t distance = STACK_DISTANCE_COLD;
    uint32_t line = hash_index_find(&s->index, number, is_line, s, &number);
    if (line != HASH_INDEX_NONE) {
        const uint32_t time = s->lines[line].time;
        distance = s->count - up_to(s, time); // every line has one bit
        add(s, time, -1);
    } else if ((line = new_line(s, number)) == HASH_INDEX_NONE) {
        return failed(s);
    }
    s->last = line;
    s->lines[line].time = s->now;
    s->line_at[s->now] = line;
    add(s, s->now++, 1);
    return distance;
}

bool stack_distance_whole(const struct stack_distance *s) {
    return !s->partial;
}
