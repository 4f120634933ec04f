// What the counters of a coherent hart have to count beyond its commit bundle (tables/pmu_events.tsv, numbers from
// PMU_EVENT_KEYED on), by event and privilege mode, from other sources than their wires: the messages that the hub has
// sent to it and got from it, the lines that its L1 has held, and the vectors of what was replayed.
#ifndef TIPOFF_WORKERS_HUB_TALLY_H
#define TIPOFF_WORKERS_HUB_TALLY_H

#include "events.h"
#include "workers/worker.h"

enum { HUB_EVENTS = PMU_EVENT_NUMBERS - PMU_EVENT_KEYED, HUB_MODES = 4 };
enum { HUB_BACK = 4 }; // views whose messages may not all have come yet, or that can still be asked for

struct hub_tally {
    bool coherent; // else all counts are 0
    bool vectors;  // else those of replays are
    uint64_t total[HUB_MODES][HUB_EVENTS];
    uint32_t waits;   // requests without an answer, by number: at the beginning of the first of `last`
    uint64_t until;   // cycles before this one are in `total`
    struct hub_span { // of equal cycles, the oldest first
        uint64_t cycle, end;
        unsigned mode;
        bool commits;
    } last[HUB_BACK];
    unsigned spans;
    size_t count, capacity;
    struct hub_message { // of cycles that are not in `total`; requests and answers in order
        uint64_t cycle;
        uint8_t what, id;
    } * list;
};

void hub_tally_free(struct hub_tally *h);
// What passes between the core and the hub; before the view of the cycle, or before the view after that. False: no
// memory.
bool hub_tally_memory(struct hub_tally *h, const struct memory_event *event);
// The next cycles; `mode`: of the machine in them. False: no memory.
bool hub_tally_cycle(struct hub_tally *h, const struct worker_view *v, unsigned mode);
// As event_tally_up_to.
uint64_t hub_tally_up_to(const struct hub_tally *h, unsigned number, unsigned modes, uint64_t cycle);

#endif
