// `tipoff run --count`: events counted by the hardware counters, programmed before the program runs and read when it
// ends; and groups of events, which give more than their counts (harness/event_groups.h).
#ifndef TIPOFF_HARNESS_EVENT_COUNTERS_H
#define TIPOFF_HARNESS_EVENT_COUNTERS_H

#include "base/error.h"
#include "harness/event_groups.h"
#include "harness/machine_config.h"
#include "harness/model.h"
#include "workers/counter_event.h"
#include <stdio.h>

enum { EVENT_COUNTERS_MOST = 29, EVENT_COUNTERS_GROUPS = 8 };

struct event_counters {
    unsigned count;
    bool prepared;
    uint64_t from_cycle; // they count from this cycle on
    struct event_counter {
        char name[32];    // as printed: the event, :MODES where they are limited
        uint64_t select;  // mhpmevent
        unsigned counter; // 3..31
        bool coherent;    // only cores with harts.coherent have it
        bool triggers;    // of the program's triggers
        uint64_t value;
    } rows[EVENT_COUNTERS_MOST];
    unsigned groups;
    unsigned width; // of the core, once assigned
    struct event_counters_group {
        char name[32]; // as printed
        const struct event_group *group;
        uint64_t inhibit; // mhpmevent's bits for the modes that are not counted
    } group[EVENT_COUNTERS_GROUPS];
};

// A line an event: its name, and what it counts; then the groups.
void event_counters_list(FILE *out);
// EVENT[:MODES] or GROUP[:MODES],... with the names of tables/pmu_events.tsv and tables/events.tsv, and of groups, in
// any case, and MODES of m, s, u. Adds to the present ones, an event in the same modes once; -EINVAL: err names the
// fault, and where an event is unknown, all events.
int event_counters_parse(struct event_counters *c, const char *text, struct error *err);
// Gives each event a counter: the highest existing ones, but for the sampling one where `sampling` is on.
int event_counters_assign(struct event_counters *c, const struct machine_config *config, bool sampling,
                          struct error *err);
// Programs them, and holds them still: a cycle for each, and one. Then sets them off: a cycle, and those of
// event_counters_prepare where that was not called before.
int event_counters_prepare(struct event_counters *c, const struct model_api *api, struct model *model,
                           struct error *err);
int event_counters_start(struct event_counters *c, const struct model_api *api, struct model *model, struct error *err);
void event_counters_read(struct event_counters *c, const struct model_api *api, struct model *model);
// Number i as the workers hear of it, in this cycle: set off (from_cycle), or read. False: there is no such one.
bool event_counters_event(const struct event_counters *c, unsigned i, bool read, uint64_t cycle,
                          struct counter_event *event);
// What they have counted, and what the groups make of it. False: no memory.
bool event_counters_publish(const struct event_counters *c, struct results *results);
void event_counters_print(const struct event_counters *c, FILE *out);

#endif
