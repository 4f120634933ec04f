// A ring of the packets that have been fetched and have not dispatched.
#include "profilers/fetch_order.h"

static void dispatch(struct fetch_order *o, const struct commit_bundle *b, unsigned width) {
    o->begins = 0;
    for (unsigned slot = 0; slot < width && b->dispatch_valid >> slot & 1 && o->oldest < o->next; slot++) {
        if (o->pc[o->oldest % FETCH_ORDER_PACKETS] != b->dispatch_pc[slot]) continue;
        o->begins |= (uint8_t)(1u << slot);
        o->packet[slot] = o->oldest++;
    }
}

void fetch_order_step(struct fetch_order *o, const struct commit_bundle *b, unsigned width, bool clears) {
    dispatch(o, b, width);
    o->dropped = clears || b->redirect || o->next - o->oldest == FETCH_ORDER_PACKETS;
    if (o->dropped) {
        o->oldest = o->next;
    } else if (b->fetch_valid) {
        o->pc[o->next++ % FETCH_ORDER_PACKETS] = b->fetch_pc;
    }
}
