// The table that holds loads back. What it must do: remember, in every lane, not remember everything, and forget. It learns
// from loads that ran ahead of a store alone: who is replayed for a snoop, or for a page table, could not have waited for it.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

static const unsigned FORGETS_WITHIN = 1 << 17; // cycles, as its description says: "from time to time"

int main(int argc, char **argv) {
    bench_seed(argc, argv, 14);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    auto waits = [&](uint64_t pc, unsigned lane) {
        top->pc_i = pc - 4 * lane;
        top->eval();
        return (top->waits_o >> lane) & 1;
    };
    auto raise = [&](uint64_t pc, bool replay, unsigned cause) {
        top->raise_pc_i = pc;
        top->raise_i = 1;
        top->replay_i = replay;
        top->cause_i = cause;
        clock();
        top->raise_i = top->replay_i = 0;
        top->cause_i = top->order_o;
        top->raise_pc_i = bench_random();
        clock();
    };
    top->raise_i = top->replay_i = 0;
    top->rst_ni = 0;
    clock();
    top->rst_ni = 1;
    top->eval();
    const unsigned lanes = top->width_o;
    uint64_t base = 0x80000000, loads[8];
    unsigned before = 0, others = 0;
    for (unsigned n = 0; n < 1000; n++) before += waits(base + 2 * n, 0);
    bench_check(before == 0, "%u wait after reset", before);
    for (uint64_t &load : loads) {
        load = base + 2 * bench_below(1 << 16);
        raise(load, true, top->snoop_o);
        raise(load, true, 13); // a load's page fault
        raise(load, false, top->order_o);
        bench_check(!waits(load, 0), "the load at %lx waits, and ran ahead of no store", load);
        raise(load, true, top->order_o);
    }
    for (uint64_t load : loads)
        for (unsigned lane = 0; lane < lanes; lane++) bench_check(waits(load, lane), "the load at %lx does not wait in lane %u", load, lane);
    for (unsigned n = 0; n < 4096; n++) others += waits(base + 2 * n, 0);
    bench_check(others <= 4096 / 8, "%u of 4096 others wait", others); // eight of some hundred bits are set

    unsigned cycles = 0;
    while (waits(loads[0], 0) && cycles <= FORGETS_WITHIN) {
        clock();
        cycles++;
    }
    bench_check(cycles > 1000 && cycles <= FORGETS_WITHIN, "remembered for %u cycles", cycles);
    for (uint64_t load : loads) bench_check(!waits(load, 0), "the load at %lx waits still", load);
    raise(loads[3], true, top->order_o); // and it learns again
    bench_check(waits(loads[3], 0), "does not learn again");
    top->final();
    return bench_end();
}
