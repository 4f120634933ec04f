// A region of a run: from one position (base/position.h) to another, both included, found while the run goes on.
//   a place      from, to: the cycle in which the instruction commits
//   a sample     the region begins with the cycle after it (a sample is known only when its cycle is over), and
//                ends with the cycle of its trigger
#ifndef TIPOFF_TRACE_REGION_H
#define TIPOFF_TRACE_REGION_H

#include "base/position.h"
#include "records.h"

struct trace_region {
    struct position from, to; // of kind POSITION_CYCLE once it is met
    bool to_is_next;          // of to: a place without a count, which is looked for behind `from`
};

// Both edges; NULL: open. name: of the options, "trace" for --trace-from. -EINVAL with err: an edge is none, or they
// are exchanged.
int trace_region_parse(struct trace_region *r, const char *name, const char *from, const char *to, unsigned kinds,
                       const struct image *image, struct error *err);
// Whether an edge is a sample, or is met by what commits.
bool trace_region_needs_samples(const struct trace_region *r);
bool trace_region_needs_commits(const struct trace_region *r);
// Takes every commit, in order, and of every sample that is taken: replaces an edge that is met by its cycle.
void trace_region_commit(struct trace_region *r, uint64_t cycle, uint64_t pc);
void trace_region_bundle(struct trace_region *r, uint64_t cycle, const struct commit_bundle *b); // all its commits
unsigned trace_region_executions(const struct commit_bundle *b, uint64_t pc); // how many of those are this one
void trace_region_sample(struct trace_region *r, uint64_t cycle);
bool trace_region_holds(const struct trace_region *r, uint64_t cycle);
// Of the `count` cycles from *cycle on, those in the region: moves *cycle to their first and returns how many they are.
uint64_t trace_region_clip(const struct trace_region *r, uint64_t *cycle, uint64_t count);

#endif
