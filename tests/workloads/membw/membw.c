// Read bandwidth by footprint: streams over an array, footprints from 4 KiB on by powers of two. Prints hundredths of
// bytes a cycle, twice: with every word of the array read and summed, and with one word of each cache line.
//
// Each footprint is read once to bring it to where it fits, then its beginning is timed: the readers are opaque to the
// compiler (noipa), which would leave out a first reading whose sum nobody wants. Checked in closed form: word i of the
// array is i + 7, written once at the start.
#include "runtime.h"

#define LARGEST SIZED(14u, 17u, 24u) // log2 of bytes: 16 KiB, 128 KiB, 16 MiB
#define TIMED SIZED(14u, 16u, 18u)   // at most this much of an array is timed
enum { SMALLEST = 12, LINE = 8, FIRST = 7 };

static uint64_t array[(1u << LARGEST) / sizeof(uint64_t)] __attribute__((aligned(4096)));

static inline uint64_t cycles_now(void) {
    uint64_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
    return cycles;
}

__attribute__((noipa)) static uint64_t sum_words(const uint64_t *a, size_t count) {
    uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (size_t i = 0; i < count; i += LINE) {
        s0 += a[i] + a[i + 4];
        s1 += a[i + 1] + a[i + 5];
        s2 += a[i + 2] + a[i + 6];
        s3 += a[i + 3] + a[i + 7];
    }
    return s0 + s1 + s2 + s3;
}

__attribute__((noipa)) static uint64_t sum_lines(const uint64_t *a, size_t count) {
    uint64_t s0 = 0, s1 = 0;
    for (size_t i = 0; i < count; i += 4 * LINE) {
        s0 += a[i] + a[i + LINE];
        s1 += a[i + 2 * LINE] + a[i + 3 * LINE];
    }
    return s0 + s1;
}

// Sum of FIRST + i for i = 0, step, 2 step, ... below count.
static uint64_t expected(uint64_t count, uint64_t step) {
    uint64_t terms = count / step;
    return FIRST * terms + step * (terms * (terms - 1) / 2);
}

struct timed {
    uint64_t sum, hundredths;
};

static struct timed measure(uint64_t (*sum)(const uint64_t *, size_t), size_t count) {
    size_t part = count < (1u << TIMED) / sizeof(uint64_t) ? count : (1u << TIMED) / sizeof(uint64_t);
    sum(array, count);
    uint64_t start = cycles_now(), result = sum(array, part);
    return (struct timed){result, part * sizeof(uint64_t) * 100 / (cycles_now() - start)};
}

int main(void) {
    uint64_t digest = 0;
    bool ok = true;
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        array[i] = FIRST + i;
    for (unsigned size = SMALLEST; size <= LARGEST; size++) {
        size_t count = (1u << size) / sizeof(uint64_t);
        size_t part = size < TIMED ? count : (1u << TIMED) / sizeof(uint64_t);
        struct timed words = measure(sum_words, count), lines = measure(sum_lines, count);
        ok = ok && words.sum == expected(part, 1) && lines.sum == expected(part, LINE);
        digest = digest * 31 + words.sum + lines.sum;
        console_printf("bandwidth bytes=%lu words=%lu.%02lu lines=%lu.%02lu\n", 1ul << size, words.hundredths / 100,
                       words.hundredths % 100, lines.hundredths / 100, lines.hundredths % 100);
    }
    return workload_result(digest, ok);
}
