// A test as a bare-metal program, for a number of iterations: each has its own copy of all locations, and a row of
// numbers for each thread: what its registers hold before, how long it waits, what its registers hold after.
#ifndef TIPOFF_LITMUS_PROGRAM_H
#define TIPOFF_LITMUS_PROGRAM_H

#include "litmus/litmus.h"
#include "litmus/test.h"

struct litmus_random { // xorshift64* (Vigna, 2014); not 0
    uint64_t state;
};
static inline uint64_t litmus_below(struct litmus_random *r, uint64_t limit) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (r->state * UINT64_C(0x2545f4914f6cdd1d) >> 32) % limit;
}

struct litmus_program {
    uint8_t *memory; // of the machine, from PROGRAM_BASE on
    size_t bytes;
    unsigned iterations;
    uint64_t *places; // addresses of the locations, location_count of them for each iteration
    uint64_t most;    // instructions that it takes at most, as harts take turns
};
enum { PROGRAM_ITERATIONS = 1000 }; // of one program, at most

// False with err. Harts, at least as many as threads, get threads at random. extents: bytes of each location that the
// test may access. litmus_program_free in any case.
bool litmus_program_make(struct litmus_program *p, const struct litmus_test *t, unsigned harts, unsigned iterations,
                         const uint64_t extents[LITMUS_LOCATIONS], struct litmus_random *random, const char *path,
                         struct error *err);
void litmus_program_free(struct litmus_program *p);
extern const uint64_t litmus_program_base;
// A file descriptor, the caller's to close; -1 with err.
int litmus_program_file(const struct litmus_program *p, const char *path, struct error *err);
// After the run, which has filled p->memory: the items' values, as of an enumerated state.
void litmus_program_state(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration,
                          uint64_t values[LITMUS_ITEMS]);

#endif
