// What the supervisor and its user programs agree on: system calls, the head of a program, the user's address space.
#ifndef WORKLOAD_SUPERVISOR_H
#define WORKLOAD_SUPERVISOR_H

#include "runtime.h"

// Beside SYS_EXIT (ends the process; the run ends with the last one, its status is the OR of all) and SYS_WRITE.
enum {
    SYS_YIELD = SYS_WORKLOAD, // leaves a word in the mailbox and lets the next process run
    SYS_MAIL,                 // the word in the mailbox
    SYS_COUNT,                // one of enum vm_count
};
enum vm_count {
    COUNT_FAULTS,
    COUNT_MAPPED,
    COUNT_EVICTED,
    COUNT_SWAPPED_OUT,
    COUNT_SWAPPED_IN,
    COUNT_SWITCHES,
    COUNTS
};

// The user image begins with this.
struct program {
    void (*entry)(void);
    uint64_t frames;    // pages of memory for all its processes together
    uint64_t processes; // all start at entry, with their number in a0
};
#define PROGRAM(...)                                                                                                   \
    void user_start(void);                                                                                             \
    __attribute__((section(".program"), used)) const struct program user_program = {.entry = user_start, __VA_ARGS__}

#define PAGE_BYTES 4096ul
#define USER_BASE 0x10000ul
#define USER_STACK_TOP 0x40000000ul
#define USER_STACK_BYTES 0x10000ul

enum { FRAMES_MOST = 4096, PROCESSES_MOST = 4, SWAP_PAGES = 2048, TABLES_MOST = 64 };

#endif
