// Harts of a program that tipoff-cc has built: each other one has a stack and thread-local data of its own, and adds to
// a sum.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 1000 };
static _Thread_local uint64_t mine = 5, zero;
static _Thread_local _Alignas(4096) uint64_t aligned; // more than a stack is
static volatile uint64_t sum, done, stacks, harts, pages;

static uint64_t work(unsigned long hart) {
    volatile uint64_t here[64]; // on its stack
    for (unsigned i = 0; i < 64; i++)
        here[i] = hart;
    for (unsigned i = 0; i < PARTS; i++) {
        mine += here[i % 64];
        zero += 1.0 > 0.5;
    }
    errno = (int)hart; // thread-local, too
    return mine + zero;
}

void tipoff_hart_main(unsigned long hart) {
    __atomic_fetch_add(&sum, work(hart), __ATOMIC_RELAXED);
    __atomic_fetch_add(&stacks, (uint64_t)errno == hart, __ATOMIC_RELAXED);
    uintptr_t place = (uintptr_t)&aligned;
    asm("" : "+r"(place)); // gcc takes it for what it was declared as
    __atomic_fetch_add(&pages, place % 4096 == 0 && aligned == 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
}

int main(int argc, char **argv) {
    harts = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    errno = 77;
    const uint64_t own = work(0);
    errno = 78;
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) != harts - 1)
        ;
    printf("%d harts: sum %d, %d with an errno of their own, mine %d, %d aligned\n", (int)harts, (int)(own + sum),
           (int)stacks, errno, (int)pages);
    return 0;
}
