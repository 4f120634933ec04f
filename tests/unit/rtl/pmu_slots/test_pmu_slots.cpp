// pmu_slots: what a redirect costs and whose it is, step by step; every instruction form by whether it accesses memory; and random
// bundles, also such as no core shows, against a model that looks back over all cycles (slots.h). Every slot is counted once.
#include "../slots.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

enum { NOP = 0x13, LOAD = 0x13083 };

static Vtop *top;
static unsigned width, all;
static slots_model model;

static const struct {
    uint32_t bits;
    bool accesses;
} FORMS[] = {
    {0x00013083, true},  // ld ra, 0(sp)
    {0x00113023, true},  // sd ra, 0(sp)
    {0x00012087, true},  // flw ft1, 0(sp)
    {0x00113027, true},  // fsd ft1, 0(sp)
    {0x0020a0af, true},  // amoadd.w ra, sp, (ra)
    {0x1000a0af, true},  // lr.w ra, (ra)
    {0x00000013, false}, // nop
    {0x00208463, false}, // beq
    {0x008000ef, false}, // jal
    {0x00008067, false}, // ret
    {0x00000517, false}, // auipc
    {0x0000100f, false}, // fence.i
    {0x0000000f, false}, // fence
    {0x00000073, false}, // ecall
    {0x02c5d53b, false}, // divuw
    {0x001070d3, false}, // fadd.s
    {0x00117043, false}, // fmadd.s
    {0x4502, true},      // c.lwsp a0
    {0x6502, true},      // c.ldsp a0
    {0x2502, true},      // c.fldsp fa0
    {0xc006, true},      // c.swsp ra
    {0xe006, true},      // c.sdsp ra
    {0xa006, true},      // c.fsdsp ft1
    {0x4108, true},      // c.lw a0, 0(a0)
    {0x6108, true},      // c.ld a0, 0(a0)
    {0x2108, true},      // c.fld fa0, 0(a0)
    {0xc108, true},      // c.sw a0, 0(a0)
    {0xe108, true},      // c.sd a0, 0(a0)
    {0xa108, true},      // c.fsd fa0, 0(a0)
    {0x0808, false},     // c.addi4spn a0, sp, 16
    {0x050e, false},     // c.slli a0, 3
    {0x8082, false},     // c.jr ra
    {0x9002, false},     // c.ebreak
    {0x85b2, false},     // c.mv a1, a2
    {0x95b2, false},     // c.add a1, a2
    {0x4501, false},     // c.li a0, 0
    {0x2505, false},     // c.addiw a0, 1
    {0xa001, false},     // c.j .
    {0xc101, false},     // c.beqz a0, .
    {0x8d0d, false},     // c.sub a0, a1
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

static void drive(const slots_cycle &c, bool wanted, bool at_zero) {
    top->clk_i = 0;
    top->wanted_i = wanted;
    top->commit_i = c.commit;
    top->flush_i = c.flush;
    top->oldest_i = c.oldest;
    top->rob_empty_i = c.rob_empty;
    top->exception_i = c.exception;
    top->redirect_i = c.redirect;
    top->dispatch_valid_i = c.dispatch;
    for (unsigned i = 0; i < 8; i++) { // any single bit of an address announces an instruction; one that dispatches may be at 0
        top->dispatch_pc_i[i] = c.occupied >> i & 1 ? UINT64_C(1) << bench_below(64) : at_zero || !(c.dispatch >> i & 1) ? 0 : bench_random();
        top->insn_i[i] = i == c.oldest ? c.oldest_insn : FORMS[bench_below(FORM_COUNT)].bits;
    }
    top->eval();
}

// One cycle: all outputs, then the clock.
static slots_use cycle(const slots_cycle &c, bool wanted, const char *what) {
    const slots_use e = model.step(width, c);
    drive(c, wanted, bench_below(2));
    const bool good = wanted ? top->dispatched_o == e.dispatched && top->latency_o == e.latency && top->bandwidth_o == e.bandwidth && top->memory_o == e.memory &&
                                   top->recovery_branch_o == e.recovery_branch && top->recovery_clear_o == e.recovery_clear && top->branch_redirect_o == e.branch_redirect &&
                                   top->clear_o == e.clear
                             : !(top->dispatched_o | top->latency_o | top->bandwidth_o | top->memory_o | top->recovery_branch_o | top->recovery_clear_o |
                                 top->branch_redirect_o | top->clear_o);
    bench_check(good,
                "%s%s: dispatched 0x%x latency 0x%x bandwidth 0x%x memory 0x%x recovery 0x%x 0x%x redirect %d clear %d, expected 0x%x 0x%x 0x%x 0x%x 0x%x 0x%x %u %u", what,
                wanted ? "" : ", not wanted", top->dispatched_o, top->latency_o, top->bandwidth_o, top->memory_o, top->recovery_branch_o, top->recovery_clear_o,
                top->branch_redirect_o, top->clear_o, e.dispatched, e.latency, e.bandwidth, e.memory, e.recovery_branch, e.recovery_clear, e.branch_redirect, e.clear);
    top->clk_i = 1;
    top->eval();
    return e;
}

static void reset() {
    drive({}, true, false);
    top->rst_ni = 0;
    top->clk_i = 1;
    top->eval();
    top->rst_ni = 1;
    model.reset();
}

static void expect(unsigned got, unsigned expected, const char *what) {
    bench_check(got == expected, "%s: 0x%x, expected 0x%x", what, got, expected);
}

static slots_cycle idle() {
    slots_cycle c = {};
    c.oldest_insn = NOP;
    return c;
}

// Facts by hand, beside the model: a fault of the model shows here.
static void test_stories() {
    slots_cycle none = idle(), runs = none, held = none, redirected = none, trap = none;
    runs.dispatch = runs.occupied = all;
    held.occupied = all;
    redirected.redirect = true;
    trap.exception = true;
    reset();
    none.rob_empty = true;
    cycle(none, true, "from reset");
    expect(top->latency_o, all, "from reset: latency");
    none.rob_empty = false;
    cycle(none, true, "empty, stalls");
    expect(top->latency_o | top->bandwidth_o | top->memory_o, 0, "while the ROB stalls: the core's");
    none.oldest_insn = LOAD;
    cycle(none, true, "empty, stalls on a load");
    expect(top->memory_o, all, "... on a load");
    none.commit = 1;
    cycle(none, true, "empty, commits");
    expect(top->latency_o, all, "... and not while something commits");
    none = idle();
    cycle(runs, true, "dispatches");
    expect(top->dispatched_o, all, "all dispatch");
    cycle(held, true, "held");
    expect(top->memory_o | top->latency_o | top->bandwidth_o, 0, "held by no access");
    held.oldest_insn = LOAD;
    cycle(held, true, "held by a load");
    expect(top->memory_o, all, "held by a load");
    held.rob_empty = true;
    cycle(held, true, "held, ROB empty");
    expect(top->memory_o, 0, "held while the ROB is empty");
    held.rob_empty = false;
    held.commit = 1;
    cycle(held, true, "held, commits");
    expect(top->memory_o, 0, "held while something commits");
    // A branch: everything from its redirect on, what was held then included, until something dispatches.
    held.commit = 0;
    held.redirect = true;
    cycle(held, true, "redirect, held");
    expect(top->recovery_branch_o, all, "what the redirect throws away");
    expect(top->branch_redirect_o, 1, "its redirect");
    for (unsigned i = 0; i < 5; i++) {
        cycle(none, true, "recovery");
        expect(top->recovery_branch_o, all, "recovery of a branch");
    }
    held.redirect = false;
    cycle(held, true, "recovery, held");
    expect(top->memory_o, all, "held in recovery: the back end's");
    cycle(runs, true, "recovered");
    none.rob_empty = true;
    cycle(none, true, "after recovery");
    expect(top->latency_o, all, "recovery has ended");
    none.rob_empty = false;
    // A trap, whose redirect comes a cycle after it, or many.
    for (unsigned late = 0; late < 4; late++) {
        cycle(trap, true, "trap");
        expect(top->clear_o, 1, "a clear");
        redirected.rob_empty = none.rob_empty = true;
        for (unsigned i = 0; i < late; i++) cycle(none, true, "trap, no redirect yet");
        if (late) expect(top->latency_o, all, "before its redirect: the front end's");
        cycle(redirected, true, "redirect of a trap");
        expect(top->branch_redirect_o, 0, "no branch's redirect");
        expect(top->recovery_clear_o, all, "recovery of a trap");
        cycle(none, true, "recovery of a trap");
        expect(top->recovery_clear_o, all, "... goes on");
        redirected.rob_empty = none.rob_empty = false;
        cycle(runs, true, "recovered");
        cycle(redirected, true, "a branch after it, before anything has committed");
        expect(top->branch_redirect_o, 1, "a branch's redirect");
        expect(top->recovery_branch_o, all, "recovery of the branch");
        cycle(runs, true, "recovered");
    }
    // A branch whose redirect finds the ROB empty, for it has committed.
    slots_cycle commits = none;
    commits.commit = 1;
    cycle(commits, true, "commits");
    redirected.rob_empty = true;
    cycle(redirected, true, "redirect of a branch that has left");
    expect(top->branch_redirect_o, 1, "a branch's, ROB empty");
    // An instruction that flushes, in whatever lane; its redirect in the same cycle. Flags of lanes that do not commit do not matter.
    for (unsigned i = 0; i < width; i++) {
        slots_cycle flushes = none;
        flushes.redirect = true;
        flushes.commit = flushes.flush = 1u << i;
        cycle(flushes, true, "flush");
        expect(top->clear_o, 1, "a flush clears");
        expect(top->recovery_clear_o, all, "recovery of a flush");
        cycle(runs, true, "recovered");
        flushes.commit = all & ~(1u << i);
        cycle(flushes, true, "no flush");
        expect(top->clear_o, 0, "a flag of what does not commit");
        cycle(runs, true, "recovered");
    }
}

// One slot alone is empty, held, or dispatches.
static void test_each_slot() {
    reset();
    for (unsigned k = 0; k < width; k++) {
        slots_cycle c = idle();
        c.dispatch = c.occupied = all & ~(1u << k);
        c.oldest_insn = LOAD;
        cycle(c, true, "one empty");
        if (width > 1) expect(top->bandwidth_o, 1u << k, "one slot is empty");
        expect(top->memory_o, width == 1 ? 1 : 0, "... though a load stalls the ROB");
        c.occupied = all;
        cycle(c, true, "one held");
        expect(top->memory_o, 1u << k, "one slot is held");
        c.dispatch = c.occupied = 1u << k;
        cycle(c, true, "one dispatches");
        expect(top->dispatched_o, 1u << k, "one slot dispatches");
    }
}

static void test_forms() {
    reset();
    for (const auto &form : FORMS) {
        for (unsigned lane = 0; lane < width; lane++) {
            slots_cycle c = idle();
            c.oldest = lane;
            c.oldest_insn = form.bits;
            c.occupied = all;
            cycle(c, true, "form");
            bench_check(top->memory_o == (form.accesses ? all : 0), "0x%x: memory 0x%x", form.bits, top->memory_o);
        }
    }
}

static void test_random() {
    unsigned long seen[8] = {0}, slots = 0, cycles = 60000;
    reset();
    for (unsigned long n = 0; n < cycles; n++) {
        slots_cycle c = idle();
        c.redirect = bench_below(6) == 0;
        c.exception = bench_below(12) == 0;
        c.rob_empty = bench_below(3) == 0;
        c.commit = bench_below(3) ? 0 : bench_below(1u << width);
        c.flush = bench_below(8) ? 0 : bench_below(256);
        c.oldest = bench_below(width);
        c.oldest_insn = FORMS[bench_below(FORM_COUNT)].bits;
        const unsigned kind = bench_below(4);
        c.occupied = kind == 0 ? 0 : kind == 1 ? all : bench_below(all + 1);
        c.dispatch = bench_below(3) == 0 ? bench_below(all + 1) : bench_below(3) == 0 ? c.occupied : 0;
        const slots_use e = cycle(c, bench_below(8) != 0, "random");
        const unsigned counts[] = {e.dispatched, e.latency, e.bandwidth, e.memory, e.recovery_branch, e.recovery_clear, e.branch_redirect, e.clear};
        for (unsigned i = 0; i < 8; i++) seen[i] += counts[i] != 0;
        slots += (unsigned)__builtin_popcount(e.dispatched | e.latency | e.bandwidth | e.memory | e.recovery_branch | e.recovery_clear);
        if (bench_below(500) == 0) reset();
    }
    for (unsigned i = 0; i < 8; i++) bench_check(seen[i] > 200 || (i == 2 && width == 1), "output %u: only %lu cycles: the test is too weak", i, seen[i]);
    bench_check(slots < cycles * width, "no slot is the core's");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->clk_i = 0;
    top->rst_ni = 0;
    top->eval();
    width = top->width_o;
    all = (1u << width) - 1;
    test_stories();
    test_each_slot();
    test_forms();
    test_random();
    top->final();
    delete top;
    return bench_end();
}
