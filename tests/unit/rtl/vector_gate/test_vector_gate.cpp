// Random dispatch, commit, mispredictions, raised and flushing instructions, and readers that come and go. The model is a queue of
// instructions, each with one bit: vectors were kept in every cycle from its dispatch on. No numbers, no places.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

int main(int argc, char **argv) {
    bench_seed(argc, argv, 29);
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
    const unsigned width = top->width_o, entries = top->rob_entries_o;
    const bool gates = top->window_o != 0;

    std::deque<bool> rob; // whole?
    uint64_t head = 0;
    bool open = !gates, offender = false, reads = false, kill = false, cleared = false;
    uint64_t killer = 0; // a squash of the next cycle
    unsigned openings = 0, full_openings = 0, partly = 0, moved = 0, offenders = 0, whole_offenders = 0, stale = 0, whole = 0, crossed = 0, resets = 0;
    auto index_of = [&](uint64_t p) { return (uint16_t)((p / entries & 1) << 15 | p % entries); };
    for (unsigned cycle = 0; cycle < 200000; cycle++) {
        const unsigned phase = cycle / 1000 % 4; // slow commits fill the ROB; busy readers let whole ones in
        if (bench_below(reads ? (phase & 1 ? 200 : 25) : (phase & 1 ? 10 : 100)) == 0) reads = !reads;
        const bool squash = kill || cleared, all_squash = cleared;
        if (!gates) open = true;
        else if (!open) for (auto &&is_whole : rob) is_whole = false;
        // What leaves, and what comes.
        unsigned leave = 0, enter = 0;
        bool raise = false, clear = false;
        if (!rob.empty() && bench_below(60) == 0) raise = clear = true;
        else if (bench_below(phase & 2 ? 6 : 2) == 0) leave = bench_below(width + 1);
        if (leave > rob.size()) leave = (unsigned)rob.size();
        if (squash && !all_squash && leave > killer + 1 - head) leave = (unsigned)(killer + 1 - head); // what it kills does not leave
        if (leave == 1 && bench_below(20) == 0) clear = true; // it flushes
        if (!squash) enter = bench_below(width + 1);
        if (enter > entries - rob.size()) enter = entries - (unsigned)rob.size();
        top->reads_i = reads;
        top->head_i = index_of(head);
        top->tail_i = index_of(head + rob.size());
        top->enter_i = (CData)enter;
        top->leave_i = (CData)leave;
        top->raise_i = raise;
        top->clear_i = clear;
        top->squash_i = squash;
        top->squash_all_i = all_squash;
        top->squash_rob_i = index_of(squash ? killer : bench_below(entries));
        top->eval();
        bench_check(top->keep_o == open, "cycle %u: open %d", cycle, top->keep_o);
        if (!rob.empty()) {
            bench_check(top->oldest_o == (gates && !rob.front()), "cycle %u: oldest stale %d", cycle, top->oldest_o);
            if (open) ++*(rob.front() ? &whole : &stale);
        }
        bench_check(top->offender_o == (gates && offender), "cycle %u: offender %d, expected %d", cycle, top->offender_o, offender);
        // The end of the cycle.
        if (raise) offender = !rob.front();
        if (leave) {
            offender = !rob[leave - 1];
            crossed += rob[leave - 1] && !rob[0];
        }
        offenders += open && (raise || leave) && offender;
        whole_offenders += (raise || leave) && !offender;
        for (unsigned i = 0; i < leave; i++) rob.pop_front();
        head += leave;
        if (squash && !all_squash) {
            moved += killer + 1 - head < rob.size() && open && !rob[killer + 1 - head];
            while (rob.size() > killer + 1 - head) rob.pop_back();
        }
        for (unsigned i = 0; i < enter; i++) rob.push_back(open);
        if (clear) rob.clear();
        cleared = clear;
        kill = !rob.empty() && bench_below(30) == 0;
        killer = head + (rob.empty() ? 0 : bench_below((unsigned)rob.size()));
        if (gates && reads && !open) {
            openings++;
            full_openings += rob.size() == entries;
        }
        if (open && rob.size() > 1) partly += !rob.front() && rob.back();
        if (gates) open = reads;
        clock();
        if (bench_below(5000) == 0) { // all of it is reset, the ROB as well
            top->rst_ni = 0;
            clock();
            top->rst_ni = 1;
            rob.clear();
            head = 0;
            open = !gates;
            offender = kill = cleared = false;
            resets++;
        }
    }
    if (gates)
        bench_check(openings > 1000 && full_openings > 20 && partly > 1000 && moved > 50 && offenders > 1000 && whole_offenders > 1000 && stale > 1000 && whole > 1000 && crossed > 50 && resets > 10,
                    "too weak: %u openings, %u of a full ROB; %u cycles with both kinds, %u with %u; squashes of stale ones %u, leavers %u, %u, groups of both %u, resets %u", openings, full_openings, partly,
                    stale, whole, moved, offenders, whole_offenders, crossed, resets);
    top->final();
    return bench_end();
}
