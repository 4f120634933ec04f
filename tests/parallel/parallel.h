// What the kernels share: how all harts run one function, share numbers out, and wait for each other; sizes, random
// numbers. By tipoff_harts.h bare, by OpenMP where the compiler has it on (-fopenmp).
//
// All that waits is a function named sync_*, so that tools know synchronisation from work by symbols. A hart that
// waits spins; with -DPASSIVE it sleeps (wfi, woken by msip; with OpenMP it gives its processor away).
#ifndef PARALLEL_H
#define PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#define LINE __attribute__((aligned(64))) // of a cache
enum { MOST_HARTS = 16 };

// ---- the kernel's: all harts run it at once, `me` from 0 on; hart 0 prints. rounds: the program's argument, or usual
// ----
void kernel(unsigned me, unsigned harts, unsigned rounds);
extern const unsigned usual_rounds;

// ---- SIZE: 0 tiny, 1 small, 2 medium, 3 large ----
#ifndef SIZE
#define SIZE 0
#endif
#if SIZE == 0
#define BY_SIZE(tiny, small, medium, large) (tiny)
#elif SIZE == 1
#define BY_SIZE(tiny, small, medium, large) (small)
#elif SIZE == 2
#define BY_SIZE(tiny, small, medium, large) (medium)
#else
#define BY_SIZE(tiny, small, medium, large) (large)
#endif

// ---- [from, to) of n things is a hart's, or a part's ----
struct share {
    unsigned from, to;
};
static inline struct share share(unsigned n, unsigned part, unsigned parts) {
    return (struct share){(unsigned)((uint64_t)n * part / parts), (unsigned)((uint64_t)n * (part + 1) / parts)};
}

// The number of that index: splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
static inline uint64_t random_at(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// ---- a word that one hart advances and others wait for: from point to point ----
typedef struct {
    unsigned value LINE;
} sync_word;

void sync_wait(sync_word *word, unsigned value); // until it has come to value, or beyond it
void sync_advance(sync_word *word, unsigned value);

// ---- all harts of the kernel; in the order in which they come ----
void sync_barrier(void);

typedef struct {
    unsigned next LINE; // what the next hart to come waits for
    sync_word serving;
} sync_lock;

void sync_lock_take(sync_lock *lock);
void sync_lock_give(sync_lock *lock);

#endif
