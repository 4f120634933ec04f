// What the programs of docs/results/advice.md share. Each is built twice: as it is, and with FIXED as the report
// advises. The line that is the cause ends in "// cause"; both print the same.
#ifndef TIPOFF_TESTS_ADVICE_H
#define TIPOFF_TESTS_ADVICE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static inline uint32_t draw(void) {
    static uint64_t seed = 88172645463325252u;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32);
}

// The value, opaque to the compiler from here on.
static inline int64_t opaque(int64_t value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

// The compiler has to take it that memory has changed: what is called again is not what it was.
static inline void forget(void) {
    __asm__ volatile("" ::: "memory");
}

static inline int result(uint64_t value) {
    printf("%llu\n", (unsigned long long)value);
    return 0;
}

#endif
