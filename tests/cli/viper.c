// Markers of all classes on one hart: a parallel region by the name that GCC gives such functions, in it a loop with a
// call, and a loop in what is called.
#include <stdio.h>

enum { REGIONS = 30, TASKS = 10, ROUNDS = 40 };
static unsigned table[ROUNDS], total;

static void region(unsigned n) __asm__("main._omp_fn.0");

__attribute__((noinline)) static unsigned task(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        __asm__ volatile("" : "+r"(sum));
        sum += table[i] * n;
    }
    return sum;
}

__attribute__((noinline)) static void region(unsigned n) {
    for (unsigned i = 0; i < TASKS; i++)
        total += task(n + i);
}

int main(void) {
    for (unsigned i = 0; i < REGIONS; i++)
        region(i);
    printf("%u\n", total);
    return 0;
}
