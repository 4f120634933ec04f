// A ring of the instructions in flight, oldest first: those in the ROB, then those that are fetched and wait. A cycle
// is shown once everything that happens in it is known: instructions come in the order of fetch, so once one is fetched
// later.
#include "import/bundles.h"
#include <inttypes.h>
#include <stdlib.h>

enum { RING = 4 * BUNDLES_ROB }; // in flight, with those that are not dispatched
struct flight {
    struct fate fate;
    uint16_t rob; // its index, with a wrap bit
    bool gone;    // squashed
};

struct bundles {
    const char *path;
    unsigned width;
    bundles_show *show;
    void *context;
    uint64_t now;                                  // the cycle to be shown next
    uint64_t last_fetch, last_dispatch, last_left; // of those that came: none goes back
    uint64_t first, in, fetched, end; // numbers of flights: the oldest, the next to dispatch, to be fetched, to come
    uint16_t tail;                    // index of the next to dispatch
    uint64_t squash;                  // the next cycle in which something in the ROB is squashed
    struct flight ring[RING];
};

struct bundles *bundles_create(const char *path, unsigned width, bundles_show *show, void *context, struct error *err) {
    struct bundles *b = error_calloc(sizeof *b, path, err);
    if (!b) return NULL;
    b->path = path;
    b->width = width;
    b->show = show;
    b->context = context;
    b->squash = IMPORT_NEVER;
    return b;
}

void bundles_destroy(struct bundles *b) {
    free(b);
}
uint64_t bundles_cycles(const struct bundles *b) {
    return b->now;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static struct flight *at(struct bundles *b, uint64_t number) {
    return &b->ring[number % RING];
}
static uint64_t dispatched(struct bundles *b, uint64_t number) {
    return at(b, number)->fate.life.dispatched;
}

// It is, or was, to happen by this cycle.
static bool due(const struct bundles *b, uint64_t time) {
    return time <= b->now;
}

// It never was in the ROB, or has left it.
static bool absent(struct bundles *b, uint64_t number) {
    return at(b, number)->gone || dispatched(b, number) == IMPORT_NEVER;
}

// The oldest in the ROB; NULL: it is empty.
static struct flight *head(struct bundles *b) {
    while (b->first < b->in && absent(b, b->first))
        b->first++;
    return b->first < b->in ? at(b, b->first) : NULL;
}

// Whether flight `number` can empty the ROB: nothing that retires later is in it, or comes in this cycle.
static bool clears(struct bundles *b, uint64_t number) {
    for (uint64_t i = number + 1; i < b->end; i++) {
        if (i >= b->in && dispatched(b, i) != IMPORT_NEVER && !due(b, dispatched(b, i))) break;
        if (!absent(b, i) && at(b, i)->fate.kind == FATE_RETIRES) return false;
    }
    return true;
}

// ---- what a cycle shows ----
static bool show_lane(struct bundles *b, struct commit_bundle *c, uint64_t number, unsigned lane, bool commits) {
    const struct flight *const f = at(b, number);
    c->pc[lane] = f->fate.life.pc;
    c->valid |= (uint8_t)(1u << lane);
    c->first |= (uint8_t)(1u << lane);
    if (!commits || f->fate.kind != FATE_RETIRES || !due(b, f->fate.life.left)) return false;
    c->commit |= (uint8_t)(1u << lane);
    c->mispredict |= (uint8_t)(f->fate.mispredicts << lane);
    const bool flushes = f->fate.flushes && clears(b, number);
    c->flush |= (uint8_t)(flushes << lane);
    return !flushes;
}

static void show_rob(struct bundles *b, struct commit_bundle *c) {
    const struct flight *h = head(b);
    c->rob_empty = !h;
    if (!h) return;
    c->oldest = (uint8_t)(h->rob % b->width);
    bool commits = true;
    unsigned shown = 0;
    for (uint64_t i = b->first; i < b->in && shown < b->width; i++) {
        if (absent(b, i)) continue;
        commits = show_lane(b, c, i, (c->oldest + shown++) % b->width, commits);
    }
    const enum fate_kind kind = h->fate.kind;
    if (kind < FATE_TRAPS || !due(b, h->fate.life.left) || !clears(b, b->first)) return;
    c->exception = true;
    c->replay = kind == FATE_REPLAYS;
    c->exception_pc = h->fate.life.pc;
}

static void show_dispatch(struct bundles *b, struct commit_bundle *c) {
    c->dispatch_rob = b->tail;
    unsigned slot = 0;
    for (uint64_t i = b->in; i < b->end && slot < b->width; i++) {
        const struct import_life *l = &at(b, i)->fate.life;
        if (l->dispatched == IMPORT_NEVER) continue;
        if (l->dispatched > b->now && (slot || l->fetched == IMPORT_NEVER || l->fetched >= b->now)) break;
        c->dispatch_pc[slot] = l->pc;
        if (l->dispatched > b->now) break;
        c->dispatch_valid |= (uint8_t)(1u << slot++);
    }
}

static void show_fetch(struct bundles *b, struct commit_bundle *c) {
    if (b->fetched == b->end || !due(b, at(b, b->fetched)->fate.life.fetched)) return;
    c->fetch_valid = true;
    c->fetch_pc = at(b, b->fetched)->fate.life.pc;
}

// ---- what a cycle does ----
static void commit(struct bundles *b, const struct commit_bundle *c) {
    for (unsigned left = (unsigned)__builtin_popcount(c->commit); left; left--, b->first++)
        head(b);
}

static uint16_t next_index(uint16_t index) {
    return (uint16_t)((index + 1) % (2 * BUNDLES_ROB));
}

static void dispatch(struct bundles *b) {
    for (; b->in < b->end && (dispatched(b, b->in) <= b->now || dispatched(b, b->in) == IMPORT_NEVER); b->in++) {
        struct flight *f = at(b, b->in);
        if (f->fate.life.dispatched == IMPORT_NEVER) continue;
        f->rob = b->tail;
        b->tail = next_index(b->tail);
        if (f->fate.kind == FATE_SQUASHED && f->fate.life.left < b->squash) b->squash = f->fate.life.left;
    }
}

// all: a trap or a flush empties the ROB. The next to dispatch goes to the place of the oldest that is squashed, unless
// one that stays is younger.
static void squash(struct bundles *b, bool all) {
    b->squash = IMPORT_NEVER;
    bool behind = false;
    for (uint64_t i = b->in; i > b->first; i--) {
        struct flight *f = at(b, i - 1);
        const enum fate_kind kind = f->fate.kind;
        if (absent(b, i - 1)) continue;
        if (kind == FATE_RETIRES || !(all || (kind == FATE_SQUASHED && due(b, f->fate.life.left)))) {
            if (kind == FATE_SQUASHED) b->squash = least(b->squash, f->fate.life.left);
            behind = true;
            continue;
        }
        f->gone = true;
        if (!behind) b->tail = f->rob;
    }
}

static void fetch(struct bundles *b) {
    for (; b->fetched < b->end; b->fetched++) {
        const uint64_t fetched = at(b, b->fetched)->fate.life.fetched;
        if (fetched != IMPORT_NEVER && fetched > b->now) break;
    }
}

// The next cycle, from now on, in which something happens, below `until`.
static uint64_t next_event(struct bundles *b, uint64_t until) {
    const struct flight *h = head(b);
    uint64_t next = least(until, b->squash);
    if (h) next = least(next, h->fate.life.left);
    if (b->fetched < b->end) next = least(next, at(b, b->fetched)->fate.life.fetched);
    for (uint64_t i = b->in; i < b->end; i++) {
        if (dispatched(b, i) == IMPORT_NEVER) continue;
        next = least(next, dispatched(b, i));
        break;
    }
    return next < b->now ? b->now : next;
}

// How many retire in this cycle.
static unsigned retiring(struct bundles *b) {
    unsigned count = 0;
    for (uint64_t i = b->first; i < b->in; i++) {
        const struct fate *f = &at(b, i)->fate;
        if (absent(b, i)) continue;
        if (f->kind != FATE_RETIRES || !due(b, f->life.left)) break;
        count++;
        if (f->flushes) break;
    }
    return count;
}

static bool fits(struct bundles *b, struct error *err) {
    const unsigned count = retiring(b);
    if (count <= b->width) return true;
    error_set(err, "%s: %u instructions retire in cycle %" PRIu64 ", more than --width %u%s", b->path, count, b->now,
              b->width, b->width < MAX_LANES ? "" : ", the most that can be read");
    return false;
}

static bool show(struct bundles *b, uint64_t until, struct error *err) {
    const uint64_t event = next_event(b, until);
    if (event == b->now && !fits(b, err)) return false;
    struct commit_bundle c = {.priv = 0};
    show_rob(b, &c);
    show_dispatch(b, &c);
    show_fetch(b, &c);
    c.redirect = due(b, b->squash);
    const uint64_t count = event > b->now ? event - b->now : 1;
    if (!b->show(b->context, &c, b->now, count, err)) return false;
    if (event == b->now) {
        commit(b, &c);
        dispatch(b);
        struct flight *const h = head(b);
        if (h && !c.exception && h->fate.kind >= FATE_TRAPS && due(b, h->fate.life.left)) h->gone = true;
        const bool all = c.exception || c.commit & c.flush;
        if (all || due(b, b->squash)) squash(b, all);
        fetch(b);
    }
    b->now += count;
    return true;
}

static bool show_until(struct bundles *b, uint64_t cycle, struct error *err) {
    while (b->now < cycle)
        if (!show(b, cycle, err)) return false;
    return true;
}

// ---- what comes ----
static bool too_many(struct bundles *b, const struct fate *fate, struct error *err) {
    error_set(err, "%s: more than %d instructions in flight at 0x%" PRIx64 ": is it a trace of one hart?", b->path,
              b->end - b->first == RING ? RING : BUNDLES_ROB, fate->life.pc);
    return false;
}

// A life as it could be: it enters after it was fetched, and leaves after it has entered and those before it have.
static void mend(struct bundles *b, struct import_life *l, bool retires) {
    if (l->fetched == IMPORT_NEVER && l->dispatched != IMPORT_NEVER) l->fetched = l->dispatched;
    if (l->fetched == IMPORT_NEVER || l->fetched < b->last_fetch) l->fetched = b->last_fetch;
    b->last_fetch = l->fetched;
    if (l->dispatched == IMPORT_NEVER) return;
    if (l->dispatched < b->last_dispatch) l->dispatched = b->last_dispatch;
    b->last_dispatch = l->dispatched;
    if (l->left <= l->dispatched) l->left = l->dispatched + 1;
    if (!retires) return;
    if (l->left < b->last_left) l->left = b->last_left;
    b->last_left = l->left;
}

static bool add(struct bundles *b, const struct flight *f, uint64_t from, struct error *err) {
    head(b);
    if (!show_until(b, from, err)) return false;
    if (b->end - b->first == RING || b->in - b->first >= BUNDLES_ROB) return too_many(b, &f->fate, err);
    *at(b, b->end++) = *f;
    return true;
}

// When it entered nobody says: it is the head as soon as the one before has left, or leaves with it.
static bool add_head(struct bundles *b, struct flight *f, struct error *err) {
    struct import_life *l = &f->fate.life;
    if (l->left < b->last_left) l->left = b->last_left;
    const uint64_t from = least(b->end ? b->last_left + 1 : 0, l->left);
    l->fetched = l->dispatched = from;
    b->last_left = l->left;
    if (!add(b, f, from, err)) return false;
    dispatch(b);
    fetch(b);
    return true;
}

bool bundles_add(struct bundles *b, const struct fate *fate, struct error *err) {
    struct flight f = {.fate = *fate};
    if (fate->life.pc == IMPORT_NEVER) return true; // there is nothing to show of it
    if (fate->kind == FATE_RETIRES && fate->life.dispatched == IMPORT_NEVER) return add_head(b, &f, err);
    mend(b, &f.fate.life, fate->kind == FATE_RETIRES);
    // What is fetched is shown with what it was fetched for.
    return add(b, &f, least(f.fate.life.fetched, f.fate.life.dispatched), err);
}

bool bundles_finish(struct bundles *b, struct error *err) {
    return show_until(b, b->last_left + 1, err);
}
