// Return stack against an unbounded stack: what was pushed last within the stack's size comes back, and a snapshot
// undoes wrong-path work on the upper two entries.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>
#include <vector>

static std::unique_ptr<Vtop> top;

static void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->push_i = top->pop_i = top->restore_i = top->restore_push_i = top->restore_pop_i = 0;
}

static void reset() {
    top->rst_ni = 0;
    tick();
    top->rst_ni = 1;
    tick();
}

struct snapshot {
    uint8_t ptr;
    uint64_t top;
};

static struct snapshot take() {
    top->eval();
    return {top->snap_ptr_o, top->snap_top_o};
}

static void operate(bool push, bool pop, uint64_t link) {
    top->push_i = push;
    top->pop_i = pop;
    top->link_i = link;
    top->eval();
    uint64_t announced = top->next_top_o;
    tick();
    top->eval();
    bench_check(top->top_o == announced, "announced top 0x%lx, is 0x%lx", announced, top->top_o);
}

static void restore(struct snapshot s, bool push, bool pop, uint64_t link) {
    top->restore_i = 1;
    top->restore_ptr_i = s.ptr;
    top->restore_top_i = s.top;
    top->restore_push_i = push;
    top->restore_pop_i = pop;
    top->restore_link_i = link;
    tick();
    top->eval();
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 77);
    top = std::make_unique<Vtop>();
    top->push_i = top->pop_i = top->restore_i = 0;
    reset();
    top->eval();
    unsigned entries = top->entries_o;

    // As deep as it is, then deeper: the newest survive.
    for (unsigned depth : {1u, entries / 2, entries, entries + 3}) {
        reset();
        for (unsigned i = 0; i < depth; i++) operate(true, false, 0x1000 + 4 * i);
        for (unsigned i = depth; i-- > (depth > entries ? depth - entries : 0);) {
            bench_check(top->top_o == 0x1000 + 4 * i, "depth %u: entry %u is 0x%lx", depth, i, top->top_o);
            operate(false, true, 0);
        }
    }

    // push and pop in one: a coroutine swaps the top
    reset();
    operate(true, false, 0x100);
    operate(true, false, 0x200);
    operate(true, true, 0x300);
    bench_check(top->top_o == 0x300, "swap: 0x%lx", top->top_o);
    operate(false, true, 0);
    bench_check(top->top_o == 0x100, "below a swap: 0x%lx", top->top_o);

    // restore with the corrected instruction's own push or pop
    reset();
    operate(true, false, 0x100);
    operate(true, false, 0x200);
    struct snapshot s = take();
    operate(false, true, 0);
    operate(true, false, 0xbad);
    restore(s, false, false, 0);
    bench_check(top->top_o == 0x200, "restored: 0x%lx", top->top_o);
    restore(s, true, false, 0x300);
    bench_check(top->top_o == 0x300, "restored and pushed: 0x%lx", top->top_o);
    operate(false, true, 0);
    bench_check(top->top_o == 0x200, "below that: 0x%lx", top->top_o);
    restore(s, false, true, 0);
    bench_check(top->top_o == 0x100, "restored and popped: 0x%lx", top->top_o);
    restore(s, true, true, 0x400);
    bench_check(top->top_o == 0x400, "restored and swapped: 0x%lx", top->top_o);
    operate(false, true, 0);
    bench_check(top->top_o == 0x100, "below that: 0x%lx", top->top_o);

    // Random calls and returns with wrong paths that touch the upper two entries, against a model.
    reset();
    std::vector<uint64_t> model;
    unsigned compared = 0;
    for (unsigned i = 0; i < 20000; i++) {
        if (bench_below(4) == 0) {
            s = take();
            static const bool wrong[4][3] = {{true, true, false}, {false, true, true}, {true, false, true}, {false, true, false}};
            const bool *path = wrong[bench_below(4)];
            unsigned length = 1 + bench_below(2); // at most one entry below the top is popped
            for (unsigned k = 0; k < length; k++) operate(path[k], !path[k], bench_random());
            restore(s, false, false, 0);
        } else if (model.size() < entries - 1 && (model.empty() || bench_below(2))) {
            uint64_t link = bench_random();
            operate(true, false, link);
            model.push_back(link);
        } else {
            bench_check(top->top_o == model.back(), "step %u: 0x%lx, expected 0x%lx", i, top->top_o, model.back());
            compared++;
            operate(false, true, 0);
            model.pop_back();
        }
    }
    bench_check(compared > 1000, "only %u returns compared", compared);
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
