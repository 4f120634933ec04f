// Three loops of different concurrency (ProfileMe, MICRO 1997, figure 7): the longest latency is not where most issue
// slots are wasted.
//
//   serial  a chain of multiplications: each waits for the one before it, and the slots beside it stay empty
//   two     such a chain, and another one of additions beside it
//   wide    multiplications and additions that nothing waits for: most slots are used. It runs so often that its
//   latencies are the
//           longest of all
#include <stdint.h>

enum { ROUNDS = 7500 };

__attribute__((noipa)) static void serial(uint64_t rounds) {
    uint64_t x = 3;
    for (uint64_t i = 0; i < rounds; i++)
        __asm__ volatile(".rept 8\n mul %0, %0, %0\n .endr" : "+r"(x));
}

__attribute__((noipa)) static void two(uint64_t rounds) {
    uint64_t x = 3, y = 5;
    for (uint64_t i = 0; i < rounds; i++)
        __asm__ volatile(".rept 8\n mul %0, %0, %0\n addi %1, %1, 1\n xori %1, %1, 5\n .endr" : "+r"(x), "+r"(y));
}

__attribute__((noipa)) static void wide(uint64_t rounds) {
    for (uint64_t i = 0; i < rounds; i++)
        __asm__ volatile(".rept 8\n mul t0, %0, %0\n addi t1, %0, 1\n .endr" : : "r"(i) : "t0", "t1");
}

int main(void) {
    serial(ROUNDS);
    two(2 * ROUNDS);
    wide(12 * ROUNDS);
    return 0;
}
