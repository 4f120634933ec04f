// Several harts that work by turns of two kinds, and wait for each other in a function that is named after it.
#include <stdio.h>
#include <tipoff_harts.h>

enum { ROUNDS = 40, WORDS = 256, MOST = 16 };
static tipoff_barrier barrier;
static unsigned long table[WORDS], sums[MOST];

__attribute__((noinline)) void sync_barrier(unsigned harts) {
    tipoff_barrier_wait(&barrier, harts);
}

__attribute__((noinline)) static unsigned long adds(unsigned long sum) {
    for (unsigned i = 0; i < 300; i++)
        sum += table[i % WORDS];
    return sum;
}

__attribute__((noinline)) static unsigned long multiplies(unsigned long sum) {
    for (unsigned i = 0; i < 150; i++)
        sum = sum * 3 + table[i % WORDS];
    return sum;
}

__attribute__((noinline)) static void rounds(unsigned long hart, unsigned harts) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        sums[hart] = round / 4 % 2 ? adds(sums[hart]) : multiplies(sums[hart]);
        sync_barrier(harts);
    }
}

void tipoff_hart_main(unsigned long hart) {
    rounds(hart, tipoff_harts());
    for (;;)
        __asm__ volatile("wfi");
}

int main(void) {
    for (unsigned i = 0; i < WORDS; i++)
        table[i] = i;
    rounds(0, tipoff_harts());
    printf("%lu\n", sums[0]);
    return 0;
}
