// Stores that have retired, by number in program order: which of them wait, and who waits for them.
#include "memory_order/order_internal.h"
#include <inttypes.h>

// The store between `number` and the one before `s` that waits, or became visible after s, and meets its bytes. O(1) as
// long as stores become visible in order: the loop then is over at once.
static const struct order_store *meets(struct order_hart *h, const struct order_store *s) {
    const uint64_t kept = h->next_store > STORES ? h->next_store - STORES : 1;
    for (uint64_t n = s->number - 1; n >= kept; n--) {
        const struct order_store *other = store_of(h, n);
        if (n < h->oldest && other->settled < s->time) return NULL; // and all before it
        if ((!other->visible || other->time > s->time) && overlap(other->address, other->size, s->address, s->size))
            return other;
    }
    return NULL;
}

int check_overlapping(struct memory_order *m, const struct memory_order_event *e, const struct order_store *s,
                      struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    const struct order_store *other = meets(h, s);
    if (!other) return 0;
    return axiom_broken(m, e, 1, s->address, err,
                        "the store at pc 0x%" PRIx64 " becomes visible before the one at pc 0x%" PRIx64
                        " to 0x%" PRIx64,
                        s->pc, other->pc, other->address);
}

static void end_wait(struct order_hart *h, struct order_wait *w, struct order_floor *f) {
    if (!w->number || h->oldest <= w->number) return;
    raise_floor(f, (struct order_floor){h->settled, w->pc, w->rule});
    w->number = 0;
}

void settle_stores(struct order_hart *h, uint64_t cycle) {
    while (h->oldest < h->next_store && store_of(h, h->oldest)->visible) {
        struct order_store *s = store_of(h, h->oldest);
        if (s->time > h->settled) h->settled = s->time;
        s->settled = h->settled;
        h->oldest++;
        h->moved = cycle;
        // One store at a time: what waits for this one, and for none after it, must not wait for their times.
        end_wait(h, &h->load_wait, &h->load_floor);
        end_wait(h, &h->store_wait, &h->store_floor);
    }
}

int add_store(struct memory_order *m, const struct memory_order_event *e, const struct order_store *made,
              struct order_store **out, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    if (h->next_store - h->oldest == STORES || (!made->visible && h->number_of[made->id])) {
        return stream_fault(m, e, err, "store %u retires while %s", made->id,
                            h->number_of[made->id] ? "one of that number waits" : "too many wait");
    }
    struct order_store *s = store_of(h, h->next_store);
    *s = *made;
    s->number = h->next_store++;
    if (!s->visible) h->number_of[s->id] = s->number;
    *out = s;
    return 0;
}
