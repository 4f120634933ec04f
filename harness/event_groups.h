// Named groups of events (`tipoff run --count GROUP`): what is counted together, and what follows from the counts. A
// group is one row of event_groups.c.
#ifndef TIPOFF_HARNESS_EVENT_GROUPS_H
#define TIPOFF_HARNESS_EVENT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct results;
enum { EVENT_GROUP_MOST = 12 };

struct event_group_counts {
    unsigned width;              // slots a cycle
    double of[EVENT_GROUP_MOST]; // in the order of the group's events
};

struct event_group {
    const char *name;
    uint8_t events[EVENT_GROUP_MOST]; // numbers of mhpmevent; 0: no more
    bool (*publish)(const char *name, const struct event_group_counts *c, struct results *results); // false: no memory
    void (*print)(const char *name, const struct event_group_counts *c, FILE *out);
};

extern const struct event_group *const event_groups[];
extern const size_t event_group_count;

const struct event_group *event_group_find(const char *name, size_t length); // in any case; NULL: none

#endif
