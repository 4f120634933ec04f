// A program of three parts for tests/profile/test_windows.py: it divides, adds, and divides again, each in a function
// of its own.
#include <stdint.h>

#define NOINLINE __attribute__((noinline, noclone))
enum { DIVISIONS = 1500, ADDITIONS = 9000 };

NOINLINE static uint64_t divide(uint64_t x) {
    for (unsigned i = 0; i < DIVISIONS; i++)
        __asm__ volatile("divu %0, %1, %0" : "+r"(x) : "r"(UINT64_MAX));
    return x;
}

NOINLINE static uint64_t add(uint64_t x) {
    for (unsigned i = 0; i < ADDITIONS; i++)
        __asm__ volatile("add %0, %0, %0\n\taddi %0, %0, 1" : "+r"(x));
    return x;
}

int main(void) {
    return divide(add(divide(3))) == 0;
}
