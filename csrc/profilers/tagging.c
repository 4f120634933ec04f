// Follows tags from fetch or dispatch to commit, by what the bundles show.
//
// Fetch names a packet by the address of its first instruction, which is the one that is tagged. Packets dispatch in
// the order in which they were fetched, so a packet's first instruction is the next that dispatches with that address.
// (Where a loop lies in a single packet that may be the iteration before: the same instruction all the same.) A
// redirect drops everything between fetch and dispatch, and a packet fetched in that cycle.
#include "profilers/tagging.h"
#include <string.h>

// The slots of this cycle never get into the ROB: an exception or a flush empties it.
static void tag(struct tagging *t, const struct rob_order *order, const struct commit_bundle *b, unsigned slot,
                uint64_t weight) {
    if (rob_order_clears(b) || t->count == TAGGING_TAGS) {
        t->lost += weight;
        return;
    }
    uint32_t position = order->tail + slot;
    if (order->size && position >= 2 * order->size) position -= 2 * order->size;
    t->tags[t->count++] = (struct tag){b->dispatch_pc[slot], weight, position};
}

static void drop(struct tagging *t, unsigned keep) {
    while (t->count > keep)
        t->lost += t->tags[--t->count].weight;
}

static void forget(struct tagging *t, unsigned count) {
    t->count -= count;
    memmove(t->tags, t->tags + count, t->count * sizeof *t->tags);
}

static void report(struct profiler *p, const struct tag *tag, unsigned psv) {
    profiler_book(p, tag->pc, STATE_COUNT, psv & p->ops->events, tag->weight);
}

// What leaves the ROB in this cycle: squashed, committed, or cleared.
static void leave(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    if (!t->count) return;
    while (t->count && rob_order_squashed(&h->order, t->tags[t->count - 1].position))
        drop(t, t->count - 1);
    unsigned reported = 0;
    for (; reported < t->count && rob_order_commits(&h->order, b, t->tags[reported].position); reported++) {
        uint32_t age = rob_order_distance(&h->order, h->order.head, t->tags[reported].position);
        report(p, &t->tags[reported], b->psv[(b->oldest + age) % h->width]);
    }
    bool trap = b->exception && !b->interrupt && !b->replay;
    while (trap && p->ops->traps && reported < t->count && t->tags[reported].position == h->order.head)
        report(p, &t->tags[reported++], b->exception_psv);
    if (reported) forget(t, reported);
    if (rob_order_clears(b)) drop(t, 0);
}

// ---- at dispatch ----
static void tag_dispatch(struct tagging *t, const struct rob_order *order, const struct commit_bundle *b) {
    if (!t->waiting || !(b->dispatch_valid & 1)) return;
    uint64_t weight = t->waiting;
    t->waiting = 0;
    tag(t, order, b, 0, weight);
}

void tagging_dispatch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    leave(p, h, b);
    tag_dispatch(t, &h->order, b);
}

void tagging_dispatch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct tagging *t = p->state;
    t->waiting += s->weight + t->lost;
    t->lost = 0;
    tag_dispatch(t, &h->order, s->bundle);
}

// ---- at fetch ----
static bool fetch_dropped(const struct commit_bundle *b) {
    return b->redirect || rob_order_clears(b);
}

static void drop_packets(struct tagging *t) {
    for (; t->packets; t->packets--) {
        t->lost += t->ring[t->first].weight;
        t->first = (t->first + 1) % TAGGING_PACKETS;
    }
}

static struct packet *youngest(struct tagging *t) {
    return &t->ring[(t->first + t->packets - 1) % TAGGING_PACKETS];
}

static void dispatch_packets(struct tagging *t, const struct profiler_history *h, const struct commit_bundle *b) {
    for (unsigned slot = 0; slot < h->width && b->dispatch_valid >> slot & 1 && t->packets; slot++) {
        const struct packet *oldest = &t->ring[t->first];
        if (oldest->pc != b->dispatch_pc[slot]) continue;
        if (oldest->weight) tag(t, &h->order, b, slot, oldest->weight);
        t->first = (t->first + 1) % TAGGING_PACKETS;
        t->packets--;
    }
}

void tagging_fetch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    leave(p, h, b);
    dispatch_packets(t, h, b);
    uint64_t weight = b->fetch_valid ? t->waiting : 0;
    t->waiting -= weight;
    if (fetch_dropped(b) || t->packets == TAGGING_PACKETS) {
        drop_packets(t);
        t->lost += weight;
    } else if (b->fetch_valid) {
        t->packets++;
        *youngest(t) = (struct packet){b->fetch_pc, weight};
    }
}

void tagging_fetch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct tagging *t = p->state;
    const struct commit_bundle *b = s->bundle;
    uint64_t weight = s->weight + t->lost;
    (void)h;
    t->lost = 0;
    if (!b->fetch_valid) {
        t->waiting += weight;
    } else if (fetch_dropped(b) || !t->packets) {
        t->lost = weight;
    } else {
        youngest(t)->weight += weight; // its step has put it there
    }
}

void tagging_finish(struct profiler *p) {
    struct tagging *t = p->state;
    drop(t, 0);
    drop_packets(t);
    profiler_book(p, PROFILE_PC_END, STATE_COUNT, 0, t->waiting + t->lost);
    t->waiting = t->lost = 0;
}
