// Call stacks by number. A stack is a node of a tree: what was called last, and the stack that it was called from.
// Equal stacks have one number; the table is what gives it its meaning.
#ifndef TIPOFF_BASE_STACK_TABLE_H
#define TIPOFF_BASE_STACK_TABLE_H

#include "base/place.h"
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
    uint64_t context; // of entry (base/place.h)
};

// Two numbers that every table has.
enum {
    STACK_UNKNOWN = 0, // not determined
    STACK_LOST = 1     // there are more stacks than the table may hold; and all that are called from it
};

struct stack_table;
struct stack_table *stack_table_create(uint32_t limit); // of numbers, 2 and more; NULL: no memory
void stack_table_destroy(struct stack_table *t);        // NULL is fine
// The number of this stack; STACK_LOST where it is new and there is no space for it.
uint32_t stack_table_find(struct stack_table *t, const struct stack_node *node);
// All of them, by number. They live until the next call of find or destroy.
const struct stack_node *stack_table_nodes(const struct stack_table *t, uint32_t *count);

#endif
