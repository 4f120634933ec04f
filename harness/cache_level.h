// One cache level after the L1s: tags, least-recently-used replacement, miss status holding registers (MSHRs).
//
// It says what a request meets and who waits for which line; the times are memory.c's. A read takes its place in the
// tags when it is looked up, not when its line comes: until then an MSHR holds the line, and another read of it joins.
// A write is a write-back of a whole line: it allocates without a fetch. Lines are numbers: address / 64.
#ifndef TIPOFF_HARNESS_CACHE_LEVEL_H
#define TIPOFF_HARNESS_CACHE_LEVEL_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

struct cache_level_config {
    uint32_t kib; // 0: there is no such level
    uint32_t ways, mshrs;
    uint32_t latency; // core cycles from a request to the data of a hit
};

enum cache_outcome {
    CACHE_HIT,
    CACHE_JOIN,    // on its way: the target was added to its MSHR
    CACHE_MISS,    // an MSHR was taken, with the target
    CACHE_BLOCKED, // no MSHR is free: nothing changed, ask again
};
struct cache_target { // who wants a line
    uint32_t who;
    uint64_t earliest; // not to be answered before this cycle
};
struct cache_result {
    enum cache_outcome outcome;
    unsigned mshr;   // of CACHE_MISS
    bool evicts;     // a dirty line was evicted:
    uint64_t victim; // this one
};
struct cache_counts {
    uint64_t reads, writes, misses; // misses: reads that took or joined an MSHR
};

struct cache_level;
// targets: how many may wait at most, all MSHRs together. name: for messages.
struct cache_level *cache_level_create(const char *name, const struct cache_level_config *config, unsigned targets,
                                       struct error *err);
void cache_level_destroy(struct cache_level *level);
struct cache_result cache_level_read(struct cache_level *level, uint64_t line, struct cache_target target);
struct cache_result cache_level_write(struct cache_level *level, uint64_t line);
// Before the first request: the line is here from now on, as a read or, dirty, a write leaves it. CACHE_HIT: it was.
struct cache_result cache_level_place(struct cache_level *level, uint64_t line, bool dirty);
bool cache_level_holds(const struct cache_level *level, uint64_t line, bool *dirty); // dirty may be NULL
bool cache_level_full(const struct cache_level *level);                              // no MSHR is free
uint64_t cache_level_line(const struct cache_level *level, unsigned mshr);
// The line of an MSHR is here: copies out its targets in order of arrival, frees it, and returns how many they are.
unsigned cache_level_fill(struct cache_level *level, unsigned mshr, struct cache_target *targets);
struct cache_counts cache_level_counts(const struct cache_level *level);

#endif
