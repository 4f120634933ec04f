// The part of a run that is traced: from one edge to the other, both included. An edge is one of
//   a cycle            1000
//   an instruction     0x80000010, or a symbol: the cycle in which the instruction at that address commits for the
//                      first time (the second edge: for the first time after the first edge)
//   a sample           sample:3, the third trigger of the sampling counter: the window begins with the cycle behind it
//                      (that it is one is known when its own cycle is over), and ends with the cycle of the trigger
#ifndef TIPOFF_TRACE_WINDOW_H
#define TIPOFF_TRACE_WINDOW_H

#include "base/elf.h"
#include "records.h"

enum trace_edge_kind { TRACE_EDGE_CYCLE, TRACE_EDGE_ADDRESS, TRACE_EDGE_SAMPLE };
struct trace_edge {
    enum trace_edge_kind kind;
    uint64_t value; // cycle, address of the instruction, or number of the sample, from 1 on
};

struct trace_window {
    struct trace_edge from, to;
    uint64_t samples; // so far
};

// NULL leaves *edge as it is. -EINVAL with err: the text is no edge, or the program has no such symbol.
int trace_edge_parse(struct trace_edge *edge, const char *text, const struct image *image, struct error *err);
// Both edges at once; NULL: open. -EINVAL with err: an edge is none, or they are exchanged.
int trace_window_parse(struct trace_window *w, const char *from, const char *to, const struct image *image,
                       struct error *err);
// Tells of every commit, in order, and of every trigger: replaces an edge that is met by its cycle.
void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc);
void trace_window_bundle(struct trace_window *w, uint64_t cycle, const struct commit_bundle *b); // all its commits
void trace_window_sample(struct trace_window *w, uint64_t cycle);
bool trace_window_holds(const struct trace_window *w, uint64_t cycle);
// Of the `count` cycles from *cycle on, those in the window: moves *cycle to their first and returns how many they are.
uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count);

#endif
