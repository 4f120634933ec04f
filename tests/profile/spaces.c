// Two processes, at the same virtual addresses, do the same work a different number of times: for
// tests/profile/test_spaces.py, which knows what share of the time each must have.
#include "supervisor.h"

PROGRAM(.frames = 40, .processes = 2);

enum { ROUNDS = 20, DIVISIONS = 50, MORE = 3 }; // process 1 does MORE times as many

// Divisions that wait for each other: hundreds of times longer than what is around them.
__attribute__((noinline)) uint64_t work(uint64_t x, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        __asm__ volatile("divu %0, %1, %0" : "+r"(x) : "r"(UINT64_MAX));
    return x;
}

int main(int process) {
    uint64_t x = 3;
    for (unsigned round = 0; round < ROUNDS; round++) {
        x = work(x | 3, process ? MORE * DIVISIONS : DIVISIONS);
        syscall3(SYS_YIELD, 0, 0, 0);
    }
    return x == 0;
}
