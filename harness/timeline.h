// What is to happen when: a queue of events ordered by cycle, and by order of entry within a cycle.
#ifndef TIPOFF_HARNESS_TIMELINE_H
#define TIPOFF_HARNESS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct event {
    uint64_t cycle;
    uint32_t kind, who, flags; // the user's
};

struct timeline;
struct timeline *timeline_create(unsigned capacity); // NULL: out of memory
void timeline_destroy(struct timeline *timeline);
void timeline_add(struct timeline *timeline, struct event event);
uint64_t timeline_next(const struct timeline *timeline); // cycle of the first event; UINT64_MAX: there is none
// Takes the first event out if it is due by `cycle`.
bool timeline_take(struct timeline *timeline, uint64_t cycle, struct event *event);

#endif
