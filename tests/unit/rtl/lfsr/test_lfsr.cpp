// lfsr: its step is linear and its period is 2^32 - 1. Both are shown without 2^32 steps: the step's matrix is read off
// the hardware, one seed with a single bit at a time, and its order is computed.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

static Vtop *top;

static void clock_edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}
static uint32_t load(uint32_t seed) {
    top->seed_valid_i = 1;
    top->seed_i = seed;
    clock_edge();
    top->seed_valid_i = 0;
    return top->value_o;
}
static uint32_t step() {
    top->step_i = 1;
    clock_edge();
    top->step_i = 0;
    return top->value_o;
}

struct matrix {
    uint32_t column[32];
};
static uint32_t times(const matrix *m, uint32_t vector) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i++) sum ^= vector >> i & 1 ? m->column[i] : 0;
    return sum;
}
static matrix power(matrix base, uint64_t exponent) {
    matrix result;
    for (unsigned i = 0; i < 32; i++) result.column[i] = 1u << i;
    for (; exponent; exponent >>= 1) {
        matrix square;
        if (exponent & 1)
            for (unsigned i = 0; i < 32; i++) result.column[i] = times(&base, result.column[i]);
        for (unsigned i = 0; i < 32; i++) square.column[i] = times(&base, base.column[i]);
        base = square;
    }
    return result;
}
static bool is_identity(const matrix *m) {
    for (unsigned i = 0; i < 32; i++)
        if (m->column[i] != 1u << i) return false;
    return true;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->seed_valid_i = top->step_i = top->rst_ni = 0;
    clock_edge();
    bench_check(top->value_o == 1, "reset: 0x%x, expected 1", top->value_o);
    top->rst_ni = 1;
    clock_edge();
    bench_check(top->value_o == 1, "stands still without a step: 0x%x", top->value_o);
    // x^32 + x^22 + x^2 + x + 1, shifted right: the bit that falls out comes back at 31, 21, 1 and 0.
    bench_check(step() == 0x80200003u, "the first step from 1: 0x%x", top->value_o);
    bench_check(load(0) == 1, "a seed of zero counts as one");
    bench_check(load(0xdeadbeef) == 0xdeadbeefu, "the seed is taken as it is");
    top->step_i = 1;
    bench_check(load(0x1234) == 0x1234u, "a seed wins over a step: 0x%x", top->value_o);
    top->step_i = 0;

    matrix m;
    for (unsigned i = 0; i < 32; i++) {
        load(1u << i);
        m.column[i] = step();
    }
    for (unsigned n = 0; n < 2000; n++) {
        uint32_t seed = (uint32_t)bench_random() | 1;
        load(seed);
        uint32_t got = step(), expected = times(&m, seed);
        bench_check(got == expected, "not linear at 0x%x: 0x%x, expected 0x%x", seed, got, expected);
    }
    for (unsigned n = 0; n < 2000; n++) { // ahead_o: three steps on
        load((uint32_t)bench_random());
        const uint32_t ahead = top->ahead_o;
        step();
        step();
        uint32_t got = step();
        bench_check(ahead == got, "ahead_o 0x%x, three steps on 0x%x", ahead, got);
    }
    const uint64_t period = 0xffffffffull;
    matrix p = power(m, period);
    bench_check(is_identity(&p), "2^32 - 1 steps come back");
    static const unsigned primes[] = {3, 5, 17, 257, 65537};
    for (unsigned prime : primes) {
        p = power(m, period / prime);
        bench_check(!is_identity(&p), "the period is a part of (2^32 - 1) / %u", prime);
    }
    top->final();
    delete top;
    return bench_end();
}
