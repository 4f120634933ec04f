// Call stacks by number. A stack is a node of a tree: what was called last, and the stack that it was called from.
// Equal stacks have one number; the table is what gives it its meaning.
#ifndef TIPOFF_PROFILE_STACK_TABLE_H
#define TIPOFF_PROFILE_STACK_TABLE_H

#include "profile/place.h"
#include <stdbool.h>
#include <stddef.h>

// How a function was entered.
enum stack_kind {
    STACK_ROOT,      // not known: the outermost function, or all that was seen of it
    STACK_CALL,      // by a call
    STACK_EXCEPTION, // by an exception or an environment call
    STACK_INTERRUPT, // by an interrupt
    STACK_UPCALL,    // by a return from a trap into other code than was interrupted: a signal handler
    STACK_KINDS
};

struct stack_node {
    uint32_t parent;  // the caller's stack, a smaller number than its own; of a root STACK_UNKNOWN
    uint8_t kind;     // enum stack_kind
    uint64_t site;    // address of the call, or of the instruction that trapped or was interrupted; of a root 0
    uint64_t entry;   // first instruction that ran after it
    uint64_t context; // of entry (profile/place.h)
};

// Two numbers that every table has.
enum {
    STACK_UNKNOWN = 0, // not determined
    STACK_LOST = 1     // there are more stacks than the table may hold; and all that are called from it
};

// Stacks are as deep as the program recurses: 20,000 frames, of each sample. Where each is written out, `most` of them
// are: the outermost half and the innermost rest (stack_outer and stack_inner), the middle left out.
enum { STACK_FRAMES = 127 }; // of perf (kernel.perf_event_max_stack), where nothing else is asked for
static inline uint32_t stack_outer(uint32_t most) {
    return most / 2;
}
static inline uint32_t stack_inner(uint32_t most) {
    return most - most / 2;
}
// ... which a warning says: of the file, the share in %, of what it is ("the time has"), most.
#define STACK_CUT_TEXT                                                                                                 \
    "%s: %.1f %% of %s call stacks of more than %u frames, whose middle is left out: --max-stack 0 "                   \
    "for all"
struct stack_depths { // by number
    uint32_t *depth;  // frames: 1 of a root, of what is not known, and of what is called from it
    uint32_t *below;  // its callee of the innermost one of the outer frames; of a stack without such the stack itself
};
// A stack of these that names its caller.
static inline bool stack_has_caller(const struct stack_node *nodes, uint32_t count, uint32_t stack) {
    if (stack <= STACK_LOST || stack >= count || nodes[stack].kind == STACK_ROOT) return false;
    return nodes[stack].parent > STACK_LOST; // and smaller than stack
}
// most: 2 at least. False: no memory.
bool stack_depths_create(struct stack_depths *d, const struct stack_node *nodes, uint32_t count, uint32_t most);
void stack_depths_destroy(struct stack_depths *d);

struct stack_table;
struct stack_table *stack_table_create(uint32_t limit); // of numbers, 2 and more; NULL: no memory
void stack_table_destroy(struct stack_table *t);        // NULL is fine
// The number of this stack; STACK_LOST where it is new and there is no space for it.
uint32_t stack_table_find(struct stack_table *t, const struct stack_node *node);
// All of them, by number. They live until the next call of find or destroy.
const struct stack_node *stack_table_nodes(const struct stack_table *t, uint32_t *count);

#endif
