// The call tree of a profile: its time by function and all its callers. Not for other libraries.
//
// A frame is a function as it was called by a frame, from wherever in it; which function that is, the address of the
// call in it says (of the innermost frame the address of the time): a function that ends in a jump to another one is
// not seen, as in a debugger.
#ifndef TIPOFF_REPORT_CALL_TREE_H
#define TIPOFF_REPORT_CALL_TREE_H

#include "report/run.h"

#define CALL_TREE_NONE SIZE_MAX

struct call_frame {
    size_t parent;                    // a smaller number; CALL_TREE_NONE: the outermost
    size_t function;                  // its number
    enum stack_kind kind;             // how it was entered
    uint64_t exclusive, inclusive;    // in 1/U cycle
    uint64_t states[STATE_COUNT + 1]; // of its exclusive time
};
struct call_function {
    struct place place;            // unit_of
    uint64_t exclusive, inclusive; // a frame below another one of the same function counts once
};
struct call_edge {
    size_t caller, callee; // functions; caller CALL_TREE_NONE: none
    uint64_t inclusive;    // of the callee, called by the caller: as above
};

struct call_tree {
    struct call_frame *frames; // parents before those that they call
    struct call_function *functions;
    struct call_edge *edges;
    size_t *row_frames; // of each row of the profile, its frame
    size_t frame_count, function_count, edge_count;
    uint64_t total;
    uint64_t unknown; // time whose stack is not known, or was one more than the run kept: frames without callers
    uint64_t cut;     // time of stacks without all their frames
};

// max_stack: of a deeper stack the frames in the middle are left out (profile/stack_table.h), which a warning says; one
// frame stands for them, REPORT_LEFT_OUT. 0: none is. False with err: no memory, or the profile has no call stacks.
bool call_tree_create(struct call_tree *t, const struct run *d, enum granularity g, uint32_t max_stack,
                      struct error *err);
// ... of a profile without call stacks, too: then no frame has callers. False with err: no memory.
bool call_tree_create_any(struct call_tree *t, const struct run *d, enum granularity g, uint32_t max_stack,
                          struct error *err);
void call_tree_destroy(struct call_tree *t);
bool call_tree_sum_up(struct call_tree *t); // of call_tree_create: functions and calls, by frames. False: no memory
// A frame in words: its function, and how that was entered ("on_timer [interrupt]"); by_address, of a tree by
// instruction: its address.
void call_frame_name(const struct run *d, const struct call_tree *t, size_t frame, bool by_address, char *text,
                     size_t size);
const char *call_entered(enum stack_kind kind); // what follows the name of a function: " [interrupt]", ..., or ""

#endif
