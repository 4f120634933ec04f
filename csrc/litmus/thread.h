// What one thread does: its memory operations, and what orders them, along one path through its code.
#ifndef TIPOFF_LITMUS_THREAD_H
#define TIPOFF_LITMUS_THREAD_H

#include "base/error.h"
#include "litmus/test.h"

enum {
    THREAD_EVENTS = 24 // memory operations of a thread
};

// A memory operation. An AMO reads and writes at once; an SC that fails is none.
struct event {
    uint64_t address;
    unsigned step; // of the path
    uint8_t bytes;
    bool reads, writes;
    bool amo_or_sc;
    bool acquire, release, rcsc; // annotations
    int pair;                    // of an SC: the event of its LR
    // Events of the thread that it depends on, by registers, as bits.
    uint32_t address_from, data_from, control_from;
    uint32_t addresses_before; // that an earlier memory instruction's address depends on
};

struct ordering {     // a fence
    unsigned before;  // events of the thread before it
    uint8_t from, to; // sets: 1 writes, 2 reads
    bool tso;
};

// A path, without loops: which instructions, with which addresses, and which SC succeed. Values are not part of it.
struct shape {
    uint8_t path[LITMUS_CODE]; // number of the instruction, SHAPE_SC set where an SC succeeds
    unsigned steps;
    struct event events[THREAD_EVENTS];
    unsigned count;
    struct ordering fences[LITMUS_CODE];
    unsigned fence_count;
};
enum { SHAPE_SC = 0x80 };

// A register's value, and which events it depends on.
struct tracked {
    uint64_t value;
    bool known;
    uint32_t from;
};
uint64_t thread_compute(const struct litmus_instruction *insn, uint64_t a, uint64_t b); // integer arithmetic
bool thread_computes(const struct litmus_instruction *insn, bool a, bool b); // whether it is known, if a and b are
bool thread_branches(const struct litmus_instruction *insn, uint64_t a, uint64_t b);
uint64_t thread_amo(const struct litmus_instruction *insn, uint64_t memory, uint64_t x); // what it writes
unsigned thread_bytes(const struct litmus_instruction *insn);                            // of its access
uint64_t thread_extend(const struct litmus_instruction *insn, uint64_t value);           // as its rd gets it
static inline uint64_t thread_low(uint64_t value, unsigned bytes) {
    return value & UINT64_MAX >> (64 - 8 * bytes);
}

// ---- along a known path ----
// What is known of the values: of events that read, what they have read; it fills in what those that write write.
struct values {
    uint64_t read[THREAD_EVENTS], written[THREAD_EVENTS];
    uint32_t read_known, written_known; // bits
};
// False: the path is not that of these values (another branch, another address). x: registers at the end, or NULL.
bool thread_follow(const struct litmus_test *t, unsigned thread, const struct shape *shape, struct values *values,
                   uint64_t x[LITMUS_REGISTERS]);

// What memory holds there before; false: some of it is no location's.
bool litmus_initial(const struct litmus_test *t, uint64_t address, unsigned bytes, uint64_t *value);

// ---- all paths ----
struct shapes {
    struct shape *list;
    size_t count, capacity;
};
// Those of each thread, for all values that loads may have. False with err; shapes_free in any case.
bool shapes_find(const struct litmus_test *t, const char *path, struct shapes shapes[LITMUS_THREADS],
                 struct error *err);
void shapes_free(struct shapes shapes[LITMUS_THREADS]);

#endif
