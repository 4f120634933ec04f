// Mean shift over a grey image: each start walks to the mean of the window around it, weighted by brightness, until it
// comes to rest. Window borders are floors and ceilings of real numbers.
//
// They are made in two ways. floor_flags and ceil_flags do as C libraries do: save the exception flags, round, and put
// the flags back, so that "inexact" is not raised: two accesses of fcsr each. floor_plain and ceil_plain only round.
// One half of the starts uses the one way, one half the other: the results do not differ, the time does.
#include "fp.h"

#define SIDE SIZED(24, 40, 64)
#define STARTS SIZED(24, 300, 3000)
enum { RADIUS = 3, WALK = 6 };

static double image[SIDE][SIDE];

static double round_down(double x) {
    int64_t n;
    __asm__ volatile("fcvt.l.d %0, %1, rdn" : "=r"(n) : "f"(x));
    return (double)n;
}
static double round_up(double x) {
    int64_t n;
    __asm__ volatile("fcvt.l.d %0, %1, rup" : "=r"(n) : "f"(x));
    return (double)n;
}

static uint64_t save_flags(void) {
    uint64_t flags;
    __asm__ volatile("frflags %0" : "=r"(flags));
    return flags;
}
static void restore_flags(uint64_t flags) {
    __asm__ volatile("fsflags %0" ::"r"(flags));
}

__attribute__((noinline)) static double floor_flags(double x) {
    uint64_t flags = save_flags();
    double result = round_down(x);
    restore_flags(flags);
    return result;
}
__attribute__((noinline)) static double ceil_flags(double x) {
    uint64_t flags = save_flags();
    double result = round_up(x);
    restore_flags(flags);
    return result;
}
__attribute__((noinline)) static double floor_plain(double x) {
    return round_down(x);
}
__attribute__((noinline)) static double ceil_plain(double x) {
    return round_up(x);
}

struct point {
    double x, y;
};

static double clamp(double v) {
    return v < 0 ? 0 : v > SIDE - 1 ? SIDE - 1 : v;
}

static struct point walk(struct point p, double (*down)(double), double (*up)(double)) {
    for (int i = 0; i < WALK; i++) {
        double total = 0, sx = 0, sy = 0;
        for (double y = clamp(up(p.y - RADIUS)); y <= clamp(down(p.y + RADIUS)); y += 1)
            for (double x = clamp(up(p.x - RADIUS)); x <= clamp(down(p.x + RADIUS)); x += 1) {
                double w = image[(int)y][(int)x];
                total += w;
                sx += w * x;
                sy += w * y;
            }
        struct point mean = {sx / total, sy / total};
        double dx = mean.x - p.x, dy = mean.y - p.y;
        p = mean;
        if (dx * dx + dy * dy < 0.0001) break;
    }
    return p;
}

int main(void) {
    uint64_t seed = 0x3ea5, digest = DIGEST_START;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            image[y][x] = random_uniform(&seed) + 0.125;
    bool ok = true;
    for (int i = 0; i < STARTS; i++) {
        struct point start = {random_uniform(&seed) * (SIDE - 1), random_uniform(&seed) * (SIDE - 1)};
        struct point end = i % 2 ? walk(start, floor_plain, ceil_plain) : walk(start, floor_flags, ceil_flags);
        ok &= end.x >= 0 && end.x <= SIDE - 1 && end.y >= 0 && end.y <= SIDE - 1;
        digest = digest_add(digest, end.x);
        digest = digest_add(digest, end.y);
    }
    return workload_result(digest, ok);
}
