// The multiplier against 128-bit C arithmetic: one operation a cycle goes in, each result comes out two cycles later,
// unless a squash came between.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

static const unsigned operations[] = {INSN_MUL, INSN_MULH, INSN_MULHSU, INSN_MULHU, INSN_MULW};

struct product {
    bool valid, pd_valid;
    unsigned rob, pd;
    uint64_t value;
};

static uint64_t expected(unsigned op, uint64_t a, uint64_t b) {
    switch (op) {
    case INSN_MUL: return a * b;
    case INSN_MULH: return (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64);
    case INSN_MULHSU: return (uint64_t)((__int128)(int64_t)a * (__int128)b >> 64);
    case INSN_MULHU: return (uint64_t)((unsigned __int128)a * b >> 64);
    default: return (uint64_t)(int64_t)(int32_t)((uint32_t)a * (uint32_t)b);
    }
}

int main(int argc, char **argv) {
    static const uint64_t corners[] = {0,          1,          2,           0x7fffffff,         0x80000000,         0xffffffff,
                                       0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xffffffff80000000, 0xffffffffffffffff};
    const unsigned n = sizeof corners / sizeof *corners, directed = n * n * 5;
    bench_seed(argc, argv, 4);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->rst_ni = 0;
    clock();
    top->rst_ni = 1;
    struct product second = {}, third = {}; // in EX2, EX3
    unsigned killed = 0;

    for (unsigned cycle = 0; cycle < directed + 30000; cycle++) {
        bool random = cycle >= directed;
        unsigned op = random ? operations[bench_below(5)] : operations[cycle % 5];
        uint64_t a = random ? bench_random() >> bench_below(64) : corners[cycle / 5 % n], b = random ? bench_random() >> bench_below(64) : corners[cycle / 5 / n];
        if (random && bench_below(4) == 0) a = ~a;
        if (random && bench_below(4) == 0) b = ~b;
        struct product first = {!random || bench_below(4) != 0, !random || bench_below(8) != 0, bench_below(16), 1 + bench_below(39), expected(op, a, b)};
        top->squash_i = random && bench_below(8) == 0;
        top->squash_all_i = bench_below(4) == 0;
        top->squash_rob_i = (CData)bench_below(16);
        // All within half the ring: the younger index is the larger one.
        auto dies = [&](const struct product &p) { return top->squash_i && (top->squash_all_i || p.rob > top->squash_rob_i); };
        if (dies(first)) first.valid = false; // the lane before does not send it
        top->valid_i = first.valid;
        top->op_i = (CData)op;
        top->rob_i = (CData)first.rob;
        top->pd_i = (CData)first.pd;
        top->pd_valid_i = first.pd_valid;
        top->a_i = a;
        top->b_i = b;
        top->eval();

        bool wake = first.valid && first.pd_valid;
        bench_check(top->wake_o == wake && (!wake || top->wake_tag_o == first.pd), "cycle %u: wake %u of %u", cycle, top->wake_o, top->wake_tag_o);
        bool done = third.valid && !dies(third);
        bench_check(top->done_o == done && (!done || top->done_rob_o == third.rob), "cycle %u: done %u", cycle, top->done_o);
        bool write = done && third.pd_valid;
        bench_check(top->write_o == write, "cycle %u: write %u, expected %u", cycle, top->write_o, write);
        if (write)
            bench_check(top->pd_o == third.pd && top->data_o == third.value, "cycle %u: register %u = %lx, expected %u = %lx", cycle, top->pd_o, top->data_o,
                        third.pd, third.value);
        clock();
        killed += second.valid && dies(second);
        third = second;
        third.valid = second.valid && !dies(second);
        second = first;
    }
    bench_check(killed > 100, "killed %u", killed);
    top->final();
    return bench_end();
}
