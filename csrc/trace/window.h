// A part of a run: from one position (base/position.h) to another, both included, found while the run goes on.
//   a place      from, to: the cycle in which the instruction commits
//   a sample     the window begins with the cycle behind it (that it is one is known when its own cycle is over), and
//                ends with the cycle of its trigger
#ifndef TIPOFF_TRACE_WINDOW_H
#define TIPOFF_TRACE_WINDOW_H

#include "base/position.h"
#include "records.h"

struct trace_window {
    struct position from, to; // of kind POSITION_CYCLE once it is met
    bool to_is_next;          // of to: a place without a count, which is looked for behind `from`
};

// Both edges; NULL: open. name: of the options, "trace" for --trace-from. -EINVAL with err: an edge is none, or they
// are exchanged.
int trace_window_parse(struct trace_window *w, const char *name, const char *from, const char *to, unsigned kinds,
                       const struct image *image, struct error *err);
// Whether an edge is a sample, or is met by what commits.
bool trace_window_needs_samples(const struct trace_window *w);
bool trace_window_needs_commits(const struct trace_window *w);
// Tells of every commit, in order, and of every sample that is taken: replaces an edge that is met by its cycle.
void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc);
void trace_window_bundle(struct trace_window *w, uint64_t cycle, const struct commit_bundle *b); // all its commits
void trace_window_sample(struct trace_window *w, uint64_t cycle);
bool trace_window_holds(const struct trace_window *w, uint64_t cycle);
// Of the `count` cycles from *cycle on, those in the window: moves *cycle to their first and returns how many they are.
uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count);

#endif
