// Event counters: what the tally makes of cycles made by hand, every event once at least, and what the worker says of
// reads by the program, of overflows and of those of --count, right ones and wrong ones. Expected numbers are counted
// on paper.
#include "csrs.h"
#include "events.h"
#include "tests/unit/workers/views.h"
#include "workers/counter_model.h"
#include <errno.h>

extern const struct worker_ops worker_counters;

enum { M = 1 << MODE_MACHINE, S = 1 << MODE_SUPERVISOR, U = 1 << MODE_USER };
enum { BNE = 0x00b51463, JALR = 0x000080e7, JAL = 0x0040006f, C_J = 0xa001, C_BEQZ = 0xc101, C_JR = 0x8082 };
enum { ADD = 0x00b50533, C_MV = 0x852e, C_EBREAK = 0x9002, C_ADD = 0x952e, LD = 0x0005b503, C_LW = 0x4108 };

// ---- the tally ----
struct cycles {
    struct event_tally tally;
    struct commit_bundle bundle;
    struct trace_left left;
    struct golden golden;
    struct worker_view view;
};

static void begin(struct cycles *c) {
    *c = (struct cycles){.tally = {.width = WIDTH}};
    c->view = (struct worker_view){.bundle = &c->bundle, .left = &c->left, .golden = &c->golden};
    c->bundle.dispatch_pc[0] = c->bundle.dispatch_pc[1] = 0;
    c->bundle.rob_empty = true;
}

static void pass(struct cycles *c, uint64_t cycle, uint64_t count, unsigned mode) {
    c->view.cycle = cycle;
    c->view.count = count;
    event_tally_cycle(&c->tally, &c->view, mode);
    c->left = (struct trace_left){0};
    c->bundle = (struct commit_bundle){.rob_empty = true};
}

// These commit, oldest first in lane 0.
static void commits(struct cycles *c, unsigned count, uint32_t first, uint32_t second) {
    c->left.count = (uint16_t)count;
    c->golden.step[0].insn = first;
    c->golden.step[1].insn = second;
    c->bundle.rob_empty = false;
    c->bundle.commit = c->bundle.valid = c->bundle.first = (uint8_t)((1u << count) - 1);
}

#define tallied(c, event, modes, cycle, expected)                                                                      \
    assert_int_equal(event_tally_up_to(&(c)->tally, PMU_EVENT_##event, modes, cycle), expected)

// Two triggers on one address with one action are one hit; mode, address and execute must all agree.
static void test_triggers(void **unused) {
    enum { EXECUTE = 1 << 2, IN_U = 1 << 3, IN_M = 1 << 6, OUT_1 = 1 << 12, HERE = 0x1000, THERE = 0x1002 };
    struct cycles c;
    (void)unused;
    begin(&c);
    c.tally.triggered = true;
    c.tally.triggers[0] = (struct tally_trigger){EXECUTE | IN_M, HERE};
    c.tally.triggers[1] = (struct tally_trigger){EXECUTE | IN_M, HERE};
    c.tally.triggers[2] = (struct tally_trigger){EXECUTE | IN_U | OUT_1, THERE};
    c.tally.triggers[7] = (struct tally_trigger){IN_U | IN_M, HERE};
    for (unsigned cycle = 0; cycle < 3; cycle++) { // in U, S and M
        static const unsigned modes[] = {MODE_USER, MODE_SUPERVISOR, MODE_MACHINE};
        commits(&c, 2, ADD, ADD);
        c.golden.step[0].pc = HERE;
        c.golden.step[1].pc = THERE;
        pass(&c, cycle, 1, modes[cycle]);
    }
    commits(&c, 2, ADD, ADD);
    c.golden.step[0].pc = c.golden.step[1].pc = HERE;
    pass(&c, 3, 1, MODE_MACHINE);
    commits(&c, 1, ADD, 0); // the second has not left
    pass(&c, 4, 1, MODE_MACHINE);
    tallied(&c, TRIGGER_0, M | S | U, 4, 4);
    tallied(&c, TRIGGER_0, M, 3, 3);
    tallied(&c, TRIGGER_0, S | U, 4, 0);
    tallied(&c, TRIGGER_1, M | S, 4, 0);
    tallied(&c, TRIGGER_1, U, 4, 1);
}

static void test_states(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    pass(&c, 0, 10, MODE_MACHINE); // nothing has left yet: Drained
    commits(&c, 1, ADD, 0);
    pass(&c, 10, 1, MODE_MACHINE);
    pass(&c, 11, 2, MODE_MACHINE); // behind one that does not flush: Drained
    commits(&c, 2, ADD, BNE);
    c.bundle.mispredict = 2; // the youngest
    pass(&c, 13, 1, MODE_MACHINE);
    pass(&c, 14, 3, MODE_MACHINE); // Flushed
    c.bundle.rob_empty = false;
    pass(&c, 17, 5, MODE_MACHINE); // Stalled
    commits(&c, 2, BNE, ADD);
    c.bundle.mispredict = 1; // not the youngest
    pass(&c, 22, 1, MODE_MACHINE);
    pass(&c, 23, 1, MODE_MACHINE); // Drained
    c.bundle.rob_empty = false;
    c.bundle.exception = true;
    c.left.trap.valid = true;
    pass(&c, 24, 1, MODE_MACHINE); // an exception is Stalled
    pass(&c, 25, 4, MODE_MACHINE); // Flushed
    commits(&c, 2, ADD, ADD);
    c.bundle.oldest = 1; // lane 1, then lane 0
    c.bundle.flush = 1;
    pass(&c, 29, 1, MODE_MACHINE);
    pass(&c, 30, 1, MODE_MACHINE); // Flushed
    tallied(&c, CYCLES, M, 30, 31);
    tallied(&c, COMPUTING, M, 30, 4);
    tallied(&c, STALLED, M, 30, 6);
    tallied(&c, FLUSHED, M, 30, 8);
    tallied(&c, DRAINED, M, 30, 13);
    tallied(&c, INSTRUCTIONS, M, 30, 7);
    tallied(&c, FLUSHES, M, 30, 1);
    tallied(&c, EXCEPTIONS, M, 30, 1);
    tallied(&c, CLEARS, M, 30, 2);
}

static void test_branches(void **unused) {
    static const uint32_t are[] = {BNE, JALR, JAL, C_J, C_BEQZ, C_JR};
    static const uint32_t are_not[] = {ADD, C_MV, C_EBREAK, C_ADD, LD, C_LW};
    struct cycles c;
    (void)unused;
    begin(&c);
    for (unsigned i = 0; i < 6; i++) {
        commits(&c, 2, are[i], are_not[i]);
        pass(&c, i, 1, MODE_USER);
        tallied(&c, BRANCHES, U, i, i + 1);
    }
    tallied(&c, BRANCHES, M | S, 5, 0);
}

// What leaves by a trap or a replay takes its vector along; the two are distinguished, and from interrupts.
static void test_vectors_and_traps(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    commits(&c, 2, LD, LD);
    c.bundle.psv[0] = 1 << EVENT_ST_L1 | 1 << EVENT_ST_TLB;
    c.bundle.psv[1] = 1 << EVENT_ST_L1;
    pass(&c, 0, 1, MODE_SUPERVISOR);
    c.bundle.rob_empty = false;
    c.bundle.psv[0] = 1 << EVENT_ST_L1; // it waits: does not count
    pass(&c, 1, 1, MODE_SUPERVISOR);
    c.bundle.rob_empty = false;
    c.bundle.exception = c.bundle.replay = true;
    c.bundle.exception_psv = 1 << EVENT_FL_MO | 1 << EVENT_ST_L1;
    pass(&c, 2, 1, MODE_SUPERVISOR);
    c.bundle.rob_empty = false;
    c.bundle.exception = c.bundle.interrupt = true;
    c.bundle.exception_psv = 1 << EVENT_FL_EX;
    c.left.trap = (struct trapped){.valid = true, .interrupt = true};
    pass(&c, 3, 1, MODE_SUPERVISOR);
    tallied(&c, ST_L1, S, 3, 3);
    tallied(&c, ST_TLB, S, 3, 1);
    tallied(&c, FL_MO, S, 3, 1);
    tallied(&c, FL_EX, S, 3, 1);
    tallied(&c, EXCEPTIONS, S, 3, 0);
    tallied(&c, INTERRUPTS, S, 3, 1);
    tallied(&c, CLEARS, S, 3, 2);
}

static void test_slots(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    pass(&c, 0, 3, MODE_MACHINE); // nothing at all: 6 of latency
    c.bundle.dispatch_valid = 1;
    pass(&c, 3, 1, MODE_MACHINE); // one, and one of bandwidth
    c.bundle = (struct commit_bundle){.insn = {LD}, .dispatch_pc = {AT, AT + 4}};
    pass(&c, 4, 2, MODE_MACHINE); // both wait for a load: 4 of memory
    c.bundle = (struct commit_bundle){.insn = {LD}};
    pass(&c, 6, 1, MODE_MACHINE); // empty, while a load stalls: 2 more
    c.bundle = (struct commit_bundle){.insn = {ADD}, .dispatch_pc = {AT, AT + 4}};
    pass(&c, 7, 1, MODE_MACHINE); // of the core: none of these
    c.bundle = (struct commit_bundle){.insn = {ADD}, .redirect = true, .dispatch_pc = {AT, 0}};
    pass(&c, 8, 1, MODE_MACHINE); // the recovery of a branch
    pass(&c, 9, 3, MODE_MACHINE); // goes on
    c.bundle.rob_empty = false;
    c.bundle.exception = c.bundle.redirect = true;
    pass(&c, 12, 1, MODE_MACHINE); // a clear's
    c.bundle.dispatch_valid = 3;
    pass(&c, 13, 1, MODE_MACHINE); // ends
    tallied(&c, FETCH_LATENCY, M, 13, 6);
    tallied(&c, FETCH_BANDWIDTH, M, 13, 1);
    tallied(&c, MEMORY_BOUND, M, 13, 6);
    tallied(&c, DISPATCHED, M, 13, 3);
    tallied(&c, RECOVERY_BRANCH, M, 13, 8);
    tallied(&c, RECOVERY_CLEAR, M, 13, 2);
    tallied(&c, BRANCH_REDIRECTS, M, 13, 1);
    tallied(&c, CLEARS, M, 13, 1);
}

// As it was up to three cycles ago, equal cycles among them; by mode.
static void test_back(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    pass(&c, 0, 100, MODE_MACHINE);
    pass(&c, 100, 1, MODE_USER);
    pass(&c, 101, 1, MODE_USER);
    pass(&c, 102, 50, MODE_USER);
    tallied(&c, CYCLES, U, 151, 52);
    tallied(&c, CYCLES, U, 150, 51);
    tallied(&c, CYCLES, U, 148, 49);
    tallied(&c, CYCLES, U | M, 148, 149);
    pass(&c, 152, 1, MODE_SUPERVISOR);
    pass(&c, 153, 1, MODE_SUPERVISOR);
    tallied(&c, CYCLES, U, 150, 51);
    tallied(&c, CYCLES, S, 152, 1);
    tallied(&c, CYCLES, S, 150, 0);
    assert_int_equal(event_tally_up_to(&c.tally, 0, M | S | U, 153), 0);
    assert_int_equal(event_tally_up_to(&c.tally, 200, M | S | U, 153), 0);
}

// ---- a counter ----
static void test_overflow(void **unused) {
    struct cycles c;
    struct counter_model m = {0};
    (void)unused;
    begin(&c);
    pass(&c, 0, 1, MODE_MACHINE);
    counter_model_write(&m, &c.tally, 0, UINT64_MAX - 1);
    counter_model_select_event(&m, &c.tally, 0, PMU_EVENT_CYCLES);
    pass(&c, 1, 1, MODE_MACHINE);
    assert_true(counter_model_up_to(&m, &c.tally, 1).value == UINT64_MAX);
    assert_false(counter_model_up_to(&m, &c.tally, 1).overflowed);
    pass(&c, 2, 1, MODE_MACHINE);
    assert_int_equal(counter_model_up_to(&m, &c.tally, 2).value, 0);
    assert_true(counter_model_up_to(&m, &c.tally, 2).overflowed);
    // Its event is written with OF clear in the cycle after the overflow's: OF is clear. In the overflow's own: it is
    // set.
    struct counter_model other = m;
    counter_model_select_event(&other, &c.tally, 2, PMU_EVENT_CYCLES);
    assert_true(counter_model_up_to(&other, &c.tally, 2).overflowed);
    pass(&c, 3, 1, MODE_MACHINE);
    counter_model_select_event(&m, &c.tally, 3, PMU_EVENT_CYCLES);
    assert_false(counter_model_up_to(&m, &c.tally, 3).overflowed);
    assert_int_equal(counter_model_up_to(&m, &c.tally, 3).value, 1);
}

// ---- the worker ----
static int reads(struct scene *s, uint64_t cycle, unsigned csr, uint64_t value) {
    scene_commits(s, (struct iss_retire){.csr_accessed = true, .csr = (uint16_t)csr, .privilege = MODE_MACHINE});
    s->bundle.priv = MODE_MACHINE;
    s->left.retired[0] = (struct retired){.pc = AT, .rd_written = true, .rd = 10, .rd_value = value};
    return scene_cycle(s, cycle);
}

static void writes(struct scene *s, uint64_t cycle, unsigned csr, uint64_t value) {
    enum { CSRW = 0x00051073 };
    scene_commits(
        s, (struct iss_retire){
               .insn = CSRW, .csr_accessed = true, .csr_written = true, .csr = (uint16_t)csr, .csr_value = value});
    s->bundle.priv = MODE_MACHINE;
    s->left.retired[0] = (struct retired){.csr_written = true};
    assert_int_equal(scene_cycle(s, cycle), 0);
}

static void idles(struct scene *s, uint64_t cycle, uint64_t count) {
    s->golden.count = s->left.count = 0;
    s->bundle = (struct commit_bundle){.rob_empty = true, .priv = MODE_MACHINE};
    s->view.count = count;
    assert_int_equal(scene_cycle(s, cycle), 0);
    s->view.count = 1;
}

static void adds(struct scene *s, uint64_t cycle) {
    scene_commits(s, (struct iss_retire){.insn = ADD});
    s->bundle.priv = MODE_MACHINE;
    s->left.retired[0] = (struct retired){.pc = AT};
    assert_int_equal(scene_cycle(s, cycle), 0);
}

static void test_reads(void **unused) {
    enum { COUNTER = CSR_MHPMCOUNTER3 + 1, EVENT = CSR_MHPMEVENT3 + 1, INHIBIT_4 = 1 << 4 };
    const uint64_t minh = UINT64_C(1) << 62;
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    assert_int_equal(reads(&s, 10, COUNTER, 0), 0);
    writes(&s, 20, EVENT, PMU_EVENT_INSTRUCTIONS); // itself is not counted
    adds(&s, 30);
    adds(&s, 31);
    assert_int_equal(reads(&s, 33, COUNTER, 1), 0);             // of cycle 30; that of 31 is added in this one
    assert_int_equal(reads(&s, 40, CSR_HPMCOUNTER3 + 1, 3), 0); // and the read of cycle 33
    assert_int_equal(reads(&s, 41, EVENT, PMU_EVENT_INSTRUCTIONS), 0);
    writes(&s, 50, CSR_MCOUNTINHIBIT, INHIBIT_4); // counted itself
    adds(&s, 60);
    assert_int_equal(reads(&s, 70, COUNTER, 6), 0);
    assert_int_equal(reads(&s, 80, CSR_MCOUNTINHIBIT, INHIBIT_4), 0);
    writes(&s, 90, COUNTER, UINT64_MAX);
    writes(&s, 100, CSR_MCOUNTINHIBIT, 0); // not counted itself
    adds(&s, 110);
    assert_int_equal(reads(&s, 120, COUNTER, 0), 0);
    assert_int_equal(reads(&s, 130, CSR_SCOUNTOVF, INHIBIT_4), 0);
    assert_int_equal(reads(&s, 140, EVENT, UINT64_C(1) << 63 | PMU_EVENT_INSTRUCTIONS), 0);
    writes(&s, 150, EVENT, minh | PMU_EVENT_INSTRUCTIONS); // counted itself; from then on not in M
    adds(&s, 160);
    assert_int_equal(reads(&s, 170, COUNTER, 4), 0);
    assert_int_equal(reads(&s, 171, CSR_MHPMCOUNTER3 + 20, 0), 0); // there is none
    scene_end(&s);
}

static void test_wrong_reads(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    writes(&s, 20, CSR_MHPMEVENT3 + 1, UINT64_C(3) << 60 | PMU_EVENT_INSTRUCTIONS);
    adds(&s, 30);
    assert_int_equal(reads(&s, 40, CSR_MHPMCOUNTER3 + 1, 2), -EBADMSG);
    assert_non_null(strstr(s.err.text, "cycle 40, pc 0x80000000: mhpmcounter4, INSTRUCTIONS in M: expected 1, got 2"));
    assert_int_equal(reads(&s, 41, CSR_MHPMEVENT3 + 1, PMU_EVENT_INSTRUCTIONS), -EBADMSG);
    assert_int_equal(reads(&s, 42, CSR_SCOUNTOVF, 16), -EBADMSG);
    assert_int_equal(reads(&s, 43, CSR_MCOUNTINHIBIT, 16), -EBADMSG);
    s.bundle.priv = MODE_USER;
    differs(&s, 44, -EBADMSG, "counters: cycle 44: the core shows mode U, the ISS is in M");
    scene_end(&s);
}

// The sampling counter goes on from minus tipoff_period.
static void test_reload(void **unused) {
    enum { COUNTER = CSR_MHPMCOUNTER3, SAMPLING = 1 << 3 };
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    writes(&s, 20, CSR_MHPMEVENT3, PMU_EVENT_INSTRUCTIONS);
    writes(&s, 30, CSR_TIPOFF_PERIOD, 20);
    writes(&s, 60, COUNTER, -UINT64_C(18));
    for (unsigned i = 0; i < 18 + 3 * 20 + 2; i++) // overflows with the 18th, 38th, 58th and 78th
        adds(&s, 70 + i);
    assert_int_equal(reads(&s, 200, COUNTER, -UINT64_C(18)), 0);
    assert_int_equal(reads(&s, 210, CSR_SCOUNTOVF, SAMPLING), 0);
    assert_int_equal(reads(&s, 220, COUNTER, -UINT64_C(15)), -EBADMSG); // with these two reads -16
    assert_non_null(strstr(s.err.text, "mhpmcounter3, INSTRUCTIONS in MSU: expected 18446744073709551600, got"));
    assert_int_equal(reads(&s, 230, CSR_SCOUNTOVF, 0), -EBADMSG);
    // A new period counts from some cycles later on: what it does then is not known, but once more written it is.
    writes(&s, 300, CSR_TIPOFF_PERIOD, 40);
    writes(&s, 305, COUNTER, -UINT64_C(10));
    assert_int_equal(reads(&s, 310, COUNTER, 12345), 0);
    writes(&s, 400, COUNTER, -UINT64_C(100));
    assert_int_equal(reads(&s, 410, COUNTER, -UINT64_C(100)), 0);
    assert_int_equal(reads(&s, 420, COUNTER, 12345), -EBADMSG);
    scene_end(&s);
}

// With jitter, 16 at most, it is no further from the next overflow than both together.
static void test_jittered_reload(void **unused) {
    enum { COUNTER = CSR_MHPMCOUNTER3 };
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    writes(&s, 20, CSR_MHPMEVENT3, PMU_EVENT_INSTRUCTIONS);
    writes(&s, 30, CSR_TIPOFF_JITTER, UINT64_C(4) << 48);
    writes(&s, 40, CSR_TIPOFF_PERIOD, 40);
    writes(&s, 60, COUNTER, -UINT64_C(50));
    assert_int_equal(reads(&s, 70, COUNTER, -UINT64_C(50)), 0);
    assert_int_equal(reads(&s, 80, COUNTER, -UINT64_C(30)), -EBADMSG);
    for (unsigned i = 0; i < 50; i++)
        adds(&s, 90 + i);
    assert_int_equal(reads(&s, 200, COUNTER, -UINT64_C(1)), 0);
    assert_int_equal(reads(&s, 210, COUNTER, -UINT64_C(57)), 0);
    assert_int_equal(reads(&s, 220, COUNTER, -UINT64_C(58)), -EBADMSG);
    assert_non_null(strstr(s.err.text, "reloaded: no further from its overflow than: expected 18446744073709551559"));
    assert_int_equal(reads(&s, 230, COUNTER, 0), -EBADMSG);
    writes(&s, 240, CSR_MHPMEVENT3, PMU_EVENT_INSTRUCTIONS); // clears OF, which is not known from here on
    assert_int_equal(reads(&s, 250, CSR_SCOUNTOVF, 8), 0);
    assert_int_equal(reads(&s, 260, CSR_SCOUNTOVF, 0), 0);
    assert_int_equal(reads(&s, 270, CSR_SCOUNTOVF, 16), -EBADMSG);
    scene_end(&s);
}

// ---- the overflow interrupt ----
enum { LCOFIP = 1 << 13 };

static void overflow(struct scene *s) { // by the instruction of cycle 40
    scene_start(s, &worker_counters);
    hart_set_csr(iss_only(s->iss), CSR_MIE, LCOFIP);
    hart_set_csr(iss_only(s->iss), CSR_MSTATUS, 1 << 3);
    writes(s, 20, CSR_MHPMEVENT3 + 1, PMU_EVENT_INSTRUCTIONS);
    writes(s, 30, CSR_MHPMCOUNTER3 + 1, UINT64_MAX);
    adds(s, 40);
}

static int interrupted(struct scene *s, uint64_t cycle) {
    hart_set_csr(iss_only(s->iss), CSR_MSTATUS, 0); // the trap has cleared MIE
    s->golden.count = s->left.count = 0;
    s->bundle =
        (struct commit_bundle){.valid = 1, .exception = true, .interrupt = true, .cause = 13, .priv = MODE_MACHINE};
    return scene_cycle(s, cycle);
}

static void test_interrupt(void **unused) {
    struct scene s;
    (void)unused;
    overflow(&s);
    adds(&s, 41);
    assert_int_equal(interrupted(&s, 42), 0);
    assert_int_equal(reads(&s, 60, CSR_MIP, LCOFIP), 0); // until software clears it
    writes(&s, 70, CSR_MIP, 0);
    assert_int_equal(reads(&s, 80, CSR_MIP, 0), 0);
    assert_int_equal(interrupted(&s, 90), -EBADMSG);
    assert_non_null(strstr(s.err.text, "cycle 90: the overflow interrupt is taken, but no counter has overflowed"));
    scene_end(&s);
}

static void test_interrupt_missing(void **unused) {
    struct scene s;
    (void)unused;
    overflow(&s);
    adds(&s, 41);
    adds(&s, 42); // none of these can know
    adds(&s, 43); // may have been under way
    differs(&s, 44, -EBADMSG, "cycle 44: a counter has overflowed, but 2 groups of instructions have left the ROB");
    scene_end(&s);
    overflow(&s);
    assert_int_equal(reads(&s, 50, CSR_MIP, 0), -EBADMSG);
    assert_non_null(strstr(s.err.text, "LCOFIP: expected 0x2000, got 0x0"));
    scene_end(&s);
}

// A write of mip does not lose what overflows in its cycle or in the one before. Where it is masked nothing is due.
static void test_interrupt_kept(void **unused) {
    struct scene s;
    (void)unused;
    overflow(&s);
    writes(&s, 42, CSR_MIP, 0);
    assert_int_equal(reads(&s, 50, CSR_MIP, LCOFIP), 0);
    scene_end(&s);
    overflow(&s);
    hart_set_csr(iss_only(s.iss), CSR_MIE, 0);
    adds(&s, 41);
    for (unsigned cycle = 50; cycle < 60; cycle++)
        adds(&s, cycle);
    scene_end(&s);
}

// The sampling counter interrupts when its sample is complete: then it may be pending at any time.
static void test_interrupt_of_sample(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    writes(&s, 20, CSR_MHPMEVENT3, PMU_EVENT_INSTRUCTIONS);
    adds(&s, 40);
    assert_int_equal(interrupted(&s, 50), 0);
    assert_int_equal(reads(&s, 60, CSR_MIP, LCOFIP), 0);
    writes(&s, 70, CSR_MHPMEVENT3, 0);
    writes(&s, 80, CSR_MIP, 0);
    assert_int_equal(interrupted(&s, 90), -EBADMSG);
    scene_end(&s);
}

// ---- time ----
static void test_time(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    assert_int_equal(reads(&s, 10, CSR_TIME, 77), 0); // not known yet
    scene_memory(&s, (struct memory_event){.kind = MEMORY_LINES, .tick = 20, .time = 5, .time_ticks = 100});
    assert_int_equal(reads(&s, 250, CSR_TIME, 7), 0);
    assert_int_equal(reads(&s, 301, CSR_TIME, 7), 0); // on its way to the core
    assert_int_equal(reads(&s, 302, CSR_TIME, 8), 0);
    assert_int_equal(reads(&s, 303, CSR_TIME, 7), -EBADMSG);
    assert_non_null(strstr(s.err.text, "time: expected 8, got 7"));
    scene_memory(&s, (struct memory_event){.kind = MEMORY_LINES, .tick = 410, .time = 1000, .time_ticks = 100});
    assert_int_equal(reads(&s, 420, CSR_TIME, 9), 0); // it is being written
    assert_int_equal(reads(&s, 430, CSR_TIME, 1004), 0);
    assert_int_equal(reads(&s, 480, CSR_TIME, 9), -EBADMSG);
    scene_end(&s);
}

static int asked(struct scene *s, bool read, uint64_t cycle, uint64_t select, uint64_t value) {
    const struct counter_event event = {.read = read, .number = 6, .cycle = cycle, .select = select, .value = value};
    s->err.text[0] = '\0';
    return s->ops->counter(s->state, &event, &s->err);
}

static void test_count(void **unused) {
    char text[160];
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_counters);
    assert_int_equal(asked(&s, true, 5, PMU_EVENT_CYCLES, 0), 0); // was not set off: nothing to compare
    worker_counters.checked(s.state, text, sizeof text);
    assert_string_equal(text, "0 reads of counters and 0 counts to the unit");
    idles(&s, 0, 20);
    assert_int_equal(asked(&s, false, 20, PMU_EVENT_CYCLES, 0), 0);
    idles(&s, 20, 30);
    adds(&s, 50);
    assert_int_equal(asked(&s, true, 51, PMU_EVENT_CYCLES, 31), 0);
    worker_counters.checked(s.state, text, sizeof text);
    assert_string_equal(text, "0 reads of counters and 1 counts to the unit");
    assert_int_equal(asked(&s, true, 51, PMU_EVENT_CYCLES, 30), -EBADMSG);
    assert_string_equal(s.err.text, "counters: cycle 51: --count, CYCLES in MSU: expected 31, got 30");
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_triggers),
                                       cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_branches),
                                       cmocka_unit_test(test_vectors_and_traps),
                                       cmocka_unit_test(test_slots),
                                       cmocka_unit_test(test_back),
                                       cmocka_unit_test(test_overflow),
                                       cmocka_unit_test(test_reads),
                                       cmocka_unit_test(test_wrong_reads),
                                       cmocka_unit_test(test_reload),
                                       cmocka_unit_test(test_jittered_reload),
                                       cmocka_unit_test(test_interrupt),
                                       cmocka_unit_test(test_interrupt_missing),
                                       cmocka_unit_test(test_interrupt_kept),
                                       cmocka_unit_test(test_interrupt_of_sample),
                                       cmocka_unit_test(test_time),
                                       cmocka_unit_test(test_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
