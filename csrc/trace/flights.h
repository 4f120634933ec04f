// Instructions in flight, followed by what the core emits about their stages, for those who show their way: the
// pipeline view, and snippets of it. Oldest first; on a wrong path, too.
#ifndef TIPOFF_TRACE_FLIGHTS_H
#define TIPOFF_TRACE_FLIGHTS_H

#include "events.h"
#include "trace/cycle.h"

struct flight {
    uint64_t id; // the listener's, given when it dispatches
    uint32_t rob;
    bool issued, done;
    uint8_t rd;            // operands.h; like the producers the listener's, if it wants them
    uint64_t producers[3]; // ids of those in flight whose results it reads
};

// What happens in the cycle that is shown, in order.
struct flights_listener {
    // It enters the ROB: fills in the id. The others in flight are older.
    void (*dispatched)(void *context, const struct stage *stage, struct flight *flight);
    void (*issued)(void *context, const struct flight *flight);
    void (*done)(void *context, const struct flight *flight);
    void (*committed)(void *context, const struct flight *flight, const struct commit_bundle *bundle, unsigned lane);
    void (*squashed)(void *context, const struct flight *flight);
    // The cycle of a trigger belongs to the instruction (docs/guide/profiling.md). when: the cycle shown, or in Flushed
    // that in which it left; in Drained it dispatches in the cycle shown, which may come after the trigger's.
    void (*sampled)(void *context, uint64_t id, uint64_t when, uint64_t trigger, enum commit_state state);
};

struct flights;
struct flights *flights_create(unsigned width, const struct flights_listener *listener,
                               void *context); // NULL: no memory
void flights_destroy(struct flights *f);
// Every cycle.
void flights_cycle(struct flights *f, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages);
// A trigger in the cycle that was shown last.
void flights_sample(struct flights *f, uint64_t cycle, const struct commit_bundle *bundle);
void flights_squash_all(struct flights *f);
unsigned flights_count(const struct flights *f);
const struct flight *flights_at(const struct flights *f, unsigned i); // below flights_count; 0: the oldest

#endif
