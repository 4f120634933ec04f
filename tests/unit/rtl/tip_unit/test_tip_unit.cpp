// tip_unit: directed sequences for each state, for a Drained sample that stays open, for collisions; then random ones
// against a model that is told by events: taken, closed, read.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { COMPUTING, STALLED, FLUSHED, DRAINED };

struct sample {
    unsigned state, valid, oldest, flags, psv[8];
    uint64_t addr[8];
};

static Vtop *top;
static unsigned width;

static void idle() {
    top->trigger_i = top->dispatch_valid_i = top->acknowledge_i = 0;
    top->dispatch_pc_i = 0xbad;
}
static void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    idle();
    top->eval();
}
static void reset() {
    idle();
    top->clk_i = top->rst_ni = 0;
    top->eval();
    edge();
    top->rst_ni = 1;
    top->eval();
}
// A sample of that state as sample_select forms it.
static struct sample select(unsigned state, uint64_t base) {
    struct sample s = {};
    s.state = state;
    s.oldest = state == COMPUTING || state == STALLED ? width - 1 : 0;
    s.valid = state == COMPUTING ? (1u << width) - 1 : state == STALLED ? 1u << (width - 1) : state == FLUSHED;
    s.flags = state == FLUSHED ? 1u << base % 3 : 0;
    for (unsigned i = 0; i < width; i++) {
        if (!(s.valid >> i & 1)) continue;
        s.addr[i] = base + 4 * i;
        s.psv[i] = (unsigned)(base + i) & 0x1ff;
    }
    top->state_i = s.state;
    top->valid_i = s.valid;
    top->oldest_i = s.oldest;
    top->flags_i = s.flags;
    for (unsigned i = 0; i < 8; i++) {
        top->addr_i[i] = s.addr[i];
        top->psv_i[i] = s.psv[i];
    }
    return s;
}
static void expect_sample(const struct sample *e, const char *when) {
    bool good = top->state_o == e->state && top->valid_o == e->valid && top->oldest_o == e->oldest && top->flags_o == e->flags;
    for (unsigned i = 0; i < 8; i++) good = good && top->addr_o[i] == e->addr[i] && top->psv_o[i] == e->psv[i];
    bench_check(good, "%s: state %u lanes 0x%x addr[0] 0x%llx, expected %u 0x%x 0x%llx", when, top->state_o,
                top->valid_o, (unsigned long long)top->addr_o[0], e->state, e->valid, (unsigned long long)e->addr[0]);
}
static void expect(bool taken, bool collision, bool ready, bool pulse, const char *when) {
    top->eval();
    bench_check(top->taken_o == taken && top->collision_o == collision && top->ready_o == ready && top->ready_pulse_o == pulse,
                "%s: taken %d collision %d ready %d pulse %d, expected %d %d %d %d", when, top->taken_o, top->collision_o,
                top->ready_o, top->ready_pulse_o, taken, collision, ready, pulse);
}

static void test_states() {
    for (unsigned state = COMPUTING; state <= FLUSHED; state++) {
        reset();
        struct sample e = select(state, 0x1000 + state);
        expect(false, false, false, false, "before the trigger");
        top->trigger_i = 1;
        expect(true, false, false, false, "trigger");
        edge();
        select(COMPUTING, 0x9999); // what comes later does not get in
        expect(false, false, true, true, "the cycle after it");
        expect_sample(&e, "after the trigger");
        top->dispatch_valid_i = 1;
        top->dispatch_pc_i = 0x7777;
        expect(false, false, true, true, "a dispatch does not touch it");
        edge();
        expect(false, false, true, false, "the pulse is one cycle long");
        expect_sample(&e, "after a dispatch");
        top->trigger_i = 1;
        expect(false, true, true, false, "a trigger while unread");
        edge();
        expect_sample(&e, "after a lost trigger");
        top->acknowledge_i = 1;
        edge();
        expect(false, false, false, false, "read");
    }
}

static void test_drained() {
    reset();
    struct sample e = select(DRAINED, 0);
    top->trigger_i = 1;
    expect(true, false, false, false, "Drained: trigger");
    edge();
    select(STALLED, 0x5000);
    for (unsigned i = 0; i < 3; i++) {
        expect(false, false, false, false, "Drained: open");
        edge();
    }
    top->trigger_i = 1;
    expect(false, true, false, false, "Drained: a trigger while open");
    edge();
    top->acknowledge_i = 1; // of nothing
    expect(false, false, false, false, "Drained: an acknowledge while open");
    edge();
    top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x4440;
    top->trigger_i = 1;
    expect(false, true, false, false, "Drained: the dispatch, and a trigger with it");
    edge();
    e.valid = 1;
    e.addr[0] = 0x4440;
    expect(false, false, true, true, "Drained: closed");
    expect_sample(&e, "Drained: the first that dispatched");
    top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x4444;
    edge();
    expect_sample(&e, "Drained: not the second one");
    top->acknowledge_i = 1;
    edge();

    e = select(DRAINED, 0); // dispatches in the sampled cycle
    top->trigger_i = top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x8880;
    expect(true, false, false, false, "Drained: trigger with a dispatch");
    edge();
    e.valid = 1;
    e.addr[0] = 0x8880;
    expect(false, false, true, true, "Drained: closed at once");
    expect_sample(&e, "Drained: dispatched in the same cycle");
}

// A later exception or flush must not overwrite a sample that is open or unread.
static void test_overwrite() {
    reset();
    struct sample e = select(DRAINED, 0);
    top->trigger_i = 1;
    edge();
    select(FLUSHED, 0x6001);
    top->trigger_i = 1;
    expect(false, true, false, false, "Flushed while Drained is open");
    edge();
    top->dispatch_valid_i = 1;
    top->dispatch_pc_i = 0x123c;
    edge();
    e.valid = 1;
    e.addr[0] = 0x123c;
    expect_sample(&e, "Drained, though Flushed came in between");
    top->trigger_i = top->acknowledge_i = 1;
    expect(false, true, true, true, "a trigger in the cycle of the acknowledge is still a collision");
    edge();
    e = select(STALLED, 0x2222);
    top->trigger_i = 1;
    expect(true, false, false, false, "right after the acknowledge");
    edge();
    expect(false, false, true, true, "back to back: the pulse comes again");
    expect_sample(&e, "back to back");
    reset();
    expect(false, false, false, false, "reset drops it");
    select(DRAINED, 0);
    top->trigger_i = 1;
    edge();
    reset(); // of one that is open
    top->dispatch_valid_i = 1;
    expect(false, false, false, false, "reset drops an open one");
    edge();
    expect(false, false, false, false, "... for good");
    top->trigger_i = 1;
    expect(true, false, false, false, "... and the next trigger is taken");
}

static void test_random(unsigned cycles) {
    struct sample held = {};
    bool open = false, ready = false, fresh = false; // fresh: ready for the first cycle
    unsigned taken = 0, lost = 0, closed = 0;
    reset();
    for (unsigned n = 0; n < cycles; n++) {
        struct sample now = select(bench_below(4), bench_random() >> 8);
        top->trigger_i = bench_below(4) == 0;
        top->dispatch_valid_i = bench_below(4) == 0;
        top->dispatch_pc_i = bench_random();
        top->acknowledge_i = bench_below(4) == 0;
        uint64_t pc = top->dispatch_pc_i;
        bool busy = open || ready, trigger = top->trigger_i, dispatch = top->dispatch_valid_i, read = top->acknowledge_i;
        expect(trigger && !busy, trigger && busy, ready, fresh, "random");
        if (ready) expect_sample(&held, "random");
        lost += trigger && busy;
        fresh = false;
        if (trigger && !busy) {
            held = now;
            open = now.state == DRAINED;
            ready = fresh = !open;
            taken++;
        } else if (ready && read) {
            ready = false;
        }
        if (open && dispatch) {
            held.valid = 1;
            held.addr[0] = pc;
            open = false;
            ready = fresh = true;
            closed++;
        }
        edge();
    }
    bench_check(taken > cycles / 20 && lost > cycles / 20 && closed > cycles / 100, "%u taken, %u lost, %u closed", taken, lost, closed);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    reset();
    width = top->width_o;
    test_states();
    test_drained();
    test_overwrite();
    test_random(40000);
    top->final();
    delete top;
    return bench_end();
}
