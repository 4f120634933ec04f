// Conservative lookahead, from each core's place and its own promise.
#include "harness/schedule.h"

static uint64_t later(uint64_t cycle, uint64_t by) {
    return by > UINT64_MAX - cycle ? UINT64_MAX : cycle + by;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// The earliest cycle in which this core may send something: by itself, or as an answer to another one.
static uint64_t may_send(const struct schedule_core *cores, size_t count, size_t core, uint64_t latency) {
    uint64_t first = cores[core].quiet_until;
    for (size_t i = 0; i < count; i++) {
        if (i != core && !cores[i].over) first = smaller(first, later(cores[i].now, latency));
    }
    return first;
}

bool schedule_next(const struct schedule_core *cores, size_t count, uint64_t latency, size_t *which, uint64_t *until) {
    size_t behind = count;
    for (size_t i = 0; i < count; i++) {
        if (!cores[i].over && (behind == count || cores[i].now < cores[behind].now)) behind = i;
    }
    if (behind == count) return false;
    *which = behind;
    *until = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        if (i != behind && !cores[i].over) *until = smaller(*until, later(may_send(cores, count, i, latency), latency));
    }
    return true;
}
