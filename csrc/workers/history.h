// The last bundles before a difference, printed once.
#ifndef TIPOFF_WORKERS_HISTORY_H
#define TIPOFF_WORKERS_HISTORY_H

#include "records.h"
#include <stdio.h>

enum { HISTORY_BUNDLES = 20 };

struct past {
    uint64_t cycle, count;
    struct commit_bundle bundle;
};

struct history {
    unsigned width;
    unsigned next;                     // where the next one goes
    struct past past[HISTORY_BUNDLES]; // count 0: none yet
};

// b NULL: as the one before.
static inline void history_add(struct history *h, uint64_t cycle, uint64_t count, const struct commit_bundle *b) {
    const struct past *before = &h->past[h->next ? h->next - 1 : HISTORY_BUNDLES - 1];
    struct past *p = &h->past[h->next];
    h->next = h->next + 1 == HISTORY_BUNDLES ? 0 : h->next + 1;
    p->cycle = cycle;
    p->count = count;
    p->bundle = b ? *b : before->bundle;
}
void history_print(const struct history *h, FILE *out);

#endif
