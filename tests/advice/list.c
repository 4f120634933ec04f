// Adds up a list whose nodes lie scattered in memory: each load waits for the one before, and misses the L1. FIXED: the
// same values in an array, in that order.
#include "advice.h"

enum { NODES = 1024, NODE_BYTES = 448, STEP = 389, ROUNDS = 4 };
struct node {
    struct node *next;
    uint64_t value;
    uint8_t rest[NODE_BYTES - 16];
};
#ifdef FIXED
static uint64_t array[NODES];
#else
static struct node nodes[NODES];
#endif

static __attribute__((noinline)) uint64_t add_up(void) {
    uint64_t sum = 0;
#ifdef FIXED
    for (int i = 0; i < NODES; i++)
        sum = sum * 3 + array[i];
#else
    for (const struct node *n = &nodes[0]; n; n = n->next)
        sum = sum * 3 + n->value; // cause
#endif
    return sum;
}

int main(void) {
    uint64_t sum = 0;
    for (unsigned i = 0, at = 0; i < NODES; i++) {
        const uint64_t value = draw();
#ifdef FIXED
        array[i] = value;
        (void)at;
#else
        const unsigned next = (at + STEP) % NODES;
        nodes[at].next = i + 1 < NODES ? &nodes[next] : NULL;
        nodes[at].value = value;
        at = next;
#endif
    }
    for (int r = 0; r < ROUNDS; r++, forget())
        sum += add_up();
    return result(sum);
}
