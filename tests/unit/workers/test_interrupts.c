// Interrupts and the watchdog: by the privileged manual (sections 3.1.6.1, 3.1.9, 3.3.3), each rule kept and broken.
#include "csrs.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_interrupts, worker_watchdog;
enum { MTI = 7, MSI = 3, SEI = 9, LCOFI = 13, MIE = 8 };

static void lines(struct scene *s, uint64_t tick, uint32_t lines, uint64_t timer) {
    scene_memory(s, (struct memory_event){.kind = MEMORY_LINES, .tick = tick, .lines = lines, .timer = timer});
}

static int takes(struct scene *s, uint64_t cycle, unsigned cause) {
    s->bundle = (struct commit_bundle){.valid = 1, .exception = true, .interrupt = true, .cause = (uint8_t)cause};
    return scene_cycle(s, cycle);
}

static int commits(struct scene *s, uint64_t cycle) {
    s->bundle = (struct commit_bundle){.valid = 1, .commit = 1, .first = 1};
    return scene_cycle(s, cycle);
}

static void allow(struct scene *s, uint64_t enabled, uint64_t delegated, bool global) {
    hart_set_csr(iss_only(s->iss), CSR_MIE, enabled);
    hart_set_csr(iss_only(s->iss), CSR_MIDELEG, delegated);
    hart_set_csr(iss_only(s->iss), CSR_MSTATUS, global ? MIE : 0);
}

static void test_allowed(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_interrupts);
    allow(&s, 1 << MTI | 1 << MSI, 0, true);
    lines(&s, 10, TICK_MTIP, 0);
    assert_int_equal(takes(&s, 9, MTI), -EBADMSG); // the core sees it in cycle 10
    assert_non_null(strstr(s.err.text, "cause 7 is taken, but with 0x0 pending none is due"));
    assert_int_equal(takes(&s, 10, MTI), 0);
    lines(&s, 20, TICK_MTIP | TICK_MSIP, 0);
    assert_int_equal(takes(&s, 20, MTI), -EBADMSG); // software's goes first
    assert_int_equal(takes(&s, 21, MSI), 0);
    allow(&s, 1 << MTI, 0, false); // in M-mode without MIE
    assert_int_equal(takes(&s, 22, MTI), -EBADMSG);
    allow(&s, 1 << MSI, 0, true);
    assert_int_equal(takes(&s, 23, MTI), -EBADMSG);
    allow(&s, 1 << SEI, 1 << SEI, true); // delegated: never in M-mode
    lines(&s, 30, TICK_SEIP, 0);
    assert_int_equal(takes(&s, 30, SEI), -EBADMSG);
    scene_end(&s);
}

static void test_overflow(void **unused) { // LCOFI's pending bit is believed, nothing else of it
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_interrupts);
    allow(&s, 1 << LCOFI | 1 << MTI, 0, true);
    assert_int_equal(takes(&s, 5, LCOFI), 0);
    lines(&s, 10, TICK_MTIP, 0);
    assert_int_equal(takes(&s, 10, LCOFI), -EBADMSG); // the timer's goes first
    allow(&s, 1 << MTI, 0, true);
    lines(&s, 20, 0, 0);
    assert_int_equal(takes(&s, 20, LCOFI), -EBADMSG);
    scene_end(&s);
}

static void test_late(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_interrupts);
    allow(&s, 1 << MTI, 0, true);
    lines(&s, 10, TICK_MTIP, 0);
    assert_int_equal(commits(&s, 10), 0); // one that may not be interrupted
    differs(&s, 11, -EBADMSG, "cause 7 is due, but 2 groups");
    assert_int_equal(takes(&s, 12, MTI), 0);
    assert_int_equal(commits(&s, 13), 0);
    allow(&s, 1 << MTI, 0, false); // masked: the program may go on
    for (uint64_t cycle = 14; cycle < 20; cycle++)
        assert_int_equal(commits(&s, cycle), 0);
    scene_end(&s);
}

// ---- the watchdog ----
enum { WFI = 0x10500073 };

static int waits(struct scene *s, uint64_t cycle, uint64_t count, uint32_t insn) {
    s->bundle = (struct commit_bundle){.valid = 1, .insn = {insn}, .pc = {AT}};
    s->view.count = count;
    return scene_cycle(s, cycle);
}

static void test_watchdog(void **unused) {
    struct scene s;
    (void)unused;
    scene_start_with(&s, &worker_watchdog, 5000);
    assert_int_equal(waits(&s, 1, 4999, 0x13), 0);
    s.view.count = 1;
    assert_int_equal(commits(&s, 5000), 0);
    assert_int_equal(waits(&s, 5001, 4999, 0x13), 0);
    assert_int_equal(waits(&s, 10000, 1, 0x13), -ETIMEDOUT);
    assert_non_null(strstr(s.err.text, "nothing has committed for 5000 cycles; the oldest is at 0x80000000"));
    s.bundle = (struct commit_bundle){.rob_empty = true}; // pc 0 is an address, and none of it
    assert_int_equal(scene_cycle(&s, 10001), -ETIMEDOUT);
    assert_non_null(strstr(s.err.text, "nothing has committed for 5001 cycles; the ROB is empty"));
    scene_end(&s);
}

static void test_wfi(void **unused) {
    struct scene s;
    (void)unused;
    scene_start_with(&s, &worker_watchdog, 5000);
    allow(&s, 1 << MTI, 0, false);
    lines(&s, 1, 0, 900000);
    assert_int_equal(waits(&s, 2, 100000, WFI), 0); // the timer will end it
    commits(&s, 100002);
    allow(&s, 1 << MSI, 0, false);
    assert_int_equal(waits(&s, 100003, 100, WFI), 0); // too early to say
    assert_int_equal(waits(&s, 100103, 1000, WFI), -ETIMEDOUT);
    assert_non_null(strstr(s.err.text, "nothing can end the wfi at 0x80000000"));
    commits(&s, 200000);
    allow(&s, 1 << MTI, 0, false);
    lines(&s, 200001, 0, UINT64_MAX);
    assert_int_equal(waits(&s, 200002, 2000, WFI), -ETIMEDOUT);
    assert_non_null(strstr(s.err.text, "the timer is not set"));
    commits(&s, 300000);
    lines(&s, 300001, TICK_MTIP, 300001);
    assert_int_equal(waits(&s, 300002, 2000, WFI), -EBADMSG);
    assert_non_null(strstr(s.err.text, "a wfi goes on"));
    commits(&s, 400000);
    lines(&s, 400001, 0, 402000);
    assert_int_equal(waits(&s, 400002, 1998, WFI), 0);
    lines(&s, 402000, TICK_MTIP, 402000);
    assert_int_equal(waits(&s, 402000, 8, WFI), 0); // it needs some cycles to end
    assert_int_equal(commits(&s, 402008), 0);
    lines(&s, 500000, 0, 502000);
    assert_int_equal(waits(&s, 500000, 2000, WFI), 0);
    lines(&s, 502000, TICK_MTIP, 502000);
    assert_int_equal(waits(&s, 502000, 100, WFI), 0);
    assert_int_equal(waits(&s, 502100, 1, WFI), -EBADMSG); // ... and does not
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_allowed), cmocka_unit_test(test_overflow),
                                       cmocka_unit_test(test_late), cmocka_unit_test(test_watchdog),
                                       cmocka_unit_test(test_wfi)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
