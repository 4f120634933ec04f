// Vectors of the oldest instructions, at random: what the ROB keeps of a valid one, FL_MB where a branch that has ended
// was mispredicted, and of the oldest, when it is raised, commit_ctrl's vector alone.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { STEPS = 50000 };

int main(int argc, char **argv) {
    bench_seed(argc, argv, 51);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->eval();
    const unsigned lanes = top->lanes_o, all = (1u << top->bits_o) - 1;
    unsigned long raised = 0, mispredicted = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        top->valid_i = (CData)bench_random();
        top->done_i = (CData)bench_random();
        top->mispredict_i = (CData)bench_random();
        top->raise_i = bench_below(2);
        top->oldest_i = bench_below(lanes);
        top->raise_psv_i = (SData)(bench_random() & all);
        for (unsigned i = 0; i < lanes; i++)
            top->psv_i[i] = (SData)(bench_random() & all);
        top->eval();
        for (unsigned i = 0; i < lanes; i++) {
            bool valid = top->valid_i >> i & 1, done = top->done_i >> i & 1;
            bool mispredict = valid && done && (top->mispredict_i >> i & 1);
            unsigned want = valid ? top->psv_i[i] : 0;
            if (mispredict) want |= 1u << top->fl_mb_o;
            if (top->raise_i && i == top->oldest_i) want = top->raise_psv_i;
            bench_check((top->mispredict_o >> i & 1) == mispredict, "lane %u mispredicted: %x", i, top->mispredict_o);
            bench_check(top->psv_o[i] == want, "lane %u: vector %x, expected %x", i, top->psv_o[i], want);
            mispredicted += mispredict;
        }
        raised += top->raise_i;
    }
    bench_check(raised > 1000 && mispredicted > 1000, "%lu raised, %lu mispredicted", raised, mispredicted);
    top->final();
    return bench_end();
}
