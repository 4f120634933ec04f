// Kinds are found by their bytes in a hash table with linear probing; times are numbers of 7 bits a byte, each cycle as
// the distance to the one before.
#include "samples/sample_store.h"
#include "base/array.h"
#include "base/bytes.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 18,     // bytes of times that are allocated at a time
    TIMES_MOST = 7 * 10, // ... of a sample
    DATA_BITS = 2,       // of data_of, below its address
    COMMON_FIXED = 14,   // bytes of what a kind has in common, without lanes
    COMMON_LANE = 14,    // ... a lane
    COMMON_MOST = COMMON_FIXED + MAX_LANES * COMMON_LANE,
    SLOTS = 1 << 10
};

struct kind {
    struct sample_kind sums;
    size_t first; // of its bytes
    uint32_t hash;
    uint8_t bytes;
};

struct sample_store {
    uint8_t **chunks;
    size_t chunk_count, chunk_capacity, used; // used: of the last one
    uint64_t count, cycle;                    // cycle: of the last sample
    struct kind *kinds;
    size_t kind_count, kind_capacity;
    uint32_t *slots; // number of a kind + 1, or 0; half of them at most are used
    size_t slot_count;
    uint8_t *common;
    size_t common_used, common_capacity;
};

struct sample_store *sample_store_create(void) {
    struct sample_store *s = calloc(1, sizeof *s);
    if (s) s->slots = calloc(s->slot_count = SLOTS, sizeof *s->slots);
    if (s && s->slots) return s;
    free(s);
    return NULL;
}

void sample_store_destroy(struct sample_store *s) {
    if (!s) return;
    for (size_t i = 0; i < s->chunk_count; i++)
        free(s->chunks[i]);
    free(s->chunks);
    free(s->kinds);
    free(s->slots);
    free(s->common);
    free(s);
}

// ---- kinds ----
static size_t pack(const struct sample_record *r, uint8_t bytes[COMMON_MOST]) {
    const struct sample *s = &r->sample;
    uint8_t *p = bytes;
    *p++ = s->state;
    *p++ = s->valid;
    *p++ = s->oldest;
    *p++ = (uint8_t)(s->exception | s->flush << 1 | s->mispredict << 2 | r->partial << 3);
    *p++ = r->hart;
    *p++ = s->priv;
    memcpy(p, &s->space, 8);
    p += 8;
    for (unsigned left = s->valid; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        memcpy(p, &s->addr[lane], 8);
        memcpy(p + 8, &r->stack[lane], 4);
        memcpy(p + 12, &s->psv[lane], 2);
        p += COMMON_LANE;
    }
    return (size_t)(p - bytes);
}

void sample_store_common(const struct sample_store *s, uint32_t kind, struct sample_record *r) {
    const uint8_t *p = s->common + s->kinds[kind].first;
    *r = (struct sample_record){.hart = p[4], .partial = p[3] >> 3 & 1};
    r->sample.state = p[0];
    r->sample.valid = p[1];
    r->sample.oldest = p[2];
    r->sample.exception = p[3] & 1;
    r->sample.flush = p[3] >> 1 & 1;
    r->sample.mispredict = p[3] >> 2 & 1;
    r->sample.priv = p[5];
    memcpy(&r->sample.space, p + 6, 8);
    p += COMMON_FIXED;
    for (unsigned left = r->sample.valid; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        memcpy(&r->sample.addr[lane], p, 8);
        memcpy(&r->stack[lane], p + 8, 4);
        memcpy(&r->sample.psv[lane], p + 12, 2);
        p += COMMON_LANE;
    }
}

static uint32_t hash_of(const uint8_t *bytes, size_t count) {
    uint64_t h = count, word;
    for (; count >= 8; bytes += 8, count -= 8) {
        memcpy(&word, bytes, 8);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    word = 0;
    memcpy(&word, bytes, count);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

static bool grow(struct sample_store *s) {
    const size_t count = 2 * s->slot_count;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < s->kind_count; i++) {
        size_t slot = s->kinds[i].hash & (count - 1);
        while (slots[slot])
            slot = (slot + 1) & (count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->slot_count = count;
    return true;
}

static struct kind *add_kind(struct sample_store *s, const uint8_t *bytes, size_t count, uint32_t hash) {
    if (s->kind_count >= UINT32_MAX - 1 ||
        !array_reserve(&s->kinds, &s->kind_capacity, s->kind_count, sizeof *s->kinds))
        return NULL;
    if (s->common_capacity - s->common_used < count) {
        const size_t capacity = 2 * s->common_capacity + COMMON_MOST;
        uint8_t *larger = realloc(s->common, capacity);
        if (!larger) return NULL;
        s->common = larger;
        s->common_capacity = capacity;
    }
    memcpy(s->common + s->common_used, bytes, count);
    struct kind *kind = &s->kinds[s->kind_count++];
    *kind = (struct kind){.first = s->common_used, .hash = hash, .bytes = (uint8_t)count};
    s->common_used += count;
    return kind;
}

// NULL: no memory.
static struct kind *kind_of(struct sample_store *s, const struct sample_record *record) {
    uint8_t bytes[COMMON_MOST];
    const size_t count = pack(record, bytes);
    const uint32_t hash = hash_of(bytes, count);
    if (2 * (s->kind_count + 1) > s->slot_count && !grow(s)) return NULL;
    for (size_t slot = hash & (s->slot_count - 1);; slot = (slot + 1) & (s->slot_count - 1)) {
        if (!s->slots[slot]) {
            struct kind *added = add_kind(s, bytes, count, hash);
            if (added) s->slots[slot] = (uint32_t)s->kind_count;
            return added;
        }
        struct kind *known = &s->kinds[s->slots[slot] - 1];
        if (known->hash == hash && known->bytes == count && memcmp(s->common + known->first, bytes, count) == 0)
            return known;
    }
}

uint32_t sample_store_kinds(const struct sample_store *s) {
    return (uint32_t)s->kind_count;
}

const struct sample_kind *sample_store_kind(const struct sample_store *s, uint32_t kind) {
    return &s->kinds[kind].sums;
}

// ---- times ----
static uint8_t *put(uint8_t *p, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *p++ = (uint8_t)(value | 0x80);
    *p++ = (uint8_t)value;
    return p;
}

static inline uint64_t get(const uint8_t **p) {
    uint64_t value = *(*p)++;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (unsigned shift = 7;; shift += 7) {
        const uint8_t byte = *(*p)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
}

static bool reserve(struct sample_store *s) {
    if (s->chunk_count && CHUNK - s->used >= TIMES_MOST) return true;
    if (!array_reserve(&s->chunks, &s->chunk_capacity, s->chunk_count, sizeof *s->chunks)) return false;
    uint8_t *chunk = malloc(CHUNK);
    if (!chunk) return false;
    s->chunks[s->chunk_count++] = chunk;
    s->used = 0;
    return true;
}

// The two lowest bits of the first number: there are numbers beyond cycle and cycles, and an address of data. That is
// no part of the kind: of a loop over an array each sample has another.
bool sample_store_add(struct sample_store *s, const struct sample_record *r) {
    struct kind *kind = reserve(s) ? kind_of(s, r) : NULL;
    if (!kind) return false;
    const bool more = r->stalled_cycles || r->repeats || r->stalled;
    uint8_t *chunk = s->chunks[s->chunk_count - 1], *p = chunk + s->used;
    p = put(p, (uint64_t)(kind - s->kinds) << 2 | (r->data_of ? 2 : 0) | more);
    p = put(p, r->cycle - s->cycle);
    p = put(p, r->cycles);
    if (more) p = put(put(put(p, r->stalled_cycles), r->repeats), r->stalled);
    if (r->data_of) p = put(p, r->data << DATA_BITS | r->data_of);
    s->used = (size_t)(p - chunk);
    s->cycle = r->cycle;
    s->count++;
    kind->sums.count++;
    kind->sums.cycles += r->cycles;
    kind->sums.stalled_cycles += r->stalled_cycles;
    kind->sums.periods += samples_periods(r);
    return true;
}

uint64_t sample_store_count(const struct sample_store *s) {
    return s->count;
}

struct sample_walk sample_store_walk(const struct sample_store *s) {
    return (struct sample_walk){.store = s, .left = s->count};
}

bool sample_walk_next(struct sample_walk *w, struct sample_times *times) {
    if (!w->left) return false;
    if (CHUNK - w->at < TIMES_MOST) { // as reserve() has it
        w->chunk++;
        w->at = 0;
    }
    const uint8_t *chunk = w->store->chunks[w->chunk], *p = chunk + w->at;
    const uint64_t first = get(&p);
    *times = (struct sample_times){.kind = (uint32_t)(first >> 2)};
    times->cycle = w->cycle += get(&p);
    times->cycles = get(&p);
    if (first & 1) {
        times->stalled_cycles = get(&p);
        times->repeats = (uint32_t)get(&p);
        times->stalled = (uint32_t)get(&p);
    }
    if (first & 2) {
        const uint64_t data = get(&p);
        times->data_of = data & ((1 << DATA_BITS) - 1);
        times->data = data >> DATA_BITS;
    }
    w->at = (size_t)(p - chunk);
    w->left--;
    return true;
}

void sample_store_record(const struct sample_store *s, const struct sample_times *times, struct sample_record *r) {
    sample_store_common(s, times->kind, r);
    r->cycle = times->cycle;
    r->cycles = times->cycles;
    r->stalled_cycles = times->stalled_cycles;
    r->repeats = times->repeats;
    r->stalled = times->stalled;
    r->data_of = times->data_of;
    r->data = times->data;
}

bool sample_store_each(const struct sample_store *s, const struct samples_header *header, samples_take *take,
                       void *context) {
    struct sample_walk walk = sample_store_walk(s);
    struct sample_times times;
    while (sample_walk_next(&walk, &times)) {
        struct sample_record record;
        sample_store_record(s, &times, &record);
        if (!take(context, header, &record)) return false;
    }
    return true;
}
