// The samples of a core: which triggers and records count, before, in and after the region, and what is collected.
#include "csrs.h"
#include "harness/sampling.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A unit that has a sample of cycle `shows`, in state Computing, and ProfileMe's registers.
static struct {
    uint64_t shows, cycles;
    unsigned acknowledged, followed, windows;
} unit;

static int csr_read(struct model *m, int addr, uint64_t *value) {
    (void)m;
    *value = addr == CSR_SHPMSDATA      ? UINT64_C(1) << 22 // ready
             : addr == CSR_TIPOFF_CYCLE ? unit.shows
                                        : 0;
    return 0;
}
static int csr_write(struct model *m, int addr, uint64_t value) {
    (void)m;
    (void)value;
    unit.acknowledged += addr == CSR_SHPMSDATA;
    return 0;
}
static int window_write(struct model *m, int select, int number, uint64_t value) {
    (void)m;
    (void)select;
    (void)number;
    (void)value;
    unit.windows++;
    return 0;
}
static uint64_t cycles(struct model *m) {
    (void)m;
    return unit.cycles;
}
static void follow_program(struct model *m) {
    (void)m;
    unit.followed++;
}
static const struct model_api api = {.csr_read = csr_read,
                                     .csr_write = csr_write,
                                     .window_write = window_write,
                                     .cycles = cycles,
                                     .follow_program = follow_program};
static const struct machine_config config = {.width = 1, .address_bits = 64};

static struct sampling *make(const struct sampling_settings *settings, const struct instruction_settings *profileme) {
    struct error err;
    const struct sampling_options options = {settings, profileme, &config, 0, false, false};
    struct sampling *s = sampling_create(&options, NULL, &err);
    assert_non_null(s);
    memset(&unit, 0, sizeof unit);
    assert_int_equal(sampling_stage(s), SAMPLING_OFF);
    return s;
}

static const struct sampling_settings by_program = {.follow_program = true};

static void test_stages(void **state) {
    (void)state;
    struct error err = {""};
    struct sampling *s = make(&by_program, NULL);
    const struct trace_cycle now = {.cycle = 10, .select = {.state = STATE_COMPUTING, .valid = 0}};
    const struct sample_record *record;
    assert_true(sampling_in_time(s));
    assert_int_equal(sampling_start(s, &api, NULL, 3, &err), 0);
    assert_int_equal(sampling_stage(s), SAMPLING_ON);
    assert_int_equal(unit.followed, 1);
    assert_int_equal(sampling_collect(s, &api, NULL, false, &record, &err), 0); // none was announced
    assert_null(record);
    assert_int_equal(sampling_trigger(s, &now, 10, true, &err), 1);
    assert_false(sampling_waits(s));
    sampling_end(s, 12);
    assert_true(sampling_stage(s) == SAMPLING_OVER && sampling_owes(s)); // that one came before
    assert_int_equal(sampling_trigger(s, &now, 12, true, &err), 0);
    unit.shows = 10;
    sampling_announce(s);
    assert_int_equal(sampling_collect(s, &api, NULL, false, &record, &err), 0);
    assert_true(record && record->cycle == 10 && record->cycles == 7 && unit.acknowledged == 1);
    assert_false(sampling_owes(s));
    assert_int_equal(sampling_collect(s, &api, NULL, false, &record, &err), 0); // once
    assert_null(record);
    unit.shows = 12;
    sampling_announce(s);
    assert_int_equal(sampling_collect(s, &api, NULL, true, &record, &err), 0);
    assert_int_equal(unit.acknowledged, 1); // at the end no cycle is spent on it
    assert_true(sampling_counts(s).samples == 1 && sampling_counts(s).triggers == 1);
    sampling_destroy(s);
}

// The unit does otherwise: the error is the sampler's.
static void test_wrong(void **state) {
    (void)state;
    struct error err = {""};
    struct sampling *s = make(&by_program, NULL);
    const struct sample_record *record;
    assert_int_equal(sampling_start(s, &api, NULL, 0, &err), 0);
    unit.shows = 5;
    sampling_announce(s);
    assert_int_equal(sampling_collect(s, &api, NULL, false, &record, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "cycle 5: the sampling unit announced an unexpected sample"));
    assert_null(record);
    sampling_destroy(s);
}

// A region without a cycle: its end is met before the units are set going.
static void test_over_at_once(void **state) {
    (void)state;
    struct error err = {""};
    struct sampling *s = make(&by_program, NULL);
    const struct trace_cycle now = {.cycle = 30, .select = {.state = STATE_COMPUTING, .valid = 0}};
    sampling_end(s, 30);
    assert_int_equal(sampling_start(s, &api, NULL, 30, &err), 0);
    assert_int_equal(sampling_stage(s), SAMPLING_OVER);
    assert_int_equal(sampling_trigger(s, &now, 30, true, &err), 0);
    sampling_destroy(s);
}

static void test_instructions(void **state) {
    (void)state;
    struct error err = {""};
    const uint64_t words[INSTRUCTION_SAMPLE_WORDS] = {0};
    const struct instruction_settings profileme = {.interval = 100};
    const struct sampling_settings none = {.seed = 1};
    struct sampling *s = make(&none, &profileme);
    assert_false(sampling_in_time(s) || sampling_waits(s) || sampling_owes(s));
    assert_int_equal(sampling_start(s, &api, NULL, 0, &err), 0);
    assert_true(unit.windows > 0 && unit.followed == 0);
    assert_int_equal(sampling_instruction(s, words, &err), 1);
    sampling_end(s, 9);
    assert_int_equal(sampling_instruction(s, words, &err), 0);
    assert_int_equal(sampling_instructions(s), 1);
    assert_int_equal(sampling_finish(s, &api, NULL, 20, &err), 0);
    sampling_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages), cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_over_at_once), cmocka_unit_test(test_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
