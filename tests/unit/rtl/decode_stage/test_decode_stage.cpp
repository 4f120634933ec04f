// The decode registers against a queue. Every instruction is an addi with its own destination and immediate, or an
// fadd.s that rounds by frm: it is illegal in just those cycles in which frm holds no mode, or always without
// floating point.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

struct insn {
    uint64_t pc;
    uint32_t word;
};

int main(int argc, char **argv) {
    bench_seed(argc, argv, 10);
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
    top->eval();
    const unsigned width = top->width_o;
    std::deque<struct insn> queue;
    unsigned illegal = 0, full = 0, empty = 0, partial = 0, squashed = 0;

    for (unsigned cycle = 0; cycle < 50000 && bench_failed < 20; cycle++) {
        top->frm_i = bench_below(8);
        top->eval();
        for (unsigned i = 0; i < width; i++) {
            bench_check(((top->valid_o >> i) & 1) == (i < queue.size()), "cycle %u: slot %u valid", cycle, i);
            if (i >= queue.size()) continue;
            const struct insn *q = &queue[i];
            bool rounds = (q->word & 0x7f) == 0x53, no_mode = rounds && (!top->has_fp_o || top->frm_i > 4);
            illegal += no_mode;
            bench_check((top->illegal_o >> i & 1) == no_mode, "cycle %u: slot %u: %08x with frm %u: illegal %u", cycle, i, q->word, top->frm_i,
                        top->illegal_o >> i & 1);
            bench_check(top->pc_o[i] == q->pc && top->insn_o[i] == q->word && (rounds || (int32_t)top->imm_o[i] == (int32_t)q->word >> 20) &&
                            top->rd_o[i] == (q->word >> 7 & 31),
                        "cycle %u: slot %u: pc %lx word %08x imm %x rd %u, expected %lx %08x", cycle, i, top->pc_o[i], top->insn_o[i], top->imm_o[i],
                        top->rd_o[i], q->pc, q->word);
        }
        full += queue.size() == width;
        empty += queue.empty();
        unsigned leave = bench_below((unsigned)queue.size() + 1), offered = bench_below(width + 1);
        if (bench_below(3) == 0) leave = (unsigned)queue.size();
        top->squash_i = bench_below(20) == 0;
        top->fire_count_i = (CData)(top->squash_i ? 0 : leave);
        top->valid_i = (CData)((1u << offered) - 1);
        struct insn in[8];
        for (unsigned i = 0; i < width; i++) {
            in[i] = {bench_random() & ~1ull, ((uint32_t)bench_random() & ~0x707fu) | 0x13};
            if (bench_below(4) == 0) in[i].word = (in[i].word & 0x01ff8f80u) | 0x7053; // fadd.s, rm = dyn
            top->pc_i[i] = in[i].pc;
            top->insn_i[i] = in[i].word;
        }
        top->eval();
        unsigned room = width - (unsigned)queue.size() + leave, taken = top->squash_i ? 0 : offered < room ? offered : room;
        bench_check(top->take_o == (1u << taken) - 1, "cycle %u: takes %02x, expected %u", cycle, top->take_o, taken);
        partial += taken && taken < offered;
        clock();
        if (top->squash_i) {
            squashed += !queue.empty();
            queue.clear();
        } else {
            queue.erase(queue.begin(), queue.begin() + leave);
            queue.insert(queue.end(), in, in + taken);
        }
    }
    bench_check(illegal > 100, "no rounding without a mode");
    bench_check(full > 100 && empty > 100 && partial > 100 && squashed > 100, "not reached: full %u, empty %u, partial %u, squashed %u", full, empty, partial,
                squashed);
    top->final();
    return bench_end();
}
