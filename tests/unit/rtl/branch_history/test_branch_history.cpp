// branch_history against a path that is written down: packets in a ring, each with its conditional branches and where
// they went.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>

struct packet {
    unsigned idx, branches;
    std::deque<bool> before; // directions of the branches before it
};

static uint16_t last_sixteen(const std::deque<bool> &path) {
    uint16_t bits = 0;
    for (size_t i = path.size() > 16 ? path.size() - 16 : 0; i < path.size(); i++)
        bits = (uint16_t)(bits << 1 | path[i]);
    return bits;
}

// The branches of a packet up to a slot, only the last can be taken.
static void walk(std::deque<bool> *path, unsigned branches, unsigned slots, bool last_taken) {
    for (unsigned s = 0; s < slots; s++)
        if (branches >> s & 1) path->push_back(false);
    if (last_taken) path->back() = true;
    while (path->size() > 16)
        path->pop_front();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    Vtop *top = new Vtop;
    unsigned long redirects[2][2] = {}, kept = 0, long_ones = 0;
    for (unsigned run = 0; run < 20; run++) {
        std::deque<bool> path;
        std::deque<packet> packets; // the oldest first
        unsigned next = 0;
        top->rst_ni = top->push_i = top->redirect_i = 0;
        for (unsigned i = 0; i < 2; i++) {
            top->push_i = top->redirect_i = bench_below(2);
            top->clk_i = 0;
            top->eval();
            top->clk_i = 1;
            top->eval();
        }
        top->rst_ni = 1;
        const unsigned slots = top->slots_o, most = top->packets_o;
        for (unsigned cycle = 0; cycle < 3000; cycle++) {
            top->clk_i = 0;
            top->push_i = bench_below(3) != 0 && packets.size() < most;
            top->push_idx_i = top->push_i ? next : bench_below(most);
            top->branches_i = bench_below(1u << slots) & (bench_below(2) ? ~0u : bench_random());
            top->taken_i = top->branches_i && bench_below(2); // the last branch of the packet leaves it
            top->redirect_i = bench_below(10) == 0 && !packets.empty();
            size_t which = packets.empty() ? 0
                                           : packets.size() - 1 -
                                                 bench_below((unsigned)std::min<size_t>(
                                                     packets.size(), 1 + bench_below((unsigned)packets.size())));
            top->redirect_idx_i = packets.empty() ? bench_below(most) : packets[which].idx;
            unsigned slot = bench_below(slots);
            top->offset_i = 2 * slot + bench_below(2);
            const bool at_branch = !packets.empty() && packets[which].branches >> slot & 1;
            top->branch_i = bench_below(2); // a jump, a branch, or what traps
            top->redirect_taken_i = bench_below(2);
            top->conditional_i = top->redirect_i ? top->branch_i && at_branch : bench_below(2);
            if (top->redirect_i && bench_below(4)) top->push_i = 0;
            top->eval();
            bench_check(top->history_o == last_sixteen(path), "run %u, cycle %u: history 0x%04x, expected 0x%04x", run,
                        cycle, top->history_o, last_sixteen(path));
            long_ones += path.size() == 16;
            const std::deque<bool> before = path;
            if (top->redirect_i) {
                redirects[top->branch_i][top->conditional_i && top->redirect_taken_i]++;
                path = packets[which].before;
                kept += packets[which].branches != 0;
                walk(&path, packets[which].branches, slot + (top->branch_i ? 1 : 0),
                     top->conditional_i && top->redirect_taken_i);
                packets.resize(which + 1);
                next = (packets.back().idx + 1) % most;
                if (top->push_i)
                    next = (next + 1) % most; // it is on no path: its place is written, and not gone back to
            } else if (top->push_i) {
                packets.push_back({next, top->branches_i, path});
                walk(&path, top->branches_i, slots, top->taken_i);
                next = (next + 1) % most;
            }
            if (!packets.empty() && bench_below(2)) packets.pop_front();
            top->clk_i = 1;
            top->eval();
        }
    }
    bench_check(redirects[0][0] > 100 && redirects[1][0] > 100 && redirects[1][1] > 100 && kept > 100 &&
                    long_ones > 1000,
                "%lu, %lu, %lu redirects, %lu of packets with branches, %lu full histories", redirects[0][0],
                redirects[1][0], redirects[1][1], kept, long_ones);
    top->final();
    delete top;
    return bench_end();
}
