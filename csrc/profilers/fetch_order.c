// Which packets of the ring dispatch: the first instruction of the oldest, of the one behind it, and so on.
#include "profilers/fetch_order.h"

void fetch_order_dispatch(struct fetch_order *o, const struct commit_bundle *b) {
    uint64_t oldest = o->oldest;
    for (unsigned slot = 0; b->dispatch_valid >> slot & 1 && oldest < o->next; slot++) {
        if (o->pc[oldest % FETCH_ORDER_PACKETS] != b->dispatch_pc[slot]) continue;
        o->begins |= (uint8_t)(1u << slot);
        o->packet[slot] = oldest++;
    }
    o->oldest = oldest;
}
