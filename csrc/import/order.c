// A heap of the lives that are held back; when it is full, the first in the order of fetch is due.
#include "import/order.h"
#include "base/array.h"
#include "base/heap.h"
#include <inttypes.h>
#include <stdlib.h>

struct order {
    const char *path;
    uint64_t clock, first; // ticks of a cycle, the tick of cycle 0
    bool known;            // ... both
    uint64_t common;       // greatest common divisor of the distances so far
    import_take *take;
    void *context;
    struct import_life *heap;
    size_t used, capacity;
    bool given, holds; // a life was given; `held` may have further parts
    uint64_t last;     // number of it
    struct import_life held;
    uint64_t folded;
};

struct order *order_create(const char *path, uint64_t clock, import_take *take, void *context, struct error *err) {
    struct order *o = error_calloc(sizeof *o, path, err);
    if (!o) return NULL;
    *o = (struct order){.path = path, .clock = clock, .first = IMPORT_NEVER, .take = take, .context = context};
    return o;
}

void order_destroy(struct order *o) {
    if (o) free(o->heap);
    free(o);
}

uint64_t order_clock(const struct order *o) {
    return o->known ? o->clock : 0;
}
uint64_t order_folded(const struct order *o) {
    return o->folded;
}

static bool before(const void *x, const void *y) {
    return ((const struct import_life *)x)->number < ((const struct import_life *)y)->number;
}

// ---- ticks ----
static uint64_t divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void measure(struct order *o, uint64_t tick) {
    if (tick == IMPORT_NEVER) return;
    if (o->first != IMPORT_NEVER) o->common = divisor(o->common, tick > o->first ? tick - o->first : o->first - tick);
    if (tick < o->first) o->first = tick;
}

static bool in_cycles(struct order *o, uint64_t *tick, struct error *err) {
    if (*tick == IMPORT_NEVER) return true;
    if (*tick >= o->first && (*tick - o->first) % o->clock == 0) {
        *tick = (*tick - o->first) / o->clock;
        return true;
    }
    error_set(err,
              "%s: tick %" PRIu64 " does not lie whole cycles of %" PRIu64 " ticks after tick %" PRIu64
              ": --clock says how many ticks a cycle has; a clock that changes cannot be read",
              o->path, *tick, o->clock, o->first);
    return false;
}

static void settle(struct order *o) {
    if (!o->clock) o->clock = o->common ? o->common : 1;
    if (o->first == IMPORT_NEVER) o->first = 0;
    o->known = true;
}

// ---- in order ----
static bool give(struct order *o, struct error *err) {
    if (!o->holds) return true;
    o->holds = false;
    return o->take(o->context, &o->held, err);
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a == IMPORT_NEVER ? b : b == IMPORT_NEVER || a > b ? a : b;
}

// Parts retire one by one: the instruction does with its last one.
static void fold(struct order *o, const struct import_life *part) {
    o->folded++;
    o->held.done = later(o->held.done, part->done);
    o->held.left = later(o->held.left, part->left);
    o->held.control |= part->control;
}

static bool due(struct order *o, struct error *err) {
    struct import_life life = o->heap[0];
    heap_drop(o->heap, o->used--, sizeof *o->heap, before);
    if (o->given && life.number <= o->last) {
        error_set(err, "%s: instruction %" PRIu64 " comes %s: of several CPUs or threads, write a file each", o->path,
                  life.number, life.number == o->last ? "twice" : "too late to be put in order");
        return false;
    }
    o->given = true;
    o->last = life.number;
    if (!in_cycles(o, &life.fetched, err) || !in_cycles(o, &life.dispatched, err) || !in_cycles(o, &life.done, err) ||
        !in_cycles(o, &life.left, err))
        return false;
    if (o->holds && life.part && life.pc == o->held.pc && life.retired == o->held.retired) return fold(o, &life), true;
    if (!give(o, err)) return false;
    o->held = life;
    o->holds = true;
    return true;
}

bool order_add(struct order *o, const struct import_life *life, struct error *err) {
    if (o->used == ORDER_WINDOW) {
        settle(o);
        if (!due(o, err)) return false;
    }
    if (!array_reserve(&o->heap, &o->capacity, o->used, sizeof *o->heap)) {
        error_nomem(err, o->path);
        return false;
    }
    if (!o->known) {
        measure(o, life->fetched);
        measure(o, life->dispatched);
        measure(o, life->done);
        measure(o, life->left);
    }
    struct import_life kept = *life;
    kept.text = NULL; // it has been taken
    heap_put(o->heap, o->used++, sizeof *life, before, &kept);
    return true;
}

bool order_finish(struct order *o, struct error *err) {
    settle(o);
    while (o->used)
        if (!due(o, err)) return false;
    return give(o, err);
}
