// Streaming kernels over three arrays: copy, scale, add, triad, with 64-bit integers. At size large the arrays together
// are larger than the last-level cache.
//
// Checked in closed form: every element stays a linear function of its index, so two coefficients follow each array.
#include "runtime.h"

#define COUNT SIZED(2048u, 16384u, 131072u) // 16 KiB, 128 KiB, 1 MiB an array
enum { ROUNDS = SIZED(1, 2, 2), SCALE = 3 };

static uint64_t a[COUNT], b[COUNT], c[COUNT];
struct line {
    uint64_t slope, offset;
};

static void copy(void) {
    for (size_t i = 0; i < COUNT; i++)
        c[i] = a[i];
}
static void scale(void) {
    for (size_t i = 0; i < COUNT; i++)
        b[i] = SCALE * c[i];
}
static void add(void) {
    for (size_t i = 0; i < COUNT; i++)
        c[i] = a[i] + b[i];
}
static void triad(void) {
    for (size_t i = 0; i < COUNT; i++)
        a[i] = b[i] + SCALE * c[i];
}

static struct line combine(struct line x, struct line y, uint64_t factor) {
    return (struct line){x.slope + factor * y.slope, x.offset + factor * y.offset};
}

static bool holds(const uint64_t *array, struct line line) {
    uint64_t wrong = 0, expected = line.offset;
    for (size_t i = 0; i < COUNT; i++, expected += line.slope)
        wrong |= array[i] ^ expected;
    return wrong == 0;
}

int main(void) {
    const struct line zero = {0, 0};
    struct line la = {1, 7}, lb = zero, lc = zero;
    for (size_t i = 0; i < COUNT; i++)
        a[i] = i + 7;
    for (int round = 0; round < ROUNDS; round++) {
        copy(), lc = la;
        scale(), lb = combine(zero, lc, SCALE);
        add(), lc = combine(la, lb, 1);
        triad(), la = combine(lb, lc, SCALE);
    }
    bool ok = holds(a, la) && holds(b, lb) && holds(c, lc);
    return workload_result(a[COUNT - 1], ok && la.slope != 0);
}
