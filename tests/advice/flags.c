// Clears the floating-point flags around each operation, as ceil and floor do: that flushes the pipeline each time.
// FIXED: once around them all.
#include "advice.h"

enum { LENGTH = 1024, ROUNDS = 4 };
static double values[LENGTH];

static __attribute__((noinline)) void halve(void) {
#ifdef FIXED
    __asm__ volatile("csrw fflags, zero" ::: "memory");
#endif
    for (int i = 0; i < LENGTH; i++) {
#ifndef FIXED
        __asm__ volatile("csrw fflags, zero" ::: "memory"); // cause
#endif
        values[i] *= 0.5;
    }
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        values[i] = (double)(i << 4 & 0xff0);
    for (int r = 0; r < ROUNDS; r++)
        halve();
    for (int i = 0; i < LENGTH; i += 16)
        sum += values[i];
    return result((uint64_t)sum);
}
