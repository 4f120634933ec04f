// Follows tags from fetch or dispatch to commit, by what the bundles show.
//
// Of a packet it is the first instruction that is tagged; profilers/fetch_order.h finds it again when it dispatches.
#include "profilers/tagging.h"
#include <string.h>

// The slots of this cycle never get into the ROB: an exception or a flush empties it.
static void tag(struct profiler *p, const struct rob_order *order, const struct commit_bundle *b, unsigned slot,
                uint64_t weight) {
    struct tagging *t = p->state;
    uint32_t position = order->tail + slot;
    if (position >= 2 * order->size) position -= 2 * order->size;
    if (t->count && t->tags[t->count - 1].position == position) { // of what has waited for this very dispatch
        t->tags[t->count - 1].weight += weight;
        return;
    }
    if (rob_order_clears(b) || t->count == p->tags) {
        t->lost += weight;
        return;
    }
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

static void report(struct profiler *p, const struct commit_bundle *b, const struct tag *tag, unsigned psv) {
    profiler_book(p, profiler_place(b, tag->pc), STATE_COUNT, psv & p->ops->events, tag->weight);
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
        report(p, b, &t->tags[reported], b->psv[(b->oldest + age) % h->width]);
    }
    bool trap = b->exception && !b->interrupt && !b->replay;
    while (trap && p->ops->traps && reported < t->count && t->tags[reported].position == h->order.head)
        report(p, b, &t->tags[reported++], b->exception_psv);
    if (reported) forget(t, reported);
    if (rob_order_clears(b)) drop(t, 0);
}

// It waits for nothing, and has nothing in flight: there is nothing to be stepped for.
static void close_idle(struct profiler *p) {
    const struct tagging *t = p->state;
    p->open = t->waiting || t->count || t->packets;
}

// ---- at dispatch ----
static void tag_dispatch(struct profiler *p, const struct rob_order *order, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    if (!t->waiting || !(b->dispatch_valid & 1)) return;
    uint64_t weight = t->waiting;
    t->waiting = 0;
    tag(p, order, b, 0, weight);
}

void tagging_dispatch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    leave(p, h, b);
    tag_dispatch(p, &h->order, b);
    close_idle(p);
}

void tagging_dispatch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct tagging *t = p->state;
    t->waiting += s->weight + t->lost;
    t->lost = 0;
    tag_dispatch(p, &h->order, s->bundle);
    close_idle(p);
}

// ---- at fetch ----
static void drop_packets(struct tagging *t) {
    for (; t->packets; t->packets--) {
        t->lost += t->ring[t->first].weight;
        t->first = (t->first + 1) % FETCH_ORDER_PACKETS;
    }
}

static void tag_packet(struct profiler *p, uint64_t number, uint64_t weight) {
    struct tagging *t = p->state;
    struct packet *youngest = &t->ring[(t->first + t->packets - 1) % FETCH_ORDER_PACKETS];
    if (t->packets && youngest->number == number) {
        youngest->weight += weight;
    } else if (t->packets + t->count >= p->tags) {
        t->lost += weight;
    } else {
        t->ring[(t->first + t->packets++) % FETCH_ORDER_PACKETS] = (struct packet){number, weight};
    }
}

static void dispatch_packets(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    for (unsigned begins = h->fetch.begins; begins && t->packets; begins &= begins - 1) {
        unsigned slot = (unsigned)__builtin_ctz(begins);
        const struct packet *oldest = &t->ring[t->first];
        if (oldest->number != h->fetch.packet[slot]) continue;
        tag(p, &h->order, b, slot, oldest->weight);
        t->first = (t->first + 1) % FETCH_ORDER_PACKETS;
        t->packets--;
    }
}

void tagging_fetch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tagging *t = p->state;
    leave(p, h, b);
    dispatch_packets(p, h, b);
    uint64_t weight = b->fetch_valid ? t->waiting : 0;
    t->waiting -= weight;
    if (h->fetch.dropped) {
        drop_packets(t);
        t->lost += weight;
    } else if (weight) {
        tag_packet(p, h->fetch.next - 1, weight);
    }
    close_idle(p);
}

void tagging_fetch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct tagging *t = p->state;
    uint64_t weight = s->weight + t->lost;
    t->lost = 0;
    if (!s->bundle->fetch_valid) {
        t->waiting += weight;
    } else if (h->fetch.dropped) {
        t->lost = weight;
    } else {
        tag_packet(p, h->fetch.next - 1, weight);
    }
    close_idle(p);
}

void tagging_finish(struct profiler *p) {
    struct tagging *t = p->state;
    drop(t, 0);
    drop_packets(t);
    profiler_book(p, PLACE_END, STATE_COUNT, 0, t->waiting + t->lost);
    t->waiting = t->lost = 0;
}
