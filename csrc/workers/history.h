// The last bundles before a difference, kept in every cycle and printed once.
#ifndef TIPOFF_WORKERS_HISTORY_H
#define TIPOFF_WORKERS_HISTORY_H

#include "records.h"
#include <stdio.h>

enum { HISTORY_BUNDLES = 20 };

struct past { // what is printed of a bundle: no more is copied
    uint64_t cycle, count;
    uint8_t valid, commit, mispredict, flush, oldest, dispatch_valid;
    bool rob_empty, exception, replay, interrupt;
    uint64_t pc[MAX_LANES], dispatch_pc[MAX_LANES];
};

struct history {
    unsigned width;
    uint64_t count; // of all
    struct past past[HISTORY_BUNDLES];
};

void history_add(struct history *h, uint64_t cycle, uint64_t count, const struct commit_bundle *b);
void history_print(const struct history *h, FILE *out);

#endif
