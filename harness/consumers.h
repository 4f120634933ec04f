// Who is shown the cycles of a core, in which order: the one table of them.
#ifndef TIPOFF_HARNESS_CONSUMERS_H
#define TIPOFF_HARNESS_CONSUMERS_H

#include "trace/dpi.h"

struct core;
enum consumer {
    CONSUMER_IDEAL,
    CONSUMER_TRANSFERS,
    CONSUMER_WAVEFORMS,
    CONSUMER_SEARCH,
    CONSUMER_REGION,
    CONSUMER_WORKERS,
    CONSUMER_SAMPLING,
    CONSUMERS
};

// At the beginning: those that want the first cycle. And: what any of them, in this run, needs of a cycle: DPI_*.
void consumers_choose(struct core *c);
uint32_t consumers_needs(const struct core *c);
// This one wants the cycles that follow; it has a cycle shown until it wants no more.
void consumers_add(struct core *c, enum consumer consumer);
// A cycle, shown to those that want it.
void consumers_cycle(struct core *c, const struct trace_cycle *cycle);
// `count` cycles from cycle->cycle on, equal to the one before: the workers alone hear of them.
void consumers_quiet(struct core *c, const struct trace_cycle *cycle, uint64_t count);

#endif
