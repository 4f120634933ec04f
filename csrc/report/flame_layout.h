// Where the boxes of a flame graph are: a box each frame of the call tree, and on it one for each commit state and
// combination of events of the frame's own time. Not for other libraries.
#ifndef TIPOFF_REPORT_FLAME_LAYOUT_H
#define TIPOFF_REPORT_FLAME_LAYOUT_H

#include "report/call_tree.h"

struct flame_box {
    uint64_t left, weight;            // in 1/U cycle: from the left edge, and its width
    uint64_t states[STATE_COUNT + 1]; // of that time
    uint64_t own;                     // of it, not on frames that it called
    size_t depth;                     // 0: the box of all time
    size_t frame;                     // of the tree; CALL_TREE_NONE: the box of all time
    bool leaf;                        // time of that frame, of one state and one combination of events:
    uint8_t state;
    uint16_t psv;
};
struct flame_layout {
    struct flame_box *boxes; // what is below comes before what is on it
    size_t count, depth;     // depth: levels
    char **names;            // of each frame of the tree
};

// Boxes next to each other are in the order of their names, as in other flame graphs, so that graphs of two runs look
// alike; then states and events in the order of their numbers. by_address: frames of a tree by instruction.
// False: no memory.
bool flame_layout_create(struct flame_layout *l, const struct run *d, const struct call_tree *t, bool by_address);
void flame_layout_destroy(struct flame_layout *l, const struct call_tree *t);

#endif
