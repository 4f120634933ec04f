// The part of a run that is traced: from one edge to the other, both included. An edge is a cycle, or an instruction:
// then it is the cycle in which that instruction commits for the first time (the second edge: for the first time after
// the first edge).
#ifndef TIPOFF_TRACE_WINDOW_H
#define TIPOFF_TRACE_WINDOW_H

#include "base/elf.h"

struct trace_edge {
    bool by_address;
    uint64_t value; // cycle, or address of the instruction
};

struct trace_window {
    struct trace_edge from, to;
};

// text: a number (cycle) or a symbol of the program; NULL leaves *edge as it is. -EINVAL with err: neither.
int trace_edge_parse(struct trace_edge *edge, const char *text, const struct image *image, struct error *err);

// Tells of every commit, in order: replaces an edge that is met by its cycle.
// Both edges at once, each a cycle, a symbol or NULL (open). -EINVAL with err: an edge is neither, or they are
// exchanged.
int trace_window_parse(struct trace_window *w, const char *from, const char *to, const struct image *image,
                       struct error *err);
void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc);
bool trace_window_holds(const struct trace_window *w, uint64_t cycle);
// Of the `count` cycles from *cycle on, those in the window: moves *cycle to their first and returns how many they are.
uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count);

#endif
