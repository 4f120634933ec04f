// Places of rings against plain numbers, queues against std::deque, at sizes from one on, powers of two or not: random steps and places,
// random pushes and pops, now more of the ones and now of the others; resets.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>

enum { SIZES = 8, PLACES = 8, CYCLES = 60000 };
static Vtop *top;
static unsigned place[SIZES], wrap[SIZES]; // of the rings
static std::deque<uint16_t> queue[SIZES];

// The place with its wrap bit, where the ring has one.
static unsigned shown(unsigned s, unsigned on) {
    unsigned size = top->size_o[s], bits = 1, at = place[s] + on, turn = wrap[s];
    while (1u << bits < size) bits++;
    if (at >= size) {
        at -= size;
        turn ^= 1;
    }
    return at | (s % 2 == 0 ? turn << bits : 0);
}

static void check(unsigned long cycle) {
    for (unsigned s = 0; s < SIZES; s++) {
        for (unsigned n = 0; n < PLACES && n <= (unsigned)top->most_o[s]; n++)
            bench_check(top->at_o[PLACES * s + n] == shown(s, n), "cycle %lu: ring of %d: %u places on is %u, expected %u", cycle, top->size_o[s], n,
                        top->at_o[PLACES * s + n], shown(s, n));
        bool full = queue[s].size() == (size_t)top->size_o[s], empty = queue[s].empty();
        bench_check((top->room_o >> s & 1) == !full && (top->valid_o >> s & 1) == !empty, "cycle %lu: queue of %d holds %zu: room %u, valid %u", cycle,
                    top->size_o[s], queue[s].size(), top->room_o >> s & 1, top->valid_o >> s & 1);
        bench_check(empty || top->data_o[s] == queue[s].front(), "cycle %lu: queue of %d shows %x, expected %x", cycle, top->size_o[s], top->data_o[s],
                    empty ? 0 : queue[s].front());
    }
}

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    edge();
    top->rst_ni = 1;
    for (unsigned s = 0; s < SIZES; s++) {
        place[s] = wrap[s] = 0;
        queue[s].clear();
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 35);
    top = new Vtop;
    unsigned long full = 0, empty = 0, wraps = 0, through = 0;
    reset();
    for (unsigned long cycle = 0; cycle < CYCLES; cycle++) {
        unsigned mood = cycle / 64 % 3; // pops are rare, pushes are rare, both come often
        top->clk_i = 0;
        for (unsigned s = 0; s < SIZES; s++) {
            unsigned size = top->size_o[s], most = top->most_o[s], bit = 1u << s;
            bool pop = !queue[s].empty() && bench_below(mood == 0 ? 5 : 2) == 0;
            bool push = (queue[s].size() < size || pop) && bench_below(mood == 1 ? 5 : 2) == 0; // a full one takes one as it gives one
            through += push && queue[s].size() == size;
            top->push_i = (CData)((top->push_i & ~bit) | (push ? bit : 0));
            top->pop_i = (CData)((top->pop_i & ~bit) | (pop ? bit : 0));
            top->data_i[s] = (SData)bench_random();
            top->put_i = (CData)((top->put_i & ~bit) | (bench_below(20) == 0 ? bit : 0));
            top->step_i[s] = (CData)bench_below(most + 1);
            unsigned bits = 1;
            while (1u << bits < size) bits++;
            top->put_at_i[s] = (CData)(bench_below(size) | (s % 2 == 0 ? bench_below(2) << bits : 0));
        }
        top->eval();
        check(cycle);
        for (unsigned s = 0; s < SIZES; s++) {
            unsigned size = top->size_o[s], bits = 1;
            while (1u << bits < size) bits++;
            if (top->put_i >> s & 1) {
                place[s] = top->put_at_i[s] & ((1u << bits) - 1);
                wrap[s] = top->put_at_i[s] >> bits;
            } else {
                place[s] += top->step_i[s];
                if (place[s] >= size) {
                    place[s] -= size;
                    wrap[s] ^= 1;
                    wraps++;
                }
            }
            full += queue[s].size() == size;
            empty += queue[s].empty();
            if (top->pop_i >> s & 1) queue[s].pop_front();
            if (top->push_i >> s & 1) queue[s].push_back(top->data_i[s]);
        }
        edge();
        if (bench_below(2000) == 0) reset();
    }
    bench_check(full > 1000 && empty > 1000 && wraps > 1000 && through > 1000, "full %lu times, empty %lu, round %lu, through a full one %lu", full, empty,
                wraps, through);
    top->final();
    delete top;
    return bench_end();
}
