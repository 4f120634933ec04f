// Divisions and square roots: how many cycles each takes (28 steps for double, 13 for single, fewer where the remainder
// becomes zero, none for special cases), that a result stays until it is taken, and that a flush drops it.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { RUNS = 20000, STEPS_D = 28, STEPS_S = 13 };

static Vtop *top;
static unsigned long none, some, all, flushed, waited;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// 0 a zero, 1 infinity, 2 a NaN, 3 a signalling one, else a number; negative now and then.
static uint64_t operand(bool is_double, unsigned kind, bool may_be_negative) {
    unsigned bits = is_double ? 52 : 23, exponents = is_double ? 0x7ff : 0xff;
    uint64_t low = bench_random() & ((1ull << bits) - 1), quiet = 1ull << (bits - 1);
    uint64_t exp = kind == 0 ? 0 : kind <= 3 ? exponents : exponents / 4 + bench_below(exponents / 2);
    uint64_t value = kind <= 1 ? 0 : kind == 2 ? low | quiet : kind == 3 ? (low & ~quiet) | 1 : low;
    if (kind == 4) value = low & ~0ull << (bits - bench_below(6)); // few bits: the remainder becomes zero early
    value |= exp << bits;
    if (may_be_negative && bench_below(2)) value |= 1ull << (is_double ? 63 : 31);
    return is_double ? value : value | 0xffffffffull << 32;
}

// Cycles from the request to the result.
static unsigned cycles_of(uint64_t a, uint64_t b) {
    top->valid_i = 1;
    top->a_i = a;
    top->b_i = b;
    tick();
    top->valid_i = 0;
    top->a_i = bench_random(); // the operands are valid in their cycle alone
    top->b_i = bench_random();
    unsigned cycles = 1;
    for (top->eval(); !top->valid_o && cycles < 100; cycles++) {
        bench_check(!top->ready_o, "ready with an operation under way");
        tick();
    }
    return cycles;
}

static void check_end() {
    uint64_t value = top->value_o;
    top->ready_i = 0;
    for (unsigned i = bench_below(4); i > 0; i--, waited++) {
        tick();
        bench_check(top->valid_o && top->value_o == value && !top->ready_o, "a result that waits changes or goes");
    }
    if (bench_below(4) == 0) {
        top->flush_i = 1;
        top->eval();
        bench_check(!top->valid_o, "a result in the cycle of its flush");
        flushed++;
    } else {
        top->ready_i = 1;
    }
    tick();
    top->flush_i = top->ready_i = 0;
    top->eval();
    bench_check(top->ready_o && !top->valid_o, "not idle after its end");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 41);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->rst_ni = 0;
    top->valid_i = top->flush_i = top->ready_i = 0;
    tick();
    top->rst_ni = 1;
    for (unsigned i = 0; i < RUNS; i++) {
        bool sqrt = bench_below(2), is_double = bench_below(2);
        unsigned kind_a = bench_below(8), kind_b = bench_below(8);
        top->sqrt_i = sqrt;
        top->double_i = is_double;
        uint64_t a = operand(is_double, kind_a, !sqrt), b = operand(is_double, kind_b, true);
        bool negative = sqrt && bench_below(8) == 0; // the root of a negative number is none
        if (negative) a |= 1ull << (is_double ? 63 : 31);
        bool special = kind_a <= 3 || (!sqrt && kind_b <= 3) || negative;
        unsigned cycles = cycles_of(a, b), steps = cycles - 1, most = is_double ? STEPS_D : STEPS_S;
        bench_check(steps <= most && (steps == 0) == special, "%s of %016llx, %016llx: %u steps",
                    sqrt ? "root" : "quotient", (unsigned long long)a, (unsigned long long)b, steps);
        none += steps == 0;
        some += steps > 0 && steps < most;
        all += steps == most;
        check_end();
    }
    bench_check(none > 1000 && some > 300 && all > 1000 && flushed > 1000 && waited > 1000,
                "%lu without steps, %lu with some, %lu with all, %lu flushed, %lu cycles waited", none, some, all,
                flushed, waited);
    top->final();
    return bench_end();
}
