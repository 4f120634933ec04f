// Fourier transforms of a cube: along lines of each direction, the lines by hart, whoever needs them next; a step in
// frequencies, and back. After the kernel of that name of the NAS parallel benchmarks.
//
// The step is a turn of each frequency that shifts the cube by 1, 2 and 3 places: what comes back has the same values,
// elsewhere. Prints the sum of each value, a whole number, times its place, modulo 2^64, and how many are none.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { BITS = BY_SIZE(3, 4, 5, 6), N = 1 << BITS, DIRECTIONS = 3 };
const unsigned usual_rounds = BY_SIZE(1, 3, 4, 3);

struct number {
    double real, imaginary;
};
static const double PI = 3.14159265358979323846;

static struct number cube[N][N][N];
static struct number turns[N]; // of a circle
static uint64_t sums[MOST_HARTS];
static unsigned broken[MOST_HARTS];

static unsigned reversed(unsigned i) {
    unsigned result = 0;
    for (unsigned bit = 0; bit < BITS; bit++)
        result |= (i >> bit & 1) << (BITS - 1 - bit);
    return result;
}

static struct number times(struct number a, struct number b) {
    return (struct number){a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

// A line, in place: Cooley and Tukey's, halves by halves.
static void transform(struct number *line, bool back) {
    for (unsigned half = 1; half < N; half *= 2)
        for (unsigned from = 0; from < N; from += 2 * half)
            for (unsigned i = 0; i < half; i++) {
                struct number turn = turns[i * (N / 2 / half)], *low = &line[from + i], *high = low + half;
                if (back) turn.imaginary = -turn.imaginary;
                const struct number other = times(*high, turn);
                *high = (struct number){low->real - other.real, low->imaginary - other.imaginary};
                *low = (struct number){low->real + other.real, low->imaginary + other.imaginary};
            }
}

static struct number *place(unsigned direction, unsigned a, unsigned b, unsigned i) {
    return direction == 0 ? &cube[a][b][i] : direction == 1 ? &cube[a][i][b] : &cube[i][a][b];
}

// Each hart its own lines of that direction.
static void transform_all(unsigned direction, bool back, struct share mine) {
    struct number line[N];
    for (unsigned a = mine.from; a < mine.to; a++)
        for (unsigned b = 0; b < N; b++) {
            for (unsigned i = 0; i < N; i++)
                line[reversed(i)] = *place(direction, a, b, i);
            transform(line, back);
            for (unsigned i = 0; i < N; i++)
                *place(direction, a, b, i) = line[i];
        }
    sync_barrier();
}

static void shift(struct share mine) {
    for (unsigned z = mine.from; z < mine.to; z++)
        for (unsigned y = 0; y < N; y++)
            for (unsigned x = 0; x < N; x++) {
                const struct number turned = times(cube[z][y][x], turns[(x + 2 * y + 3 * z) % N]);
                cube[z][y][x] = (struct number){turned.real / (N * N * N), turned.imaginary / (N * N * N)};
            }
    sync_barrier();
}

static void begin(struct share mine) {
    for (unsigned z = mine.from; z < mine.to; z++) {
        turns[z] = (struct number){cos(2 * PI * z / N), -sin(2 * PI * z / N)};
        for (unsigned y = 0; y < N; y++)
            for (unsigned x = 0; x < N; x++)
                cube[z][y][x] = (struct number){(double)(random_at((z * N + y) * N + x) % 1000), 0};
    }
    sync_barrier();
}

static void look(struct share mine, unsigned me) {
    for (unsigned z = mine.from; z < mine.to; z++)
        for (unsigned y = 0; y < N; y++)
            for (unsigned x = 0; x < N; x++) {
                const double real = cube[z][y][x].real, whole = rint(real);
                broken[me] += !(fabs(real - whole) < 1e-6 && fabs(cube[z][y][x].imaginary) < 1e-6);
                sums[me] += (uint64_t)(int64_t)whole * ((z * N + y) * N + x);
            }
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    begin(mine);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned direction = 0; direction < DIRECTIONS; direction++)
            transform_all(direction, false, mine);
        shift(mine);
        for (unsigned direction = DIRECTIONS; direction-- > 0;)
            transform_all(direction, true, mine);
    }
    look(mine, me);
    uint64_t sum = 0;
    unsigned all = 0;
    for (unsigned hart = 0; hart < harts; hart++) {
        sum += sums[hart];
        all += broken[hart];
    }
    if (me == 0) printf("ft %llu, %u broken\n", (unsigned long long)sum, all);
}
