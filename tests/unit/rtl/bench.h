// What every RTL unit test needs: counted checks, a random source with a printed seed, the closing line.
//
// A test calls bench_seed() once, bench_check() for each fact, and returns bench_end() from main. Only the first
// failures are printed.
#ifndef TIPOFF_BENCH_H
#define TIPOFF_BENCH_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long bench_passed, bench_failed;
static uint64_t bench_state;

// splitmix64
static inline uint64_t bench_random(void) {
    uint64_t z = (bench_state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Seed from the first argument, else `seed`; printed so that a run can be repeated.
static inline uint64_t bench_seed(int argc, char **argv, uint64_t seed) {
    if (argc > 1) seed = strtoull(argv[1], NULL, 0);
    printf("seed %llu\n", (unsigned long long)seed);
    bench_state = seed;
    bench_state = bench_random(); // else neighbouring seeds give the same numbers, shifted by one
    return seed;
}

// 0 .. n-1
static inline unsigned bench_below(unsigned n) {
    return (unsigned)(bench_random() % n);
}

__attribute__((format(printf, 2, 3))) static inline bool bench_check(bool ok, const char *format, ...) {
    if (ok) {
        bench_passed++;
        return true;
    }
#ifdef BENCH_FIRST_FAILURE_ENDS // one is all that a run on a mutant has to find
    exit(1);
#endif
    if (bench_failed++ < 20) {
        va_list args;
        va_start(args, format);
        fputs("FAILED: ", stdout);
        vprintf(format, args);
        putchar('\n');
        va_end(args);
    }
    return false;
}

static inline int bench_end(void) {
    printf("%lu passed, %lu failed\n", bench_passed, bench_failed);
    return bench_failed != 0 || bench_passed == 0;
}

#endif
