// Markers: instructions whose executions, counted over all harts, say where a run is, however its harts interleave
// (LoopPoint: Sabu's thesis, section 3.3.3; Viper, 4.3). A place of a run is (pc, count): before the COUNTth execution,
// from 1 on, of pc (struct regions_marker).
//
//   markers_add ... -> markers_watch -> iss_run: `met` is called at each, in order of execution
//
// A run that meets them goes at some 100 million instructions a second.
#ifndef TIPOFF_METHODS_REGIONS_MARKERS_H
#define TIPOFF_METHODS_REGIONS_MARKERS_H

#include "iss/flow.h"
#include "methods/regions/regions.h"

// By rank: the higher, the better a boundary of a region (Viper's classes; LoopPoint takes all alike).
enum marker_kind { MARKER_LOOP, MARKER_TASK_LOOP, MARKER_BARRIER, MARKER_KINDS };
struct marker {
    uint64_t pc;
    enum marker_kind kind;
    uint64_t function; // where the function that it lies in begins
    unsigned depth;    // of a loop: 1 where it is in no other one of its function; 0: none
    uint64_t count;    // executions, by all harts, since markers_watch
};
struct markers { // zeros at first; markers_free
    struct marker *at;
    size_t count, capacity;
};

// An execution of marker `marker`, which has been counted in its count and is not done yet.
struct markers_event {
    struct hart *hart;
    size_t marker;
    uint64_t steps;   // instructions and traps of all harts since markers_watch, as struct regions_slice has them
    uint64_t counted; // likewise instructions of blocks that count (iss_flow_count_by)
};
// True: the run ends before it (iss_flow_stopped); it is not reported again when the run goes on.
typedef bool markers_met(void *context, struct markers *m, const struct markers_event *event);

// One more; not sorted yet. False with err: no memory.
bool markers_add(struct markers *m, uint64_t pc, enum marker_kind kind, uint64_t function, unsigned depth,
                 struct error *err);
void markers_sort(struct markers *m); // by pc; of several of one pc the one of the highest kind stays
size_t markers_find(const struct markers *m, uint64_t pc); // of sorted ones; SIZE_MAX: none
void markers_free(struct markers *m);

// A machine and what is called. Lives, as the markers do, as long as the machine runs.
struct markers_watch {
    struct markers *markers;
    markers_met *met; // NULL: they are counted, no more
    void *context;
    struct iss *iss;
    uint64_t steps, counted; // of it before
};
// From now on, with all counts 0; m: sorted. Watches the flow (iss/flow.h), whose vectors can be taken at an event.
// False with err: no memory.
bool markers_watch(struct markers_watch *w, struct iss *iss, struct error *err);
// Runs a machine that is watched to a place; its count goes on from where it is. True: it is before that
// execution; false: the run ended before, or `max` steps were done. *steps: of this call, or NULL.
bool markers_go(struct markers_watch *w, struct iss *iss, struct regions_marker place, uint64_t max, uint64_t *steps);

#endif
