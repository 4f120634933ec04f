// The harness's side of sampling with a unit that is played by hand: what is written to it, what is filed, and every
// check made to fire: a field that is wrong, a trigger that is not due, one that is missed, triggers that do not add
// up.
#include "csrs.h"
#include "events.h"
#include "harness/sampler.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PERIOD = 97, WIDTH = 6, COUNTER = 3, LANE = 5, SEEDED = 0, STARTED = 3, FIRST = STARTED + PERIOD };
#define READY (UINT64_C(1) << 22)

// The unit: CSRs by address, what was written in which order, cycles of the clock (a write takes one).
static struct {
    uint64_t csr[0x1000], value[16], cycles;
    int addr[16], refuses, cannot_read;
    bool in_reset; // takes no setting
    unsigned writes, follows;
} unit;

static int csr_write(struct model *m, int addr, uint64_t value) {
    (void)m;
    if (addr == unit.refuses) return -EINVAL;
    unit.addr[unit.writes] = addr;
    unit.value[unit.writes++ % 16] = value;
    if (addr == CSR_TIPOFF_PERIOD && !unit.in_reset) unit.csr[addr] = value;
    unit.cycles++;
    return 0;
}
static int csr_read(struct model *m, int addr, uint64_t *value) {
    (void)m;
    if (addr == unit.cannot_read) return -EINVAL;
    *value = unit.csr[addr];
    return 0;
}
static uint64_t cycles(struct model *m) {
    (void)m;
    return unit.cycles;
}
static void follow_program(struct model *m) {
    (void)m;
    unit.follows++;
}
static const struct model_api api = {
    .csr_read = csr_read, .csr_write = csr_write, .cycles = cycles, .follow_program = follow_program};

static struct sampler *sampler;
static struct error err;

static void start(uint64_t period, unsigned jitter_bits) {
    memset(&unit, 0, sizeof unit);
    err.text[0] = 0;
    const struct sampler_options options = {
        {.period = period, .jitter_bits = jitter_bits, .seed = 5}, COUNTER, WIDTH, true, 40, 0, false, false};
    sampler_destroy(sampler);
    sampler = sampler_create(&options, NULL, &err);
    assert_non_null(sampler);
    assert_int_equal(sampler_start(sampler, &api, NULL, 0, &err), 0);
}

static void says(int result, const char *text) {
    assert_true(result < 0);
    if (!strstr(err.text, text)) fail_msg("'%s' does not say '%s'", err.text, text);
}

static struct sample stalled(void) {
    struct sample s = {.state = STATE_STALLED, .valid = 1u << LANE, .oldest = LANE, .priv = 1, .space = 0xabcdef};
    s.addr[LANE] = 0x80001234;
    return s;
}

static int trigger(uint64_t cycle, bool taken) {
    const struct sample s = stalled();
    const struct commit_bundle b = {.oldest = LANE};
    return sampler_trigger(sampler, cycle, taken, &s, &b, &err);
}

// It commits in that cycle with a vector of 0x41; the unit shows it so, with `further` triggers.
static void completes(uint64_t taken, uint64_t cycle, unsigned further) {
    struct commit_bundle b = {.commit = 1u << LANE, .oldest = LANE};
    b.psv[LANE] = 0x41;
    assert_true(sampler_waits(sampler));
    sampler_cycle(sampler, cycle, &b);
    assert_false(sampler_waits(sampler));
    unit.csr[CSR_SHPMSDATA] = COUNTER | STATE_STALLED << 5 | 1u << (7 + LANE) | LANE << 15 | READY | 1 << 23;
    unit.csr[CSR_TIPOFF_ADDR0 + LANE] = 0x80001234;
    unit.csr[CSR_TIPOFF_PSV0 + 1] = UINT64_C(0x41) << 16 * (LANE - 4);
    unit.csr[CSR_TIPOFF_CYCLE] = taken;
    unit.csr[CSR_TIPOFF_REPEAT] = further;
    unit.csr[CSR_TIPOFF_SPACE] = 0xabcdef;
}

static void test_start(void **state) {
    (void)state;
    start(PERIOD, 6);
    assert_int_equal(unit.writes, 4);
    assert_int_equal(unit.addr[0], CSR_TIPOFF_JITTER);
    assert_true(unit.value[0] == (UINT64_C(6) << 48 | 5));
    assert_int_equal(unit.addr[1], CSR_TIPOFF_PERIOD);
    assert_true(unit.value[1] == PERIOD);
    assert_int_equal(unit.addr[2], CSR_MHPMCOUNTER3 + COUNTER - 3);
    assert_true(unit.value[2] == -(uint64_t)PERIOD);
    assert_int_equal(unit.addr[3], CSR_MHPMEVENT3 + COUNTER - 3);
    assert_true(unit.value[3] == PMU_EVENT_CYCLES);
    start(0, 0); // the program's counter says when: nothing is written
    assert_int_equal(unit.writes, 0);
    assert_int_equal(unit.follows, 1);
    static const int all[] = {CSR_TIPOFF_JITTER, CSR_TIPOFF_PERIOD, CSR_MHPMCOUNTER3 + COUNTER - 3,
                              CSR_MHPMEVENT3 + COUNTER - 3};
    for (unsigned i = 0; i < 4; i++) {
        memset(&unit, 0, sizeof unit);
        unit.refuses = all[i];
        const struct sampler_options options = {
            {.period = PERIOD, .seed = 5}, COUNTER, WIDTH, true, 40, 0, false, false};
        sampler_destroy(sampler);
        sampler = sampler_create(&options, NULL, &err);
        char text[64];
        snprintf(text, sizeof text, "no CSR 0x%x", (unsigned)all[i]);
        says(sampler_start(sampler, &api, NULL, 0, &err), text);
    }
}

static void test_unit_in_reset(void **state) {
    (void)state;
    memset(&unit, 0, sizeof unit);
    unit.in_reset = true;
    const struct sampler_options options = {{.period = PERIOD, .seed = 5}, COUNTER, WIDTH, true, 40, 0, false, false};
    sampler_destroy(sampler);
    sampler = sampler_create(&options, NULL, &err);
    says(sampler_start(sampler, &api, NULL, 0, &err), "let u_harness leave reset with rst_ni");
}

static void test_good(void **state) {
    (void)state;
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    assert_int_equal(trigger(FIRST + PERIOD, false), 0); // it waits still
    completes(FIRST, FIRST + PERIOD + 5, 1);
    unsigned before = unit.writes;
    assert_int_equal(sampler_collect(sampler, &api, NULL, false, &err), 0);
    assert_int_equal(unit.writes, before + 1); // the acknowledge, and it alone
    assert_int_equal(unit.addr[before], CSR_SHPMSDATA);
    assert_true(unit.value[before] == 0);
    assert_int_equal(trigger(FIRST + 2 * PERIOD, true), 0); // cut off by the end
    assert_int_equal(sampler_finish(sampler, &api, NULL, FIRST + 3 * PERIOD, &err), 0);
    const struct sampler_counts c = sampler_counts(sampler);
    assert_int_equal(c.triggers, 3);
    assert_int_equal(c.samples, 1);
    assert_int_equal(c.repeats, 1);
    assert_int_equal(c.lost, 0);
    assert_int_equal(c.squares, 4); // one sample of two triggers
}

// Samples of a region: what comes behind its end is checked and does not count, also of a sample that waits there.
static void test_region(void **state) {
    (void)state;
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    assert_int_equal(trigger(FIRST + PERIOD, false), 0);
    assert_false(sampler_owes(sampler));
    sampler_end(sampler, FIRST + PERIOD + 1);
    assert_true(sampler_owes(sampler));
    assert_int_equal(trigger(FIRST + 2 * PERIOD, false), 0);
    completes(FIRST, FIRST + 2 * PERIOD + 5, 2);
    assert_int_equal(sampler_collect(sampler, &api, NULL, false, &err), 0);
    assert_false(sampler_owes(sampler));
    assert_int_equal(sampler_collected(sampler)->repeats, 1);
    assert_int_equal(sampler_collected(sampler)->cycles, FIRST + PERIOD);
    assert_int_equal(trigger(FIRST + 3 * PERIOD, true), 0);
    completes(FIRST + 3 * PERIOD, FIRST + 3 * PERIOD + 1, 0);
    assert_int_equal(sampler_collect(sampler, &api, NULL, false, &err), 0);
    assert_int_equal(sampler_finish(sampler, &api, NULL, FIRST + 4 * PERIOD, &err), 0);
    const struct sampler_counts c = sampler_counts(sampler);
    assert_int_equal(c.triggers, 2);
    assert_int_equal(c.samples, 1);
    assert_int_equal(c.repeats, 1);
    assert_int_equal(c.lost, 0);
    assert_int_equal(c.squares, 4);
}

static void test_follows_any(void **state) { // nothing is due where the program says when
    (void)state;
    start(0, 0);
    assert_int_equal(trigger(7, true), 0);
    assert_int_equal(trigger(8, false), 0);
    assert_int_equal(sampler_finish(sampler, &api, NULL, 100000, &err), 0);
}

static void test_wrong_trigger(void **state) {
    (void)state;
    start(PERIOD, 0);
    says(trigger(FIRST - 1, true), "it is due in cycle 100");
    start(PERIOD, 0);
    says(trigger(FIRST + 1, true), "it is due in cycle 100");
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    says(trigger(FIRST + PERIOD - 1, false), "it is due in cycle 197");
    start(PERIOD, 0);
    says(trigger(FIRST, false), "takes no sample of this trigger");
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    says(trigger(FIRST + PERIOD, true), "takes a sample while one waits");
    start(0, 0); // samples that are complete and never announced
    for (uint64_t n = 0; n < 4; n++) {
        assert_int_equal(trigger(100 + 10 * n, true), 0);
        completes(100 + 10 * n, 105 + 10 * n, 0);
    }
    says(trigger(200, true), "announced none of the samples before");
}

static void test_missed(void **state) {
    (void)state;
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    says(sampler_finish(sampler, &api, NULL, FIRST + PERIOD + 2, &err),
         "cycle 197: the sampling unit misses the trigger");
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    assert_int_equal(sampler_finish(sampler, &api, NULL, FIRST + PERIOD, &err), 0); // that cycle was not run any more
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    assert_int_equal(sampler_finish(sampler, &api, NULL, FIRST + PERIOD + 1, &err), 0); // the last: emitted in the next
    start(PERIOD, 0);
    says(sampler_finish(sampler, &api, NULL, FIRST + 2, &err), "misses the trigger that is due");
}

static void test_sum(void **state) {
    (void)state;
    start(PERIOD, 0);
    assert_int_equal(trigger(FIRST, true), 0);
    unit.csr[CSR_TIPOFF_COLLISIONS] = 1; // of one trigger: it waits, and was lost besides
    says(sampler_finish(sampler, &api, NULL, FIRST + 1, &err),
         "1 triggers, but 0 samples, 0 repeats, 1 lost, 1 waiting");
    start(PERIOD, 0);
    unit.cannot_read = CSR_TIPOFF_COLLISIONS;
    assert_true(sampler_finish(sampler, &api, NULL, 1, &err) < 0);
}

// One bit of one CSR is wrong: the message names the field.
static void test_wrong_field(void **state) {
    (void)state;
    static const struct {
        int csr;
        uint64_t flip;
        const char *field;
    } rows[] = {{CSR_TIPOFF_CYCLE, 1, "its cycle"},
                {CSR_TIPOFF_CYCLE, UINT64_C(1) << 63, "its cycle"},
                {CSR_SHPMSDATA, 1 << 6, "its state"},
                {CSR_SHPMSDATA, 1 << 7, "its valid lanes"},
                {CSR_SHPMSDATA, 1 << 14, "its valid lanes"},
                {CSR_SHPMSDATA, 1 << 15, "its oldest lane"},
                {CSR_SHPMSDATA, 1 << 17, "its oldest lane"},
                {CSR_SHPMSDATA, 1 << 18, "its exception flag"},
                {CSR_SHPMSDATA, 1 << 19, "its flush flag"},
                {CSR_SHPMSDATA, 1 << 20, "its mispredict flag"},
                {CSR_SHPMSDATA, 1 << 23, "its privilege mode"},
                {CSR_SHPMSDATA, 1 << 24, "its privilege mode"},
                {CSR_TIPOFF_SPACE, UINT64_C(1) << 43, "its address space"},
                {CSR_TIPOFF_REPEAT, 1, "its repeats as"},
                {CSR_TIPOFF_REPEAT, UINT64_C(1) << 31, "its repeats as"},
                {CSR_TIPOFF_REPEAT, UINT64_C(1) << 32, "its repeats in Stalled after Drained"},
                {CSR_TIPOFF_ADDR0 + LANE, UINT64_C(1) << 62, "an address"},
                {CSR_TIPOFF_PSV0 + 1, UINT64_C(1) << (16 * (LANE - 4) + 8), "a PSV"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(PERIOD, 0);
        assert_int_equal(trigger(FIRST, true), 0);
        completes(FIRST, FIRST + 5, 0);
        unit.csr[rows[i].csr] ^= rows[i].flip;
        unsigned before = unit.writes;
        says(sampler_collect(sampler, &api, NULL, false, &err), rows[i].field);
        says(-1, "sample of cycle 100");
        assert_int_equal(unit.writes, before); // it is not acknowledged
    }
}

static void test_announced(void **state) {
    (void)state;
    start(PERIOD, 0); // not ready
    assert_int_equal(trigger(FIRST, true), 0);
    completes(FIRST, FIRST + 5, 0);
    unit.csr[CSR_SHPMSDATA] &= ~READY;
    says(sampler_collect(sampler, &api, NULL, false, &err), "cannot be read");
    static const int all[] = {CSR_SHPMSDATA,   CSR_TIPOFF_CYCLE,    CSR_TIPOFF_REPEAT,      CSR_TIPOFF_SPACE,
                              CSR_TIPOFF_PSV0, CSR_TIPOFF_PSV0 + 1, CSR_TIPOFF_ADDR0 + LANE};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        start(PERIOD, 0);
        assert_int_equal(trigger(FIRST, true), 0);
        completes(FIRST, FIRST + 5, 0);
        unit.cannot_read = all[i];
        says(sampler_collect(sampler, &api, NULL, false, &err), "cannot be read");
    }
    start(PERIOD, 0); // while it waits still
    assert_int_equal(trigger(FIRST, true), 0);
    unit.csr[CSR_SHPMSDATA] = READY;
    says(sampler_collect(sampler, &api, NULL, false, &err), "announced an unexpected sample");
    start(PERIOD, 0); // twice
    assert_int_equal(trigger(FIRST, true), 0);
    completes(FIRST, FIRST + 5, 0);
    assert_int_equal(sampler_collect(sampler, &api, NULL, false, &err), 0);
    says(sampler_collect(sampler, &api, NULL, false, &err), "announced an unexpected sample");
}

static int tear_down(void **state) {
    (void)state;
    sampler_destroy(sampler);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),     cmocka_unit_test(test_unit_in_reset), cmocka_unit_test(test_good),
        cmocka_unit_test(test_region),    cmocka_unit_test(test_follows_any),   cmocka_unit_test(test_wrong_trigger),
        cmocka_unit_test(test_missed),    cmocka_unit_test(test_sum),           cmocka_unit_test(test_wrong_field),
        cmocka_unit_test(test_announced),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
