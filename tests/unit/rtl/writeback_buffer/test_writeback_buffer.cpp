// Write-back buffer against a queue: what goes in comes out in order and unchanged, however long it waits; it is found,
// and takes its place, until it is acknowledged, in whatever order that happens; room for one more line, and for two.
// Where caches are coherent, a snoop takes a line's data once: the entry is void from then on, whether it has gone or
// not, stays until it is acknowledged, and the next line there is live again.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { STEPS = 40000 };

struct line {
    uint64_t line, low, high;
    unsigned id; // its entry: they are taken in turn
    bool sent, done;
    bool void_; // a snoop has taken the data
};

static std::unique_ptr<Vtop> top;
static std::deque<struct line> queue; // from the oldest that is not acknowledged on
static unsigned pushes;
static unsigned long full, empty, out, found, twice, late, live, taken, taken_sent, void_out, live_again;
static unsigned was_void; // entries that the last line there has left void

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    top->rst_ni = 0;
    top->push_i = top->take_i = top->done_i = top->snoop_take_i = 0;
    was_void = 0;
    tick();
    tick();
    top->rst_ni = 1;
    queue.clear();
    pushes = 0;
}

static void check() {
    top->eval();
    unsigned entries = top->entries_o;
    bench_check(top->room1_o == (queue.size() < entries), "room for one %u with %zu of %u", top->room1_o, queue.size(),
                entries);
    bench_check(top->room2_o == (queue.size() + 1 < entries), "room for two %u with %zu of %u", top->room2_o,
                queue.size(), entries);
    const struct line *first = NULL;
    unsigned waiting = 0;
    for (const struct line &l : queue) {
        if (!l.sent && !first) first = &l;
        waiting += !l.done;
    }
    bench_check(top->valid_o == (first != NULL), "valid %u with %zu", top->valid_o, queue.size());
    bench_check(top->empty_o == (waiting == 0), "empty %u with %u", top->empty_o, waiting);
    full += queue.size() == entries;
    empty += queue.empty();
    if (!first) return;
    bench_check(top->id_o == first->id, "entry %u, expected %u", top->id_o, first->id);
    bench_check(top->has_o == !first->void_, "entry %u: has data %u, void %u", first->id, top->has_o, first->void_);
    bench_check(top->line_o == first->line && top->low_o == first->low && top->high_o == first->high,
                "line %lx data %lx %lx, expected %lx %lx %lx", (long)top->line_o, (long)top->low_o, (long)top->high_o,
                (long)first->line, (long)first->low, (long)first->high);
}

// Few lines, which differ in one bit anywhere.
static uint64_t random_line() {
    static const uint64_t MIDDLE = 0x1234567890ull;
    unsigned at = bench_below(4);
    return at ? MIDDLE ^ 1ull << bench_below(top->line_bits_o) : MIDDLE;
}

static void check_search() {
    for (unsigned p = 0; p < top->ports_o; p++) {
        unsigned expected = 0;
        for (const struct line &l : queue)
            if (!l.done && l.line == top->look_i[p]) expected |= 1u << l.id;
        bench_check(top->found_o[p] == expected, "line %lx is in %x, expected %x", (long)top->look_i[p],
                    top->found_o[p], expected);
        found += expected != 0;
        twice += (expected & (expected - 1)) != 0;
    }
}

// The line that a snoop looks for is in one entry with its data, at most.
static struct line *find_live(uint64_t line) {
    struct line *at = NULL;
    for (struct line &l : queue)
        if (!l.done && !l.void_ && l.line == line) at = &l;
    return at;
}

static struct line *check_snoop() {
    struct line *at = find_live(top->snoop_i);
    bench_check(top->live_o == (at != NULL), "snoop of %lx: live %u", (long)top->snoop_i, top->live_o);
    if (!at) return NULL;
    live++;
    bench_check(top->live_low_o == at->low && top->live_high_o == at->high,
                "snoop of %lx: data %lx %lx, expected %lx %lx", (long)at->line, (long)top->live_low_o,
                (long)top->live_high_o, (long)at->low, (long)at->high);
    return at;
}

static void cycle(unsigned push_percent, unsigned take_percent, unsigned done_percent) {
    check();
    bool push = queue.size() < top->entries_o && bench_below(100) < push_percent;
    struct line next = {random_line(), bench_random(), bench_random(), pushes % top->entries_o, false, false, false};
    // A snoop acts while nothing else has the port of a whole set, and no PUT goes; what is live is in no cache.
    bool snoop = top->coherent_o && bench_below(3) == 0;
    push = push && !snoop && !(top->coherent_o && find_live(next.line));
    bool take = top->valid_o && !snoop && bench_below(100) < take_percent;
    top->push_i = push;
    top->push_line_i = next.line; // there without a push, too
    top->push_low_i = next.low;
    top->push_high_i = next.high;
    top->take_i = take;
    for (unsigned p = 0; p < 2; p++)
        top->look_i[p] = random_line();
    top->snoop_i = random_line();
    top->snoop_take_i = 0;
    top->eval();
    check_search();
    if (top->coherent_o) {
        struct line *at = check_snoop();
        top->snoop_take_i = snoop && at && bench_below(2);
        if (top->snoop_take_i) {
            at->void_ = true;
            taken++;
            taken_sent += at->sent;
        }
    }
    top->done_i = 0;
    for (struct line &l : queue) {
        if (!l.sent && take) {
            l.sent = true;
            take = false;
            out++;
            void_out += l.void_;
        }
        if (!l.sent || l.done || bench_below(100) >= done_percent) continue;
        l.done = true;
        top->done_i |= 1 << l.id;
        late += &l != &queue.front();
    }
    while (!queue.empty() && queue.front().done) {
        was_void = (was_void & ~(1u << queue.front().id)) | (unsigned)queue.front().void_ << queue.front().id;
        queue.pop_front();
    }
    if (push) {
        queue.push_back(next);
        live_again += was_void >> next.id & 1;
    }
    pushes += push;
    tick();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 8);
    top = std::make_unique<Vtop>();
    unsigned push = 50, take = 50, done = 50;
    for (unsigned i = 0; i < STEPS; i++) {
        if (i % 4000 == 0) reset();
        if (i % 50 == 0) {
            push = bench_below(101);
            take = bench_below(101);
            done = 5 + bench_below(96);
        }
        cycle(push, take, done);
    }
    bench_check(
        full > 1000 && empty > 1000 && out > 1000 && found > 1000 && twice > 100 && late > 1000,
        "full %lu times, empty %lu times, %lu lines out, found %lu times, %lu times twice, %lu acknowledged before "
        "an older one",
        full, empty, out, found, twice, late);
    if (top->coherent_o)
        bench_check(live > 1000 && taken > 1000 && taken_sent > 100 && void_out > 100 && live_again > 100,
                    "snoops: %lu live, %lu taken, %lu of them sent, %lu went without data, %lu entries live again",
                    live, taken, taken_sent, void_out, live_again);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
