// Mandelbrot set: how many iterations each point of a grid stays within the circle of radius 2. A chain of
// multiplications whose end is a comparison.
#include "fp.h"

#define SIDE SIZED(16, 52, 160)
enum { LIMIT = 100 };

static int escape(double cr, double ci) {
    double zr = 0, zi = 0;
    for (int i = 0; i < LIMIT; i++) {
        double rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4) return i;
        zi = 2 * zr * zi + ci;
        zr = rr - ii + cr;
    }
    return LIMIT;
}

int main(void) {
    uint64_t digest = DIGEST_START;
    int inside = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int count = escape(-2 + 2.5 * x / SIDE, -1.25 + 2.5 * y / SIDE);
            inside += count == LIMIT;
            digest = digest_add(digest, count);
        }
    return workload_result(digest, inside > 0 && inside < SIDE * SIDE);
}
