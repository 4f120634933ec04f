// The divider against C arithmetic; division by zero and overflow after the unprivileged manual's table in chapter M.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

static const unsigned operations[] = {INSN_DIV, INSN_DIVU, INSN_REM, INSN_REMU, INSN_DIVW, INSN_DIVUW, INSN_REMW, INSN_REMUW};
static const unsigned AT_MOST = 36; // cycles from operands to result: two bits of 64 a cycle, and what frames them

static uint64_t expected(unsigned op, uint64_t a, uint64_t b) {
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    int32_t wa = (int32_t)a, wb = (int32_t)b;
    uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
    switch (op) {
    case INSN_DIV: return sb == 0 ? ~0ull : sa == INT64_MIN && sb == -1 ? a : (uint64_t)(sa / sb);
    case INSN_DIVU: return b == 0 ? ~0ull : a / b;
    case INSN_REM: return sb == 0 ? a : sa == INT64_MIN && sb == -1 ? 0 : (uint64_t)(sa % sb);
    case INSN_REMU: return b == 0 ? a : a % b;
    case INSN_DIVW: return (uint64_t)(int64_t)(wb == 0 ? -1 : wa == INT32_MIN && wb == -1 ? wa : wa / wb);
    case INSN_DIVUW: return (uint64_t)(int64_t)(int32_t)(ub == 0 ? ~0u : ua / ub);
    case INSN_REMW: return (uint64_t)(int64_t)(wb == 0 ? wa : wa == INT32_MIN && wb == -1 ? 0 : wa % wb);
    default: return (uint64_t)(int64_t)(int32_t)(ub == 0 ? ua : ua % ub);
    }
}

// Leading zeros of an operand's magnitude, as its operation sees it.
static unsigned zeros(unsigned op, uint64_t x) {
    bool word = op == INSN_DIVW || op == INSN_DIVUW || op == INSN_REMW || op == INSN_REMUW;
    bool is_signed = op == INSN_DIV || op == INSN_REM || op == INSN_DIVW || op == INSN_REMW;
    if (word) x = is_signed ? (uint64_t)(int64_t)(int32_t)x : (uint32_t)x;
    if (is_signed && (int64_t)x < 0) x = -x;
    return x ? (unsigned)__builtin_clzll(x) : 64;
}

// Cycles from operands to result: alignment, then two bits of the quotient each, of those that can be other than zero.
static unsigned cycles_of(unsigned op, uint64_t a, uint64_t b) {
    unsigned za = zeros(op, a), zb = zeros(op, b);
    return zb == 64 || zb < za ? 1 : 1 + (zb - za + 2) / 2;
}

static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void start(Vtop *top, unsigned op, uint64_t a, uint64_t b, unsigned rob, unsigned pd, bool pd_valid) {
    bench_check(!top->busy_o, "busy before the start");
    top->squash_i = 0;
    top->valid_i = 1;
    top->op_i = (CData)op;
    top->rob_i = (CData)rob;
    top->pd_i = (CData)pd;
    top->pd_valid_i = pd_valid;
    top->a_i = a;
    top->b_i = b;
    clock(top);
    top->valid_i = 0;
    top->a_i = top->b_i = 0;
}

// One division to its end; the write port is free in one of `ports` cycles, squashes spare it.
static void divide(Vtop *top, unsigned op, uint64_t a, uint64_t b, unsigned ports) {
    unsigned rob = bench_below(16), pd = 1 + bench_below(39), refused = 0;
    bool pd_valid = bench_below(16) != 0;
    start(top, op, a, b, rob, pd, pd_valid);
    for (unsigned cycle = 0; cycle < AT_MOST + refused; cycle++) {
        top->write_ready_i = ports == 1 || bench_below(ports) == 0;
        refused += !top->write_ready_i;
        top->squash_i = bench_below(8) == 0;
        top->squash_all_i = 0;
        top->squash_rob_i = (CData)(rob + bench_below(16 - rob)); // this one or a younger one
        top->eval();
        bench_check(top->busy_o, "not busy in a division");
        if (!top->done_o) {
            bench_check(!top->write_o, "write before the end");
            clock(top);
            continue;
        }
        bench_check(top->write_ready_i, "ends although the write port is taken");
        if (ports == 1) bench_check(cycle == cycles_of(op, a, b), "op %u a %lx b %lx: %u cycles, expected %u", op, a, b, cycle, cycles_of(op, a, b));
        bench_check(top->done_rob_o == rob && top->write_o == pd_valid, "done_rob %u write %u, expected %u %u", top->done_rob_o, top->write_o, rob, pd_valid);
        uint64_t want = expected(op, a, b);
        if (pd_valid)
            bench_check(top->pd_o == pd && top->data_o == want, "op %u a %lx b %lx: register %u = %lx, expected %u = %lx", op, a, b, top->pd_o, top->data_o, pd,
                        want);
        clock(top);
        bench_check(!top->busy_o, "busy after the end");
        return;
    }
    bench_check(false, "op %u a %lx b %lx: no result in %u cycles", op, a, b, AT_MOST);
}

// A division that a squash kills after some cycles must end there, without a result, and leave the unit fit for more.
static void kill(Vtop *top, unsigned after) {
    unsigned rob = 1 + bench_below(15);
    start(top, operations[bench_below(8)], bench_random(), bench_random() >> bench_below(64), rob, 5, true);
    top->write_ready_i = 0;
    for (unsigned i = 0; i < after; i++) clock(top);
    top->write_ready_i = 1;
    top->squash_i = 1;
    top->squash_all_i = bench_below(2);
    top->squash_rob_i = (CData)(top->squash_all_i ? bench_below(16) : bench_below(rob)); // an older one
    top->eval();
    bench_check(!top->done_o && !top->write_o, "a killed division ends after %u cycles", after);
    clock(top);
    top->squash_i = 0;
    top->eval();
    bench_check(!top->busy_o && !top->done_o && !top->write_o, "a killed division goes on after %u cycles", after);
}

int main(int argc, char **argv) {
    static const uint64_t corners[] = {0,           1,           2,          3,                  0x7fffffff,         0x80000000,         0xffffffff,
                                       0x100000000, 0x1ffffffff, 0x180000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffff80000000, 0xfffffffffffffffe,
                                       0xffffffffffffffff};
    bench_seed(argc, argv, 5);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    for (unsigned op : operations) {
        for (uint64_t a : corners)
            for (uint64_t b : corners) divide(top, op, a, b, 1);
        for (unsigned i = 0; i < 400; i++) {
            uint64_t a = bench_random() >> bench_below(64), b = bench_random() >> bench_below(64);
            divide(top, op, bench_below(3) ? a : -a, bench_below(3) ? b : -b, 1 + bench_below(4));
        }
    }
    for (unsigned after = 0; after < 80; after++)
        for (unsigned i = 0; i < 5; i++) {
            kill(top, after);
            divide(top, operations[bench_below(8)], bench_random(), bench_random() >> bench_below(64), 2);
        }
    top->final();
    return bench_end();
}
