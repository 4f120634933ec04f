// round_robin against its promise: the first one that asks from the place after the last grant on; so nobody waits for
// more than Width - 1 others.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { SIZES = 6, MOST = 16, STEPS = 50000 };

static Vtop *top;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void run() {
    unsigned next[SIZES] = {0}, passed[SIZES][MOST] = {{0}};
    top->rst_ni = 0;
    tick();
    top->rst_ni = 1;
    for (unsigned i = 0; i < STEPS; i++) {
        top->set_i = (uint16_t)(bench_random() & bench_random());
        if (!bench_below(4)) top->set_i = UINT16_MAX;
        top->take_i = bench_below(3) != 0;
        top->clk_i = 0;
        top->eval();
        for (unsigned s = 0; s < SIZES; s++) {
            const unsigned width = (unsigned)top->width_o[s], set = top->set_i & ((1u << width) - 1);
            unsigned expected = next[s];
            if (!bench_check((top->valid_o >> s & 1) == (set != 0), "size %u: valid %d for %x", width,
                             top->valid_o >> s & 1, set) ||
                !set)
                continue;
            while (!(set >> expected & 1))
                expected = (expected + 1) % width;
            bench_check(top->idx_o[s] == expected, "size %u: %u of %x, not %u", width, top->idx_o[s], set, expected);
            if (!top->take_i) continue;
            next[s] = (expected + 1) % width;
            for (unsigned k = 0; k < width; k++) {
                passed[s][k] = k == top->idx_o[s] || !(set >> k & 1) ? 0 : passed[s][k] + 1;
                bench_check(passed[s][k] < width, "size %u: %u waits for %u others", width, k, passed[s][k]);
            }
        }
        top->clk_i = 1;
        top->eval();
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 5);
    const auto model = std::make_unique<Vtop>();
    top = model.get();
    run();
    run(); // reset in the midst of it
    return bench_end();
}
