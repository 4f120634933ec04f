// How the harts of a kernel begin, wait for each other and end: bare, or with OpenMP.
#include "parallel.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#include <sched.h>
#else
#include <tipoff_harts.h>
#endif

#define SYNC __attribute__((noinline)) // a symbol of its own

static bool has_come(const sync_word *word, unsigned value) {
    return (int)(__atomic_load_n(&word->value, __ATOMIC_ACQUIRE) - value) >= 0;
}

#ifdef _OPENMP
SYNC void sync_wait(sync_word *word, unsigned value) {
    while (!has_come(word, value)) {
#ifdef PASSIVE
        sched_yield();
#endif
    }
}

SYNC void sync_advance(sync_word *word, unsigned value) {
    __atomic_store_n(&word->value, value, __ATOMIC_RELEASE);
}

SYNC void sync_barrier(void) {
#pragma omp barrier
}

#else

#ifdef PASSIVE
#define MSIP ((volatile uint32_t *)0x2000000) // CLINT: a word a hart
static unsigned sleepers LINE; // a bit a hart: who is to be woken when a word advances

// Whoever advances a word looks for sleepers after it, and who sleeps looks at the word after it has said so: with a
// fence between, one of them sees the other. msip stays set until its hart has woken, so that no call is lost.
SYNC void sync_wait(sync_word *word, unsigned value) {
    if (has_come(word, value)) return;
    const unsigned long hart = tipoff_hart();
    __asm__ volatile("csrwi mie, 8"); // MSIE: wakes from wfi; mstatus.MIE is clear, no trap is taken
    __atomic_fetch_or(&sleepers, 1u << hart, __ATOMIC_SEQ_CST);
    __asm__ volatile("fence" ::: "memory");
    while (!has_come(word, value)) {
        __asm__ volatile("wfi" ::: "memory");
        MSIP[hart] = 0;
        __asm__ volatile("fence" ::: "memory");
    }
    __atomic_fetch_and(&sleepers, ~(1u << hart), __ATOMIC_SEQ_CST);
}

SYNC void sync_advance(sync_word *word, unsigned value) {
    __atomic_store_n(&word->value, value, __ATOMIC_RELEASE);
    __asm__ volatile("fence" ::: "memory");
    unsigned left = __atomic_load_n(&sleepers, __ATOMIC_RELAXED) & ~(1u << tipoff_hart());
    for (unsigned hart = 0; left; hart++, left >>= 1)
        if (left & 1) MSIP[hart] = 1;
}
#else
SYNC void sync_wait(sync_word *word, unsigned value) {
    while (!has_come(word, value))
        ;
}

SYNC void sync_advance(sync_word *word, unsigned value) {
    __atomic_store_n(&word->value, value, __ATOMIC_RELEASE);
}
#endif

static unsigned all, all_rounds, come LINE;
static sync_word barriers, begun;

SYNC void sync_barrier(void) {
    const unsigned before = __atomic_load_n(&barriers.value, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&come, 1, __ATOMIC_ACQ_REL) < all) {
        sync_wait(&barriers, before + 1);
    } else {
        __atomic_store_n(&come, 0, __ATOMIC_RELAXED);
        sync_advance(&barriers, before + 1);
    }
}

void tipoff_hart_main(unsigned long hart) {
    sync_wait(&begun, 1);
    kernel((unsigned)hart, all, all_rounds);
    sync_barrier();
}
#endif

SYNC void sync_lock_take(sync_lock *lock) {
    sync_wait(&lock->serving, __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED));
}

SYNC void sync_lock_give(sync_lock *lock) {
    sync_advance(&lock->serving, lock->serving.value + 1);
}

int main(int argc, char **argv) {
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : usual_rounds;
    if (rounds == 0) {
        printf("the argument is the number of rounds, from 1 on\n");
        return 2;
    }
#ifdef _OPENMP
#pragma omp parallel
    kernel((unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads(), rounds);
#else
    all = tipoff_harts();
    all_rounds = rounds;
    sync_advance(&begun, 1);
    kernel((unsigned)tipoff_hart(), all, rounds);
    sync_barrier();
#endif
    return 0;
}
