// Conjugate gradients: a sparse, symmetric matrix with neighbours that lie anywhere, rows by hart. After the kernel of
// that name of the NAS parallel benchmarks.
//
// Each round solves A x = A v for another v of known sum. Prints the sum of all x, which is that of all v, and whether
// every x was that near to its v. Sums are made by parts of the rows, in their order: the same for any number of harts.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(128, 1024, 4096, 16384), PAIRS = 6, ENTRIES = 2 * PAIRS + 1, PARTS = 64, STEPS = 25 };
const unsigned usual_rounds = BY_SIZE(1, 2, 5, 13);

static double value[N][ENTRIES];
static uint32_t column[N][ENTRIES];
static double x[N], r[N], p[N], q[N], v[N];
static double part[3][PARTS] LINE;

// Row i stands for place i * 5 + 3 of a ring, whose neighbours at six distances are its entries: symmetric, for a
// distance is the same in both directions; and dominated by the diagonal.
static void make_row(unsigned row) {
    static const unsigned inverse = 0xcccccccd; // of 5, modulo a power of two
    const unsigned place = row * 5 + 3;
    double sum = 1;
    unsigned entry = 0;
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        const unsigned distance = (unsigned)(random_at(pair) % (N / 2 - 1)) + 1;
        const double weight = 1.0 / (pair + 1);
        for (unsigned side = 0; side < 2; side++, entry++) {
            column[row][entry] = ((side ? place - distance : place + distance) - 3) * inverse % N;
            value[row][entry] = -weight;
            sum += weight;
        }
    }
    column[row][entry] = row;
    value[row][entry] = sum;
}

static void multiply(const double *from, double *to, struct share rows) {
    for (unsigned row = rows.from; row < rows.to; row++) {
        double sum = 0;
        for (unsigned entry = 0; entry < ENTRIES; entry++)
            sum += value[row][entry] * from[column[row][entry]];
        to[row] = sum;
    }
}

static double dot(const double *a, const double *b, double *parts, struct share mine) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        const struct share rows = share(N, i, PARTS);
        parts[i] = 0;
        for (unsigned row = rows.from; row < rows.to; row++)
            parts[i] += a[row] * b[row];
    }
    sync_barrier();
    double sum = 0;
    for (unsigned i = 0; i < PARTS; i++)
        sum += parts[i];
    return sum;
}

static void solve(struct share parts, struct share rows) {
    double rho = dot(r, r, part[0], parts);
    for (unsigned step = 0; step < STEPS; step++) {
        multiply(p, q, rows);
        const double alpha = rho / dot(p, q, part[1], parts);
        for (unsigned row = rows.from; row < rows.to; row++) {
            x[row] += alpha * p[row];
            r[row] -= alpha * q[row];
        }
        const double before = rho;
        rho = dot(r, r, part[step % 2 ? 0 : 2], parts);
        for (unsigned row = rows.from; row < rows.to; row++)
            p[row] = r[row] + rho / before * p[row];
        sync_barrier();
    }
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share parts = share(PARTS, me, harts);
    const struct share rows = {share(N, parts.from, PARTS).from, share(N, parts.to - 1, PARTS).to};
    static double sums[MOST_HARTS];
    static unsigned far[MOST_HARTS];
    for (unsigned row = rows.from; row < rows.to; row++)
        make_row(row);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned row = rows.from; row < rows.to; row++) {
            v[row] = 1 + (row + round) % 4;
            x[row] = 0;
        }
        sync_barrier();
        multiply(v, r, rows);
        for (unsigned row = rows.from; row < rows.to; row++)
            p[row] = r[row];
        sync_barrier();
        solve(parts, rows);
        for (unsigned row = rows.from; row < rows.to; row++) {
            sums[me] += x[row];
            far[me] += !(fabs(x[row] - v[row]) < 1e-4);
        }
    }
    sync_barrier();
    double sum = 0;
    unsigned all = 0;
    for (unsigned hart = 0; hart < harts; hart++) {
        sum += sums[hart];
        all += far[hart];
    }
    if (me == 0) printf("cg %.3f, %u far off\n", sum, all);
}
