// A dot product, each addition waiting for the one before. FIXED: four sums side by side. The numbers are whole, so
// that the order of the additions does not matter.
#include "advice.h"

enum { LENGTH = 256, ROUNDS = 64 };
static double x[LENGTH], y[LENGTH];

static __attribute__((noinline)) double dot(void) {
#ifdef FIXED
    double a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < LENGTH; i += 4) {
        a += x[i] * y[i];
        b += x[i + 1] * y[i + 1];
        c += x[i + 2] * y[i + 2];
        d += x[i + 3] * y[i + 3];
    }
    return (a + b) + (c + d);
#else
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += x[i] * y[i]; // cause
    return sum;
#endif
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        x[i] = (double)(draw() & 63);
        y[i] = (double)(draw() & 63);
    }
    for (int r = 0; r < ROUNDS; r++, forget())
        sum += dot();
    return result((uint64_t)sum);
}
