// dcache_victim: refills, snoops and writers come to their turns within a few cycles, whatever the others want, and a
// refill finds room for its victim; the victim of a refill is a free way or one that has not been used, and goes to the
// write-back buffer if it is dirty.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>
#include <memory>

enum { STEPS = 60000, MOST_REFILL = 4, MOST_SNOOP = 4, MOST_WRITER = 2, PORT = 64 };

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    auto top = std::make_unique<Vtop>();
    unsigned rate[4] = {50, 50, 50, 50}, waits[3] = {}, longest[3] = {};
    unsigned long refills = 0, snoops = 0, writers = 0, pushes = 0, crowds = 0;
    bool refill = false, snoop = false, writer = false, refilled = false, error = false;
    unsigned set = ~0u, sets[2] = {};
    top->rst_ni = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        if (i % 200 == 0)
            for (unsigned &r : rate)
                r = bench_below(3) ? bench_below(101) : 100; // often all the time
        top->clk_i = 0;
        refill = refill || bench_below(100) < rate[0];
        if (!snoop) sets[1] = bench_below(PORT);
        if (!refill || !waits[0]) sets[0] = bench_below(PORT);
        snoop = snoop || bench_below(100) < rate[1];
        writer = writer || bench_below(100) < rate[2];
        // Room goes with a line that leaves, and stays otherwise.
        top->room2_i = (top->room2_i && !refilled) || bench_below(100) < rate[3];
        top->snoop_i = snoop;
        top->snoop_at_i = sets[1];
        top->writer_waits_i = writer;
        top->refill_next_i = 0;
        top->refill_at_i = sets[0];
        top->refill_i = refilled && !error; // selected in the cycle before
        top->valid_i = bench_below(1u << top->ways_o);
        top->dirty_i = top->valid_i & bench_below(1u << top->ways_o);
        for (unsigned w = 0; w < 4; w++)
            top->word_i[w] = bench_random();
        top->eval();
        top->refill_next_i = refill && top->refill_may_o;
        top->eval();
        if (top->rst_ni) {
            bench_check(top->set_o == set || set == ~0u, "set %u, expected %u", top->set_o, set);
            bench_check(!top->refill_may_o || top->room2_i, "a refill without room");
            bench_check(!(top->refill_next_i && top->snoop_take_o) && (snoop || !top->snoop_take_o), "two at once");
            if (top->refill_i) {
                const unsigned v = top->victim_o, all = (1u << top->ways_o) - 1;
                bench_check(v && !(v & (v - 1)) && (top->valid_i == all || !(v & top->valid_i)), "victim %x of %x", v,
                            top->valid_i);
                const bool leaves = v & top->dirty_i;
                unsigned w = 0;
                while (w < 3 && !(v >> w & 1))
                    w++;
                bench_check(top->push_o == leaves && (!leaves || top->push_word_o == top->word_i[w]), "pushes: %u",
                            top->push_o);
                pushes += leaves;
            } else
                bench_check(!top->victim_o && !top->push_o, "something leaves");
            crowds += refill && snoop && writer;
            const bool taken = top->refill_next_i || top->snoop_take_o;
            const bool wants[3] = {refill && top->room2_i, snoop, writer};
            const bool has[3] = {(bool)top->refill_next_i, (bool)top->snoop_take_o, !taken};
            const unsigned most[3] = {MOST_REFILL, MOST_SNOOP, MOST_WRITER};
            for (unsigned k = 0; k < 3; k++) {
                waits[k] = has[k] || !(k ? wants[k] : refill) ? 0 : waits[k] + wants[k];
                bench_check(waits[k] <= most[k], "%u waits for %u cycles", k, waits[k]);
                longest[k] = std::max(longest[k], waits[k]);
            }
            set = top->refill_next_i ? sets[0] : top->snoop_take_o ? sets[1] : ~0u;
            refills += top->refill_next_i;
            snoops += top->snoop_take_o;
            writers += writer && !taken;
            refilled = top->refill_next_i;
            error = bench_below(8) == 0;
            refill = refill && !top->refill_next_i;
            snoop = snoop && !top->snoop_take_o;
            writer = writer && taken;
        }
        top->clk_i = 1;
        top->eval();
        if (i == 2) top->rst_ni = 1;
    }
    printf("waits: refill %u, snoop %u, writer %u cycles\n", longest[0], longest[1], longest[2]);
    bench_check(refills > 1000 && snoops > 1000 && writers > 1000 && pushes > 500 && crowds > 1000,
                "%lu refills, %lu snoops, %lu writers, %lu pushes, %lu crowds", refills, snoops, writers, pushes,
                crowds);
    top->final();
    return bench_end();
}
