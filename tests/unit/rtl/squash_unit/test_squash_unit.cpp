// Who gives the order, and what it says. Ages are places in program order; the ROB wraps under them.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

int main(int argc, char **argv) {
    bench_seed(argc, argv, 11);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->all_i = 1; // reset wins
    top->rst_ni = 0;
    clock();
    bench_check(!top->squash_o && !top->redirect_o, "an order in reset");
    top->rst_ni = 1;
    const unsigned ports = top->branch_ports_o, entries = top->rob_entries_o;
    unsigned second_wins = 0, wrapped = 0, overruled = 0, none = 0;

    for (unsigned cycle = 0; cycle < 50000; cycle++) {
        uint64_t head = bench_below(4 * entries), place[2];
        auto index_of = [&](uint64_t p) { return (uint16_t)((p / entries & 1) << 15 | p % entries); };
        place[0] = head + bench_below(entries);
        do place[1] = head + bench_below(entries);
        while (place[1] == place[0]);
        top->all_i = bench_below(4) == 0;
        top->all_rob_i = index_of(head);
        top->all_pc_i = bench_random();
        top->all_ftq_i = (CData)bench_below(8);
        top->all_offset_i = (CData)bench_below(64);
        top->all_invalidate_i = bench_below(2);
        top->valid_i = (CData)bench_random();
        top->mispredict_i = (CData)bench_random();
        top->taken_i = (CData)bench_random();
        int winner = -1;
        for (unsigned p = 0; p < ports; p++) {
            top->rob_i[p] = index_of(place[p]);
            top->snapshot_i[p] = (CData)bench_below(8);
            top->ftq_i[p] = (CData)bench_below(8);
            top->target_i[p] = bench_random();
            top->offset_i[p] = (CData)bench_below(64);
            if ((top->valid_i & top->mispredict_i) >> p & 1)
                if (winner < 0 || place[p] < place[winner]) winner = (int)p;
        }
        top->eval();
        clock();
        bool all = top->all_i, any = all || winner >= 0;
        bench_check(top->squash_o == any && top->redirect_o == any, "cycle %u: squash %u redirect %u, expected %u", cycle, top->squash_o, top->redirect_o, any);
        none += !any;
        if (!any) continue;
        bench_check(top->squash_all_o == all && top->redirect_branch_o == !all, "cycle %u: all %u", cycle, top->squash_all_o);
        bench_check(top->invalidate_o == (all && top->all_invalidate_i), "cycle %u: invalidate %u", cycle, top->invalidate_o);
        if (all) {
            bench_check(top->redirect_pc_o == top->all_pc_i && top->redirect_ftq_o == top->all_ftq_i && top->redirect_offset_o == top->all_offset_i, "cycle %u: head's redirect", cycle);
            overruled += winner >= 0;
            continue;
        }
        bench_check(top->squash_rob_o == top->rob_i[winner] && top->squash_snapshot_o == top->snapshot_i[winner], "cycle %u: squash from %04x, expected %04x",
                    cycle, top->squash_rob_o, top->rob_i[winner]);
        bench_check(top->squash_lq_o == top->snapshot_i[winner] && top->squash_sq_o == top->snapshot_i[winner], "cycle %u: queue tails %u %u of %u", cycle,
                    top->squash_lq_o, top->squash_sq_o, top->snapshot_i[winner]);
        bench_check(top->redirect_pc_o == top->target_i[winner] && top->redirect_ftq_o == top->ftq_i[winner] &&
                        top->redirect_taken_o == (top->taken_i >> winner & 1) && top->redirect_offset_o == top->offset_i[winner],
                    "cycle %u: branch's redirect", cycle);
        second_wins += winner == 1 && ((top->valid_i & top->mispredict_i) & 3) == 3;
        wrapped += (top->rob_i[0] ^ top->rob_i[1]) >> 15;
    }
    bench_check(overruled > 100 && none > 100, "not reached: overruled %u, none %u", overruled, none);
    if (ports == 2) bench_check(second_wins > 100 && wrapped > 100, "not reached: second %u, wrapped %u", second_wins, wrapped);
    top->final();
    return bench_end();
}
