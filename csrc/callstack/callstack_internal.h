// What callstack.c, threads.c and forks.c share.
#ifndef TIPOFF_CALLSTACK_CALLSTACK_INTERNAL_H
#define TIPOFF_CALLSTACK_CALLSTACK_INTERNAL_H

#include "callstack/callstack.h"

struct frame {
    uint64_t back;    // where its function returns to; of a trap: the instruction that it came at
    uint64_t sp;      // at the call
    uint64_t context; // of the caller
    uint32_t node;    // the caller's stack
    uint8_t kind;     // enum stack_kind: how it was entered
};

struct thread {
    struct frame *frames; // outermost first
    size_t depth, capacity;
    size_t beyond;   // calls without a frame ...
    uint32_t kept;   // ... and the stack that the first of them came from
    uint64_t bottom; // stack pointer where it began
    uint64_t ran;    // when: of two, the greater one ran later; 0: never
    uint32_t node;   // its stack now
};

// A call that may begin a process with a copy of the caller's stack, which has not run yet.
struct fork {
    struct thread stack; // at the call: `frames` its own copy; node STACK_UNKNOWN: not known
    uint64_t pc, sp, context, registers;
    bool same_space;
};
struct forks {
    struct fork *list; // in the order of the calls
    size_t count, capacity;
    bool lost; // of one nothing is kept: none is known to be a process's only one any more
};

struct callstack {
    struct stack_table *table;
    struct callstack_counts counts;
    uint64_t switched;
    struct thread *now;
    struct thread threads[CALLSTACK_THREADS];
    struct forks forks;
};

uint32_t callstack_node(struct callstack *c, enum stack_kind kind, uint32_t parent, uint64_t site, uint64_t entry,
                        uint64_t context);
void callstack_enter(struct callstack *c, struct thread *t); // it runs now
// It runs from here on, and what it was in before is not known.
void callstack_begin_in(struct callstack *c, struct thread *t, uint64_t pc, uint64_t context, uint64_t sp);
// The thread that has not run for longest, to run now. Its fields are the caller's to fill.
struct thread *callstack_new_thread(struct callstack *c);
// One more frame. False: there is no space, and its calls are to be counted instead, until one returns.
bool callstack_reserve(struct thread *t);

// At a step that forks, before the trap.
void forks_remember(struct callstack *c, const struct callstack_step *s);
// At a return from a trap: the call has failed, or is made again.
void forks_returned(struct callstack *c, const struct callstack_step *s);
// A new process's first return from its trap: it goes on from the stack of the call. False: it is none, or it is not
// known to which call it belongs.
bool forks_begin(struct callstack *c, const struct callstack_step *s);
void forks_free(struct forks *f);

#endif
