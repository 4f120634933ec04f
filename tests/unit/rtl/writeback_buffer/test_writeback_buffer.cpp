// Write-back buffer against a queue: what goes in comes out in order and unchanged, however long it waits in a full
// buffer; it says whether one more fits and whether two do.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { STEPS = 40000 };

struct line {
    uint64_t line, low, high;
};

static std::unique_ptr<Vtop> top;
static std::deque<struct line> queue;
static unsigned long full, empty, out;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    top->push_i = top->take_i = 0;
    tick();
    tick();
    top->rst_ni = 1;
    queue.clear();
}

static void check() {
    top->eval();
    unsigned entries = top->entries_o;
    bench_check(top->room1_o == (queue.size() < entries), "room for one %u with %zu of %u", top->room1_o, queue.size(),
                entries);
    bench_check(top->room2_o == (queue.size() + 1 < entries), "room for two %u with %zu of %u", top->room2_o,
                queue.size(), entries);
    bench_check(top->valid_o == !queue.empty(), "valid %u with %zu", top->valid_o, queue.size());
    full += queue.size() == entries;
    empty += queue.empty();
    if (queue.empty()) return;
    const struct line *first = &queue.front();
    bench_check(top->line_o == first->line && top->low_o == first->low && top->high_o == first->high,
                "line %lx data %lx %lx, expected %lx %lx %lx", (long)top->line_o, (long)top->low_o, (long)top->high_o,
                (long)first->line, (long)first->low, (long)first->high);
}

static void cycle(unsigned push_percent, unsigned take_percent) {
    check();
    unsigned bits = top->line_bits_o;
    struct line next = {bits < 64 ? bench_random() >> (64 - bits) : bench_random(), bench_random(), bench_random()};
    bool push = queue.size() < top->entries_o && bench_below(100) < push_percent;
    bool take = !queue.empty() && bench_below(100) < take_percent;
    top->push_i = push;
    top->push_line_i = next.line; // there without a push, too
    top->push_low_i = next.low;
    top->push_high_i = next.high;
    top->take_i = take;
    if (push) queue.push_back(next);
    if (take) queue.pop_front();
    out += take;
    tick();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 8);
    top = std::make_unique<Vtop>();
    unsigned push = 50, take = 50;
    for (unsigned i = 0; i < STEPS; i++) {
        if (i % 4000 == 0) reset();
        if (i % 50 == 0) {
            push = bench_below(101);
            take = bench_below(101);
        }
        cycle(push, take);
    }
    bench_check(full > 1000 && empty > 1000 && out > 1000, "full %lu times, empty %lu times, %lu lines out", full,
                empty, out);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
