// What the sampling unit must deliver, against stories by hand: what is taken, what is one more of it, what a sample
// ends with, which triggers are counted where.
#include "harness/expected_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ST_L1 = 64, FL_EX = 16, LANE = 1 };

// A cycle in letters: C S F D its state; d dispatch, x exception, t trigger, c collect the oldest before it.
struct step {
    const char *in;
    int taken; // 1 taken, 0 one more, -1 no trigger, -2 no room
};

static struct sample select_of(unsigned state, uint64_t cycle) {
    struct sample s = {.state = (uint8_t)state, .priv = 3, .space = 7};
    if (state == STATE_COMPUTING || state == STATE_STALLED) s.oldest = LANE;
    if (state != STATE_DRAINED) {
        s.valid = (uint8_t)(1u << s.oldest);
        s.addr[s.oldest] = 0x1000 + 4 * cycle;
        s.psv[s.oldest] = (uint16_t)cycle;
    }
    return s;
}

static void play(struct expected_samples *e, const struct step *steps, unsigned count) {
    for (uint64_t c = 0; c < count; c++) {
        const char *in = steps[c].in;
        unsigned state = (unsigned)(strchr("CSFD", in[0]) - "CSFD");
        struct commit_bundle b = {.rob_empty = state >= STATE_FLUSHED, .oldest = LANE};
        if (state == STATE_COMPUTING) b.commit = 1u << LANE;
        if (strchr(in, 'd')) b.dispatch_valid = 1;
        b.dispatch_pc[0] = 0x2000 + 4 * c;
        b.psv[LANE] = (uint16_t)(ST_L1 | c);
        b.exception = strchr(in, 'x') != NULL;
        b.exception_psv = (uint16_t)(FL_EX | ST_L1 | c);
        const struct sample select = select_of(state, c);
        if (strchr(in, 'c')) {
            assert_non_null(expected_samples_oldest(e));
            expected_samples_forget(e);
        }
        if (expected_samples_wait(e)) expected_samples_cycle(e, c, &b);
        if (!strchr(in, 't')) {
            assert_int_equal(steps[c].taken, -1);
            continue;
        }
        bool taken;
        bool good = expected_samples_trigger(e, c, &select, &b, &taken);
        assert_int_equal(good ? (int)taken : -2, steps[c].taken);
    }
}
#define PLAY(E, ...)                                                                                                   \
    do {                                                                                                               \
        static const struct step steps[] = {__VA_ARGS__};                                                              \
        play(E, steps, sizeof steps / sizeof *steps);                                                                  \
    } while (0)

static void expect(struct expected_samples *e, unsigned state, uint64_t cycle, uint64_t last, uint64_t addr,
                   unsigned psv, unsigned repeats, unsigned stalled, uint64_t stalled_cycles) {
    const struct expected_sample *s = expected_samples_oldest(e);
    assert_non_null(s);
    assert_int_equal(s->sample.state, state);
    assert_int_equal(s->cycle, cycle);
    assert_int_equal(s->last, last);
    assert_int_equal(s->sample.addr[s->sample.oldest], addr);
    assert_int_equal(s->sample.psv[s->sample.oldest], psv);
    assert_int_equal(s->sample.valid, 1u << s->sample.oldest);
    assert_int_equal(s->sample.priv, 3);
    assert_int_equal(s->sample.space, 7);
    assert_int_equal(s->repeats, repeats);
    assert_int_equal(s->stalled, stalled);
    assert_int_equal(s->stalled_cycles, stalled_cycles);
    expected_samples_forget(e);
}

static void test_at_once(void **state) {
    (void)state;
    struct expected_samples e;
    for (unsigned tea = 0; tea < 2; tea++) {
        expected_samples_init(&e, tea, 40);
        PLAY(&e, {"Ct", 1}, {"Ft", 1}, {"Stx", 1});
        expect(&e, STATE_COMPUTING, 0, 0, 0x1000, 0, 0, 0, 0);
        expect(&e, STATE_FLUSHED, 1, 1, 0x1004, 1, 0, 0, 0);
        expect(&e, STATE_STALLED, 2, 2, 0x1008, 2, 0, 0, 0);
        assert_null(expected_samples_oldest(&e));
    }
    expected_samples_init(&e, false, 40); // without vectors Stalled is, too
    PLAY(&e, {"St", 1}, {"St", 1});
    expect(&e, STATE_STALLED, 0, 0, 0x1000, 0, 0, 0, 0);
    expect(&e, STATE_STALLED, 1, 1, 0x1004, 1, 0, 0, 0);
}

static void test_stalled(void **state) {
    (void)state;
    struct expected_samples e;
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"St", 1}, {"S", -1}, {"St", 0}, {"St", 0});
    assert_true(expected_samples_wait(&e));
    assert_null(expected_samples_oldest(&e));
    PLAY(&e, {"C", -1}); // its cycle is numbered 0
    assert_false(expected_samples_wait(&e));
    expect(&e, STATE_STALLED, 0, 3, 0x1000, ST_L1, 2, 0, 0);
    // A trigger with the commit is a sample of its own, one with the exception is not.
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"St", 1}, {"Ct", 1}, {"St", 1}, {"Stx", 0}, {"Ft", 1});
    expect(&e, STATE_STALLED, 0, 0, 0x1000, ST_L1 | 1, 0, 0, 0);
    expect(&e, STATE_COMPUTING, 1, 1, 0x1004, 1, 0, 0, 0);
    expect(&e, STATE_STALLED, 2, 3, 0x1008, FL_EX | ST_L1 | 3, 1, 0, 0);
    expect(&e, STATE_FLUSHED, 4, 4, 0x1010, 4, 0, 0, 0);
    // A head that is dropped: the vector that was latched, and the trigger of that cycle is another's.
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"S", -1}, {"S", -1}, {"St", 1}, {"Dt", 1});
    expect(&e, STATE_STALLED, 2, 2, 0x1008, 2, 0, 0, 0);
    assert_null(expected_samples_oldest(&e)); // Drained, and nobody has dispatched
}

static void test_drained(void **state) {
    (void)state;
    struct expected_samples e;
    expected_samples_init(&e, false, 40);
    PLAY(&e, {"Dt", 1}, {"Dt", 0}, {"Dtd", 0}, {"St", 1}, {"Dtd", 1}, {"S", -1});
    expect(&e, STATE_DRAINED, 0, 2, 0x2008, 0, 2, 0, 0);
    expect(&e, STATE_STALLED, 3, 3, 0x100c, 3, 0, 0, 0);
    expect(&e, STATE_DRAINED, 4, 4, 0x2010, 0, 0, 0, 0);
    // With vectors: further ones in Stalled are counted apart, with their cycles, up to the exception.
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"Dt", 1}, {"D", -1}, {"Dt", 0}, {"Dtd", 0}, {"S", -1}, {"St", 0}, {"S", -1}, {"Stx", 0});
    expect(&e, STATE_DRAINED, 0, 7, 0x200c, FL_EX | ST_L1 | 7, 2, 2, 4);
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"Dtd", 1}, {"St", 0}, {"Ct", 1});
    expect(&e, STATE_DRAINED, 0, 1, 0x2000, ST_L1 | 2, 0, 1, 1);
    expect(&e, STATE_COMPUTING, 2, 2, 0x1008, 2, 0, 0, 0);
}

static void test_room(void **state) {
    (void)state;
    struct expected_samples e;
    expected_samples_init(&e, true, 40);
    PLAY(&e, {"Ct", 1}, {"Ct", 1}, {"Ct", 1}, {"Ct", 1}, {"Ct", -2}, {"Cct", 1}, {"Ct", -2});
    for (uint64_t c = 1; c < 4; c++)
        expect(&e, STATE_COMPUTING, c, c, 0x1000 + 4 * c, (unsigned)c, 0, 0, 0);
    expect(&e, STATE_COMPUTING, 5, 5, 0x1014, 5, 0, 0, 0);
    assert_int_equal(e.count, 0);
}

// Of addresses the lower bits are kept, and the uppermost of them is repeated: named at once, or by a dispatch.
static void test_addresses(void **state) {
    (void)state;
    static const struct {
        unsigned bits;
        uint64_t addr, kept;
    } cases[] = {{40, 0x7fffffffff, 0x7fffffffff},     {40, 0x8000000000, 0xffffff8000000000},
                 {40, 0x1234560080000000, 0x80000000}, {40, 0xffffffc000001000, 0xffffffc000001000},
                 {48, 0x123456789abc, 0x123456789abc}, {64, 0x8123456789abcdef, 0x8123456789abcdef}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expected_samples e;
        bool taken;
        expected_samples_init(&e, false, cases[i].bits);
        struct sample select = {.state = STATE_COMPUTING, .valid = 3, .addr = {0x80000000, cases[i].addr}};
        struct commit_bundle b = {.commit = 3};
        assert_true(expected_samples_trigger(&e, 0, &select, &b, &taken));
        assert_int_equal(expected_samples_oldest(&e)->sample.addr[0], 0x80000000);
        assert_int_equal(expected_samples_oldest(&e)->sample.addr[1], cases[i].kept);
        expected_samples_forget(&e);
        select = (struct sample){.state = STATE_DRAINED};
        b = (struct commit_bundle){.rob_empty = true};
        assert_true(expected_samples_trigger(&e, 1, &select, &b, &taken));
        b.dispatch_valid = 1;
        b.dispatch_pc[0] = cases[i].addr;
        expected_samples_cycle(&e, 2, &b);
        assert_int_equal(expected_samples_oldest(&e)->sample.addr[0], cases[i].kept);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_once),   cmocka_unit_test(test_stalled), cmocka_unit_test(test_drained),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
