// All global memory orders of a candidate: one memory operation after the other becomes the next one, where preserved
// program order lets it; what a load then returns follows from the load value axiom. Two ways that lead to the same
// memory, with the same operations done and the same stores read, go on alike: the second one is left.
//
// Rules 2, 3 and 12 depend on what loads return: they are judged when the load becomes the next one. In a load's place:
//  2   a younger load of a byte has returned another store's value, with no store to it between them: too late.
//  3   forwarding from an AMO or SC that is not in the order yet is no way.
//  12  forwarding from a store is none before all that its address and data depend on has been done. A store that is in
//      the order itself has been after them already (rules 9, 10).
// The progress axiom holds for all of them: they are finite.
#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_index.h"
#include "litmus/graph.h"
#include "litmus/litmus.h"

enum { MOST_STATES = 2000000 };

struct state {
    uint64_t done, broken;       // broken: LR whose reservation another hart's store has ended
    uint8_t memory[GRAPH_CELLS]; // the store that wrote it last: its event + 1; 0: none
    uint8_t source[GRAPH_READS]; // that a load returns, likewise
    struct values values[LITMUS_THREADS];
};

struct finder {
    const struct graph *g;
    struct litmus_states *states;
    uint8_t *keys;
    size_t key_bytes, count, capacity;
    struct hash_index index;
    const char *path;
    struct error *err;
};

// ---- ways that were gone ----
static uint64_t hash_key(const struct finder *f, const uint8_t *key) {
    uint64_t hash = FNV_START, part;
    size_t i = 0;
    for (; i + sizeof part <= f->key_bytes; i += sizeof part) {
        memcpy(&part, key + i, sizeof part);
        hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (; i < f->key_bytes; i++)
        hash = fnv_byte(hash, key[i]);
    return hash;
}

static uint64_t hash_entry(const void *owner, uint32_t number) {
    const struct finder *f = owner;
    return hash_key(f, f->keys + number * f->key_bytes);
}

static bool is_entry(const void *owner, uint32_t number, const void *key) {
    const struct finder *f = owner;
    return memcmp(f->keys + number * f->key_bytes, key, f->key_bytes) == 0;
}

// 1: nobody was here; 0: somebody was; -1 with an error.
static int arrive(struct finder *f, const struct state *s) {
    uint8_t key[2 * sizeof(uint64_t) + GRAPH_CELLS + GRAPH_READS], *p = key;
    memcpy(p, &s->done, sizeof s->done);
    memcpy(p += sizeof s->done, &s->broken, sizeof s->broken);
    memcpy(p += sizeof s->broken, s->memory, f->g->cell_count);
    memcpy(p + f->g->cell_count, s->source, f->g->slot_count);
    const uint64_t hash = hash_key(f, key);
    if (hash_index_find(&f->index, hash, is_entry, f, key) != HASH_INDEX_NONE) return 0;
    if (f->count == MOST_STATES) {
        error_set(f->err, "%s: more than %d states on the way to the last ones: use fewer accesses", f->path,
                  MOST_STATES);
        return -1;
    }
    if (!array_reserve(&f->keys, &f->capacity, f->count, f->key_bytes) ||
        !hash_index_reserve(&f->index, 0, (uint32_t)f->count, hash_entry, f)) {
        error_nomem(f->err, f->path);
        return -1;
    }
    memcpy(f->keys + f->count * f->key_bytes, key, f->key_bytes);
    hash_index_put(&f->index, hash, (uint32_t)f->count++);
    return 1;
}

// ---- one operation ----
static bool done(const struct state *s, unsigned event) {
    return s->done >> (event & 63) & 1;
}

// Bits of the event's value before those of the cell, which it has.
static unsigned shift_of(const struct graph *g, unsigned event, unsigned cell) {
    return 8 * (unsigned)(g->cell[cell].address - g->events[event]->address) & 63;
}

// Bytes of a cell, as that store wrote them.
static uint64_t cell_value(const struct graph *g, const struct state *s, unsigned cell, unsigned source) {
    uint64_t value = 0;
    if (source) {
        const unsigned store = source - 1, thread = g->thread[store];
        value = s->values[thread].written[store - g->first[thread]] >> shift_of(g, store, cell);
    } else {
        litmus_initial(g->t, g->cell[cell].address, g->cell[cell].bytes, &value);
    }
    return thread_low(value, g->cell[cell].bytes);
}

// The youngest own store before the load that has the cell and is not in the order yet, as a source; 0: none.
static unsigned pending_store(const struct graph *g, const struct state *s, unsigned load, unsigned cell) {
    for (unsigned i = load; i-- > g->first[g->thread[load]];)
        if (g->events[i]->writes && g->cells[i] >> cell & 1 && !done(s, i)) return i + 1;
    return 0;
}

// Where the source of the cell's part of what event `e` reads stands.
static uint8_t *source_of(const struct graph *g, struct state *s, unsigned e, unsigned cell) {
    return &s->source[g->slot[e] + (unsigned)__builtin_popcountll(g->cells[e] & ((UINT64_C(1) << cell) - 1))];
}

static bool rule_2(const struct graph *g, struct state *s, unsigned load, unsigned cell, unsigned source) {
    for (unsigned i = load + 1; i < g->first[g->thread[load] + 1]; i++) {
        if (!(g->cells[i] >> cell & 1)) continue;
        if (g->events[i]->reads && done(s, i) && *source_of(g, s, i, cell) != source) return false;
        if (g->events[i]->writes) return true;
    }
    return true;
}

static bool load(const struct graph *g, struct state *s, unsigned e) {
    const unsigned thread = g->thread[e], number = e - g->first[thread];
    struct values *v = &s->values[thread];
    uint64_t value = 0;
    for (uint64_t cells = g->cells[e]; cells; cells &= cells - 1) {
        const unsigned cell = graph_lowest(cells), pending = pending_store(g, s, e, cell);
        const unsigned source = pending ? pending : s->memory[cell];
        if (pending && (g->events[pending - 1]->amo_or_sc || g->feeds[pending - 1] & ~s->done)) return false;
        if (!rule_2(g, s, e, cell, source)) return false;
        *source_of(g, s, e, cell) = (uint8_t)source;
        value |= cell_value(g, s, cell, source) << shift_of(g, e, cell);
    }
    v->read[number] = value;
    v->read_known |= 1u << number;
    return thread_follow(g->t, thread, g->shapes[thread], v, NULL);
}

// The atomicity axiom: what the LR returned is in the order, and since then no other hart has written its bytes.
static bool atomic(const struct graph *g, struct state *s, unsigned lr) {
    for (uint64_t cells = g->cells[lr]; cells; cells &= cells - 1) {
        const unsigned source = *source_of(g, s, lr, graph_lowest(cells));
        if (source && !done(s, source - 1)) return false;
    }
    return !(s->broken >> lr & 1);
}

static void break_reservations(const struct graph *g, struct state *s, unsigned store) {
    for (unsigned i = 0; i < g->count; i++) {
        const int lr = g->pair[i];
        if (lr < 0 || done(s, i) || !done(s, (unsigned)lr) || g->thread[i] == g->thread[store]) continue;
        for (uint64_t cells = g->cells[lr] & g->cells[store]; cells; cells &= cells - 1) {
            const unsigned source = *source_of(g, s, (unsigned)lr, graph_lowest(cells));
            if (!source || done(s, source - 1)) s->broken |= UINT64_C(1) << lr;
        }
    }
}

// Makes e the next one in the order; false: that is no way.
static bool perform(const struct graph *g, struct state *s, unsigned e) {
    const struct event *event = g->events[e];
    if (event->reads && !load(g, s, e)) return false;
    if (g->pair[e] >= 0 && !atomic(g, s, (unsigned)g->pair[e])) return false;
    s->done |= UINT64_C(1) << e;
    if (!event->writes) return true;
    for (uint64_t cells = g->cells[e]; cells; cells &= cells - 1)
        s->memory[graph_lowest(cells)] = (uint8_t)(e + 1);
    break_reservations(g, s, e);
    return true;
}

// ---- all of them ----
static uint64_t all_events(const struct graph *g) {
    return g->count ? UINT64_MAX >> (64 - g->count) : 0;
}

// No operation that is still to come meets this one: whatever comes first, the rest is the same, so it may go now.
static bool alone(const struct graph *g, const struct state *s, unsigned e) {
    if (g->pair[e] >= 0) return false;
    for (uint64_t left = ~s->done & all_events(g); left; left &= left - 1) {
        const unsigned i = graph_lowest(left);
        if (i != e && g->cells[i] & g->cells[e] && (g->events[i]->writes || g->events[e]->writes)) return false;
        if (g->pair[i] >= 0 && g->cells[g->pair[i]] & g->cells[e]) return false; // it begins or ends its reservation
    }
    return true;
}

static uint64_t item_value(const struct graph *g, const struct state *s, const struct litmus_item *item,
                           uint64_t x[LITMUS_THREADS][LITMUS_REGISTERS]) {
    if (item->is_register) return x[item->thread][item->x];
    const struct litmus_location *l = &g->t->locations[item->location];
    const uint64_t address = litmus_address(item->location) + (uint64_t)l->bytes * item->element;
    uint64_t value = 0;
    litmus_initial(g->t, address, l->bytes, &value);
    for (unsigned b = 0; b < l->bytes; b++) {
        for (unsigned c = 0; c < g->cell_count; c++) {
            const uint64_t at = address + b - g->cell[c].address;
            if (at >= g->cell[c].bytes) continue;
            const uint64_t byte = cell_value(g, s, c, s->memory[c]) >> 8 * at & 0xff;
            value = (value & ~(UINT64_C(0xff) << 8 * b)) | byte << 8 * b;
        }
    }
    const unsigned bits = 64 - 8 * l->bytes;
    return l->is_signed ? (uint64_t)((int64_t)(value << bits) >> bits) : value;
}

static bool finish(struct finder *f, const struct state *s) {
    const struct litmus_test *t = f->g->t;
    uint64_t x[LITMUS_THREADS][LITMUS_REGISTERS], values[LITMUS_ITEMS];
    for (unsigned i = 0; i < t->thread_count; i++) {
        struct values v = s->values[i];
        if (!thread_follow(t, i, f->g->shapes[i], &v, x[i])) return true;
    }
    for (unsigned i = 0; i < t->item_count; i++)
        values[i] = item_value(f->g, s, &t->items[i], x);
    if (litmus_states_add(f->states, values) != LITMUS_NO_STATE) return true;
    error_nomem(f->err, f->path);
    return false;
}

static bool go_on(struct finder *f, const struct state *s) {
    const struct graph *g = f->g;
    const uint64_t all = all_events(g);
    if (s->done == all) return finish(f, s);
    uint64_t ready = 0;
    for (uint64_t left = ~s->done & all; left; left &= left - 1)
        if (!(g->before[graph_lowest(left)] & ~s->done)) ready |= left & -left;
    for (uint64_t bits = ready; bits; bits &= bits - 1) {
        if (!alone(g, s, graph_lowest(bits))) continue;
        ready = bits & -bits;
        break;
    }
    for (; ready; ready &= ready - 1) {
        struct state next = *s;
        if (!perform(g, &next, graph_lowest(ready))) continue;
        const int fresh = arrive(f, &next);
        if (fresh < 0 || (fresh && !go_on(f, &next))) return false;
    }
    return true;
}

bool search(const struct graph *g, struct litmus_states *states, const char *path, struct error *err) {
    struct finder f = {.g = g,
                       .states = states,
                       .key_bytes = 2 * sizeof(uint64_t) + g->cell_count + g->slot_count,
                       .path = path,
                       .err = err};
    struct state s = {0};
    bool good = true;
    for (unsigned i = 0; i < g->t->thread_count && good; i++) // what is written without any load
        good = thread_follow(g->t, i, g->shapes[i], &s.values[i], NULL);
    good = !good || go_on(&f, &s);
    free(f.keys);
    hash_index_free(&f.index);
    return good;
}
