// Where an instruction lies: its address, and the context that gives the address its meaning. One virtual address is
// another place in another privilege mode or address space.
#ifndef TIPOFF_PROFILE_PLACE_H
#define TIPOFF_PROFILE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define PROFILE_PC_END                                                                                                 \
    UINT64_MAX // pseudo-address "end of run": time that no instruction owns (docs/guide/profiling.md)

enum place_mode { MODE_USER = 0, MODE_SUPERVISOR = 1, MODE_MACHINE = 3 };
#define MODE_LETTERS "US?M"

struct place {
    uint64_t pc;      // or PROFILE_PC_END
    uint64_t context; // hart, where several are distinguished; address space (satp's page number); two bits of mode
};
#define PLACE_END ((struct place){PROFILE_PC_END, 0})

enum {
    PLACE_SPACE_BITS = 44,                  // of satp's page number (privileged manual, satp)
    PLACE_HART_SHIFT = PLACE_SPACE_BITS + 2 // of the hart: 0 to 255
};

static inline uint64_t place_context(uint8_t mode, uint64_t space) {
    return space << 2 | mode;
}
static inline unsigned place_mode(uint64_t context) {
    return context & 3;
}
static inline uint64_t place_space(uint64_t context) {
    return context >> 2 & ((UINT64_C(1) << PLACE_SPACE_BITS) - 1);
}
static inline uint64_t place_on_hart(uint64_t context, unsigned hart) {
    return context | (uint64_t)hart << PLACE_HART_SHIFT;
}
static inline unsigned place_hart(uint64_t context) { // 0 where none are distinguished
    return (unsigned)(context >> PLACE_HART_SHIFT);
}
static inline bool place_equal(struct place a, struct place b) {
    return a.pc == b.pc && a.context == b.context;
}
static inline int place_order(struct place a, struct place b) { // by address, then by context
    if (a.pc != b.pc) return a.pc < b.pc ? -1 : 1;
    return a.context < b.context ? -1 : a.context > b.context;
}

#endif
