// sample_reload, in every cycle: whether it reloads, one less than where the counter goes on from, and which segments
// of that are all ones, against reload.h. Settings are written at any distance of each other, also before the last ones
// have come through, the golden fraction steps meanwhile, and periods are made of runs of zeros and ones that end where
// its slices and parts do, so that each carry and borrow goes as far as it can; the bench asks for enough of each.
#include "Vtop.h"
#include "bench.h"
#include "reload.h"
#include "verilated.h"

static Vtop *top;

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}

// Zeros, ones, a one or anything, piece by piece: where slices of the sum, parts of the upper half and segments of the
// counter end.
static uint64_t random_period() {
    static const unsigned ends[] = {4, 8, 15, 19, 21, 27, 32, 34, 41, 49, 56, 64};
    switch (bench_below(12)) {
    case 0: return bench_below(40); // from none to some above the shortest
    case 1: return ~(uint64_t)bench_below(2) - (bench_random() >> (32 + bench_below(32))); // too long with some jitter
    case 2: return (UINT64_C(1) << (32 + bench_below(32))) + bench_below(1000);            // a borrow goes far
    }
    const unsigned longest = bench_below(13); // pieces above it are zeros
    uint64_t period = 0;
    for (unsigned i = 0, start = 0; i < longest && i < 12; start = ends[i++]) {
        const uint64_t ones = (UINT64_C(1) << (ends[i] - start)) - 1;
        const unsigned kind = bench_below(20);
        period |= (kind < 8 ? 0 : kind < 16 ? ones : kind < 17 ? 1 : bench_random() & ones) << start;
    }
    return period;
}
static uint32_t random_seed() {
    switch (bench_below(4)) {
    case 0: return bench_below(2) ? 0 : ~0u - bench_below(3);
    case 1: return (uint32_t)(0 - 0x9e3779b9u * bench_below(4)) - 2 + bench_below(4); // about to be zero
    default: return (uint32_t)bench_random();
    }
}

struct seen {
    unsigned up, down, far_up, far_down, replaced, longest, shortest, lowest, steps;
};

// Distances: the bench has to meet some of each.
static void note(struct seen *s, const struct reload_cycle &c, uint64_t distance, uint64_t before) {
    const uint64_t upper = c.period >> 32, now = distance >> 32;
    s->up += now == upper + 1;
    s->down += now == upper - 1;
    s->far_up += now == upper + 1 && upper % (1u << 24) == (1u << 24) - 1;
    s->far_down += now == upper - 1 && upper % (1u << 24) == 0;
    s->replaced += distance == c.period && c.bits != 0;
    s->longest += distance == c.period && upper == 0xffffffff && c.bits > 30;
    s->shortest += distance == 16 && c.period < 16;
    s->lowest += distance == 16 && c.period > 16;
    s->steps += c.golden && distance != before;
}

static void run(unsigned cycles, struct seen *seen) {
    struct reload_pipe pipe;
    struct reload_cycle now = {0, false, 0, 1};
    uint64_t before = 0;
    // The settings are registers, too: they are reset with the first edge, and what follows from them is not.
    top->rst_ni = 0;
    edge();
    top->period_i = top->golden_i = top->jitter_bits_i = top->draws_i = top->changed_i = top->seed_valid_i =
        top->reload_i = 0;
    for (unsigned i = bench_below(3) == 0 ? 2 : 0; i > 0; i--)
        edge();
    top->rst_ni = 1;
    top->eval();
    unsigned next_write = 5, next_reload = 5, apart = 30;
    for (unsigned n = 0; n < cycles; n++) {
        bench_check(top->active_o == pipe.active(), "cycle %u: active %d", n, top->active_o);
        if (pipe.active()) {
            const uint64_t below = ~pipe.distance();
            unsigned full = 0;
            for (unsigned s = 0; s < 4; s++) {
                const unsigned start = 4 + 15 * s;
                full |= (below >> start & 0x7fff) == 0x7fff ? 1u << s : 0u;
            }
            note(seen, now, pipe.distance(), before);
            before = pipe.distance();
            bench_check(
                top->below_o == below,
                "cycle %u: period 0x%llx, %u bits of jitter%s, register 0x%x: goes on from 0x%llx + 1, expected 0x%llx",
                n, (unsigned long long)now.period, now.bits, now.golden ? ", golden" : "", now.value,
                (unsigned long long)top->below_o, (unsigned long long)below);
            bench_check(top->below_full_o == full, "cycle %u: 0x%llx: full segments 0x%x, expected 0x%x", n,
                        (unsigned long long)below, top->below_full_o, full);
        }
        // a write of the period, of the jitter and its seed, or none; a reload, or none
        struct reload_cycle then = now;
        const bool writes = n == next_write, jitter = writes && bench_below(2),
                   seeded = jitter || bench_below(200) == 0;
        const uint32_t seed = random_seed();
        if (writes) {
            if (bench_below(16) == 0) apart = bench_below(3) == 0 ? 4 : 60;
            next_write = n + 1 + bench_below(apart);
            if (jitter) {
                then.golden = bench_below(2);
                then.bits = bench_below(8) == 0 ? bench_below(64) : bench_below(34);
            } else {
                then.period = random_period();
            }
        }
        const bool reloads = n >= next_reload && pipe.active();
        if (reloads) next_reload = n + 1 + bench_below(bench_below(4) == 0 ? 40 : 3 * RELOAD_APART);
        top->changed_i = writes;
        top->seed_valid_i = seeded;
        top->seed_i = seed;
        top->reload_i = reloads;
        then.value = pipe.step(now, reloads, writes, seeded, seed);
        edge();
        top->period_i = then.period;
        top->golden_i = then.golden;
        top->jitter_bits_i = then.bits;
        top->draws_i = !then.golden && then.bits != 0;
        top->eval();
        now = then;
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    struct seen seen = {};
    for (unsigned i = 0; i < 100; i++)
        run(10000, &seen);
    bench_check(seen.up > 1000 && seen.down > 1000 && seen.far_up > 20 && seen.far_down > 100 && seen.replaced > 1000 &&
                    seen.longest > 100 && seen.shortest > 1000 && seen.lowest > 10 && seen.steps > 1000,
                "too weak a test: %u up, %u down, %u and %u of them far, %u replaced, %u of them too long, %u and %u "
                "of 16, %u steps of the fraction",
                seen.up, seen.down, seen.far_up, seen.far_down, seen.replaced, seen.longest, seen.shortest, seen.lowest,
                seen.steps);
    top->final();
    delete top;
    return bench_end();
}
