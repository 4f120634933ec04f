// wide_counter against a plain sum: random additions of 0, 1 and 2, through each carry of the short one several times
// and through the first carry of the one of 64 bits; by ones and by twos alone; and a reset in between.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

static Vtop *top;
static uint64_t count;
static unsigned rounds; // of the short one

static void step(unsigned add) {
    top->add_i = add;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    const uint64_t before = count;
    count = top->rst_ni ? count + add : 0;
    rounds += count >> 16 != before >> 16 && count > before;
    bench_check(top->count_o == count, "%llu, expected %llu", (unsigned long long)top->count_o,
                (unsigned long long)count);
    bench_check(top->short_o == (uint16_t)count, "in short parts %u, expected %u", top->short_o,
                (unsigned)(uint16_t)count);
}
static void reset() {
    top->rst_ni = 0;
    step(1);
    top->rst_ni = 1;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    for (unsigned add = 1; add <= 2; add++) {
        reset();
        if (add == 2) step(1); // odd, so that parts are passed without being full
        while (count < 150000)
            step(add);
        reset();
        while (count < 70000)
            step(add);
    }
    reset();
    while (count < 300000)
        step(bench_below(3));
    bench_check(rounds >= 9, "%u carries out of the lowest 16 bits: the test is too weak", rounds);
    top->final();
    delete top;
    return bench_end();
}
