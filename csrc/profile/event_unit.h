// What the weights of a profile of `perf record` count: its event's occurrences.
#ifndef TIPOFF_PROFILE_EVENT_UNIT_H
#define TIPOFF_PROFILE_EVENT_UNIT_H

#include <string.h>

// "ns" of perf's clocks, whose periods are nanoseconds; "cycles" of our own export; else the event's name.
static inline const char *event_unit(const char *event) {
    if (strncmp(event, "cpu-clock", 9) == 0 || strncmp(event, "task-clock", 10) == 0) return "ns";
    return strcmp(event, "tipoff") == 0 || strncmp(event, "cycles", 6) == 0 ? "cycles" : event;
}

#endif
