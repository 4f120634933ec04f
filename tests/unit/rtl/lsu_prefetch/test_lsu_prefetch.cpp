// Next-line prefetcher against a queue of two: a miss puts the line after it there, from the first port that has one to
// ask for; not over the end of a page, not the line asked for last, not where two wait. None without a prefetcher.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { STEPS = 60000, LINES_OF_PAGE = 64 };

static Vtop *top;
static std::deque<uint64_t> queue;
static uint64_t last, page;
static bool asked; // last is what was asked for last
static unsigned long taken, repeated, page_ends, dropped, both, refilled;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// The reset in the middle of things: what waits is gone, and so is the line asked for last.
static void reset() {
    top->rst_ni = 0;
    top->take_i = 0;
    tick();
    top->miss_i = 0;
    top->rst_ni = 1;
    queue.clear();
    asked = false;
}

// A line near the last one, at the end of a page, or anywhere: the addresses' top bits, too.
static uint64_t random_line() {
    unsigned unused = 64 - top->line_bits_o;
    if (bench_below(30) == 0) page = bench_random() << unused >> unused & -(uint64_t)LINES_OF_PAGE;
    switch (bench_below(4)) {
    case 0: return page | (LINES_OF_PAGE - 1 - bench_below(3));
    case 1: return asked && last % LINES_OF_PAGE ? last - 1 : page; // its next line is the one asked for last
    case 2: return page | bench_below(4);
    default: return page | bench_below(LINES_OF_PAGE);
    }
}

// The line that a cycle's misses ask for.
static bool wanted(uint64_t *next) {
    for (unsigned p = 0; p < top->ports_o; p++) {
        if (!(top->miss_i >> p & 1)) continue;
        if (top->line_i[p] % LINES_OF_PAGE == LINES_OF_PAGE - 1) {
            page_ends++;
            continue;
        }
        *next = top->line_i[p] + 1;
        if (!asked || *next != last) return top->prefetches_o;
        repeated++;
    }
    return false;
}

static void cycle(unsigned misses, unsigned takes) {
    top->eval();
    bench_check(top->valid_o == !queue.empty(), "a line waits: %u, expected %u", top->valid_o, !queue.empty());
    if (!queue.empty())
        bench_check(top->line_o == queue.front(), "line %llx, expected %llx", (unsigned long long)top->line_o,
                    (unsigned long long)queue.front());
    top->miss_i = 0;
    for (unsigned p = 0; p < 2; p++) {
        top->line_i[p] = random_line();
        if (p < top->ports_o) top->miss_i |= (bench_below(100) < misses) << p;
    }
    top->take_i = !queue.empty() && bench_below(100) < takes;
    if (top->take_i) queue.pop_front();
    taken += top->take_i;
    uint64_t next = 0;
    if (wanted(&next)) {
        both += top->take_i && queue.empty();
        refilled += top->take_i && queue.size() == 1;
        if (queue.size() == 2) {
            dropped++;
        } else {
            queue.push_back(next);
            last = next;
            asked = true;
        }
    }
    tick();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 17);
    auto owner = std::make_unique<Vtop>();
    top = owner.get();
    top->eval();
    unsigned misses = 50, takes = 50;
    for (unsigned i = 0; i < STEPS; i++) {
        if (i % 1000 == 0) reset();
        if (i % 50 == 0) {
            misses = bench_below(101);
            takes = bench_below(101);
        }
        cycle(misses, takes);
    }
    if (top->prefetches_o)
        bench_check(taken > 1000 && repeated > 1000 && dropped > 1000 && both > 1000 && refilled > 500,
                    "%lu taken, %lu asked for again, %lu dropped, %lu and %lu in the cycle of a take", taken, repeated,
                    dropped, both, refilled);
    bench_check(page_ends > 1000, "%lu at the end of a page", page_ends);
    top->final();
    return bench_end();
}
