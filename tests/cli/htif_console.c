// Speaks to its host by HTIF in the three ways that programs do: characters as riscv-test-env's v/vm.c prints them,
// system calls as in riscv-tests/benchmarks, and both again often enough that words leave the cache meanwhile. Exit
// code: what failed.
#include <stdint.h>

volatile uint64_t tohost __attribute__((section(".tohost"), aligned(64)));
volatile uint64_t fromhost __attribute__((section(".tohost"), aligned(64)));
static uint8_t thrash[64 * 1024]; // more than the L1 data cache

static void do_tohost(uint64_t value) {
    while (tohost)
        fromhost = 0;
    tohost = value;
}

static uint64_t call(uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
    volatile uint64_t magic[8] __attribute__((aligned(64)));
    magic[0] = number;
    magic[1] = a;
    magic[2] = b;
    magic[3] = c;
    __sync_synchronize();
    tohost = (uintptr_t)magic;
    while (fromhost == 0)
        ;
    fromhost = 0;
    __sync_synchronize();
    return magic[0];
}

static void print(const char *text) {
    for (; *text; text++)
        do_tohost(UINT64_C(0x0101000000000000) | (uint8_t)*text);
    while (tohost)
        ;
}

static int get(void) {
    do_tohost(UINT64_C(0x0100000000000000));
    while (fromhost == 0)
        ;
    uint64_t answer = fromhost;
    fromhost = 0;
    return answer >> 48 == 0x0100 ? answer & 0xff : -1;
}

static void evict(uint8_t seed) {
    for (unsigned i = 0; i < sizeof thrash; i += 64)
        thrash[i] += seed;
}

int main(void) {
    static const char text[] = "by system call\n";
    print("character by character\n");
    if (call(64, 1, (uintptr_t)text, sizeof text - 1) != sizeof text - 1) return 2;
    if (call(64, 1, (uintptr_t)text + 3, 0) != 0) return 3;
    if (call(64, 7, (uintptr_t)text, 1) != (uint64_t)-9) return 4; // EBADF
    if (call(64, 1, 0x10, 1) != (uint64_t)-14) return 5;           // EFAULT
    for (int i = 0; i < 3; i++) {
        print("*");
        evict(1);
        if (call(64, 1, (uintptr_t)text + i, 1) != 1) return 6;
        evict(2);
    }
    print("\n");
#ifdef READS
    char c;
    while ((c = (char)get()) != '.') {
#ifdef SLOW // instructions, and results of their own, between one byte and the next
        uint64_t result = (uint8_t)c;
        for (int i = 0; i < SLOW; i++)
            result = result * UINT64_C(6364136223846793005) + 1442695040888963407;
        result = '0' + (result >> 61);
        call(64, 1, (uintptr_t)&result, 1);
#endif
        call(64, 1, (uintptr_t)&c, 1);
    }
#endif
#ifdef CALL
    call(CALL, 42, 0, 0);
#endif
    return 41;
}

__asm__(".text\n .globl _start\n .type _start, @function\n_start: .option push\n .option norelax\n la gp, "
        "__global_pointer$\n"
        " .option pop\n la sp, __stack_top\n call main\n slli a0, a0, 1\n ori a0, a0, 1\n"
        " la a1, tohost\n sd a0, 0(a1)\n1: j 1b\n .size _start, . - _start");
