// Random commit bundles that keep the bundle rules: a toy reorder buffer of W banks with instructions that take their
// time, mispredict, flush, except or are replayed at the head, gather events, execute in any mode; sometimes a core
// drops all of it.
#ifndef TIPOFF_RTL_TOY_ROB_H
#define TIPOFF_RTL_TOY_ROB_H

#include "bench.h"
#include <deque>
#include <stdint.h>
#include <vector>

struct bundle {
    unsigned valid, commit, mispredict, flush, first, oldest, psv[8], exception_psv, dispatch, priv;
    uint64_t pc[8], exception_pc, dispatch_pc[8], space;
    bool empty, exception;
};

static inline std::vector<bundle> toy_run(unsigned width, unsigned cycles) {
    struct entry {
        uint64_t pc;
        unsigned psv, left, end; // cycles until it can go; 0 plain, 1 mispredicted, 2 flushes, 3 excepts, 4 is replayed
        bool first;
    };
    enum { EXCEPT_BIT = 1 << 4, REPLAY_BIT = 1 << 5, EVENTS = 0x1ff };
    static const unsigned modes[] = {0, 1, 3};
    std::deque<entry> rob;
    std::vector<bundle> run;
    unsigned bank = 0, refill = 0, mode = 3; // bank of the oldest; cycles until dispatch goes on
    uint64_t space = 0;
    for (unsigned c = 0; c < cycles; c++) {
        struct bundle b = {};
        if (bench_below(50) == 0) {
            mode = modes[bench_below(3)];
            space = bench_below(3) ? bench_random() >> 20 : 0;
        }
        b.priv = mode;
        b.space = space;
        b.oldest = bank;
        b.empty = rob.empty();
        for (unsigned k = 0; k < width; k++) { // whatever stands in lanes that hold nothing must not matter
            b.pc[k] = bench_random();
            b.psv[k] = bench_below(EVENTS + 1);
            b.dispatch_pc[k] = bench_random();
        }
        b.exception_pc = bench_random();
        b.exception_psv = bench_below(EVENTS + 1);
        if (!rob.empty() && bench_below(3) == 0) rob[0].psv |= 1u << bench_below(9) & ~(EXCEPT_BIT | REPLAY_BIT);
        unsigned leave = 0;
        bool all = false;
        for (unsigned k = 0; k < width && k < rob.size(); k++) {
            const struct entry &e = rob[k];
            unsigned lane = (bank + k) % width;
            b.valid |= 1u << lane;
            b.first |= (unsigned)e.first << lane;
            b.pc[lane] = e.pc;
            b.psv[lane] = e.psv;
            if (e.end == 1) b.mispredict |= 1u << lane;
            if (e.end == 2) b.flush |= 1u << lane;
            if (leave == k && !all && e.left == 0) {
                if (e.end < 3) {
                    b.commit |= 1u << lane;
                    leave++;
                    all = e.end != 0;
                } else if (k == 0) {
                    b.exception = true;
                    b.exception_pc = e.pc;
                    b.exception_psv = b.psv[lane] = e.psv | (e.end == 3 ? EXCEPT_BIT : REPLAY_BIT);
                    all = true;
                }
            }
        }
        bool vanishes = !rob.empty() && !b.commit && !b.exception && bench_below(60) == 0;
        for (struct entry &e : rob)
            e.left -= e.left > 0;
        if (all || vanishes) {
            rob.clear();
            bank = bench_below(width);
            refill = bench_below(2) ? 1 + bench_below(12) : 0;
        } else {
            rob.erase(rob.begin(), rob.begin() + leave);
            bank = (bank + leave) % width;
            if (refill)
                refill--;
            else if (rob.size() < 2 * width) {
                unsigned count = bench_below(width + 1);
                for (unsigned k = 0; k < count; k++) {
                    unsigned end = bench_below(12) ? 0 : 1 + bench_below(4),
                             left = bench_below(4) ? bench_below(3) : bench_below(30);
                    rob.push_back({bench_random() & ~UINT64_C(1),
                                   bench_below(4) ? 0 : bench_below(EVENTS + 1) & ~(EXCEPT_BIT | REPLAY_BIT), left, end,
                                   bench_below(5) != 0});
                    b.dispatch |= 1u << k;
                    b.dispatch_pc[k] = rob.back().pc;
                }
                if (bench_below(12) == 0) refill = bench_below(10); // the instruction cache misses
            }
        }
        run.push_back(b);
    }
    return run;
}

#endif
