// Mean shift over a grey picture, an image kernel: each point moves to the mean of its like in the window around it, at
// places rounded by floor and ceil. Those are as glibc has them for RISC-V: they save the floating-point flags and
// restore them, so that no caller sees "inexact". FIXED: they do not, as nothing here reads the flags.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 12, WINDOW = 2, STEPS = 2, LIKE = 30 };
static double picture[MOST][MOST];

struct mean {
    double x, y, value;
};

#ifdef FIXED
#define SAVE(flags) (void)(flags)
#define RESTORE(flags) (void)(flags)
#else
#define SAVE(flags) __asm__ volatile("frflags %0" : "=r"(flags))
#define RESTORE(flags) __asm__ volatile("fsflags %0" ::"r"(flags)) // cause
#endif

// Of numbers so large that they are whole already, the value itself.
#define ROUNDED(name, mode)                                                                                            \
    static __attribute__((noinline)) double name(double x) {                                                           \
        int64_t whole;                                                                                                 \
        double result, size = __builtin_fabs(x);                                                                       \
        int flags = 0;                                                                                                 \
        if (!(size < 4503599627370496.0)) return x;                                                                    \
        SAVE(flags);                                                                                                   \
        __asm__ volatile("fcvt.l.d %0, %1, " mode : "=r"(whole) : "f"(x));                                             \
        __asm__ volatile("fcvt.d.l %0, %1, " mode : "=f"(result) : "r"(whole));                                        \
        result = __builtin_copysign(result, x);                                                                        \
        RESTORE(flags);                                                                                                \
        return result;                                                                                                 \
    }
ROUNDED(round_down, "rdn")
ROUNDED(round_up, "rup")

static double nearest(double x) {
    return x - round_down(x) < round_up(x) - x ? round_down(x) : round_up(x);
}

static double grey(int n, double x, double y) {
    int u = (int)nearest(x), v = (int)nearest(y);
    return picture[v < 0 ? 0 : v >= n ? n - 1 : v][u < 0 ? 0 : u >= n ? n - 1 : u];
}

// One step of a point: the mean of place and value over what is like it within the window.
static __attribute__((noinline)) void shift(int n, struct mean *mean) {
    struct mean sum = {0, 0, 0};
    double count = 0;
    for (int v = -WINDOW; v <= WINDOW; v++)
        for (int u = -WINDOW; u <= WINDOW; u++) {
            if (u * u + v * v > WINDOW * WINDOW) continue;
            double value = grey(n, mean->x + u, mean->y + v), off = value - mean->value;
            if (off * off > LIKE * LIKE) continue;
            sum.x += mean->x + u, sum.y += mean->y + v, sum.value += value;
            count += 1;
        }
    if (count > 0) *mean = (struct mean){sum.x / count, sum.y / count, sum.value / count};
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : MOST;
    uint64_t seed = 88172645463325252u;
    double sum = 0;
    if (n < 1 || n > MOST) return 2;
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            picture[v][u] = (double)((u / 4 + v / 4) % 4 * 40 + (int)(seed >> 40 & 15));
        }
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            struct mean mean = {u, v, picture[v][u]};
            for (int step = 0; step < STEPS; step++)
                shift(n, &mean);
            sum += mean.value;
        }
    printf("%lld\n", (long long)(sum * 1000));
    return 0;
}
