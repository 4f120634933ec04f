// The golden vectors through the Oracle: what it expects of the hardware in every cycle, and what it books.
#include "../../profile/vectors/vector_bundle.h"
#include "oracle/oracle.h"
#include "profile/units.h"
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct vector vector;

// Compared by hand, field by field, as the cross-check itself is under test.
static void expect_cycle(struct oracle *o, const struct vector_cycle *c, const struct commit_bundle *b) {
    struct sample s;
    const struct oir *oir = oracle_oir(o);
    oracle_expect(o, b, &s);
    bool good = s.state == c->state && s.valid == c->lanes && s.oldest == c->oldest_lane &&
                s.exception == c->by_exception && s.flush == c->by_flush && s.mispredict == c->by_mispredict &&
                oir->valid == c->oir_valid && oir->pc == c->oir_pc && oir->psv == c->oir_psv &&
                oir->exception == c->oir_exception && oir->flush == c->oir_flush &&
                oir->mispredict == c->oir_mispredict;
    for (unsigned i = 0; i < VECTOR_LANES; i++)
        good = good && s.addr[i] == c->addr[i] && s.psv[i] == c->addr_psv[i];
    if (!good) fail_msg("%s:%u: the Oracle expects another sample or OIR", vector.path, c->line);
}

static void expect_rows(struct oracle *o) {
    size_t count;
    const struct profile_row *rows = oracle_rows(o, &count);
    size_t expected = 0;
    for (unsigned i = 0; i < vector.row_count; i++) {
        const struct vector_row *e = &vector.rows[i];
        if (strcmp(e->profiler, "Oracle") != 0) continue;
        expected++;
        size_t k = 0;
        while (k < count && !(rows[k].pc == e->pc && rows[k].state == e->state && rows[k].psv == e->psv))
            k++;
        if (k == count) fail_msg("%s: row %u of the Oracle is missing", vector.path, i + 1);
        if (rows[k].weight != e->units) {
            fail_msg("%s: row %u: expected %llu/%u cycles, booked %llu", vector.path, i + 1,
                     (unsigned long long)e->units, vector.units, (unsigned long long)rows[k].weight);
        }
    }
    assert_true(expected > 0);
    assert_int_equal(count, expected);
}

// In lumps: quiet cycles of a line as one step.
static void play(const char *path, bool lumps) {
    struct error err;
    vector_read(&vector, path);
    struct oracle *o = oracle_create(vector.width, &err);
    assert_non_null(o);
    assert_int_equal(units_per_cycle(vector.width), vector.units);
    uint64_t cycles = 0, state_cycles[STATE_COUNT] = {0};
    for (unsigned i = 0; i < vector.cycle_count; i++) {
        const struct vector_cycle *c = &vector.cycles[i];
        struct commit_bundle b = vector_bundle(c);
        unsigned count = c->last - c->first + 1;
        bool quiet = !b.commit && !b.exception && !b.dispatch_valid;
        expect_cycle(o, c, &b);
        if (lumps && quiet) {
            assert_int_equal(oracle_step(o, &b, count), 0);
        } else {
            for (unsigned n = 0; n < count; n++) {
                if (n) expect_cycle(o, c, &b);
                assert_int_equal(oracle_step(o, &b, 1), 0);
            }
        }
        cycles += count;
        state_cycles[c->state] += count;
    }
    assert_int_equal(oracle_finish(o, cycles, &err), 0);
    assert_int_equal(oracle_cycles(o), cycles);
    for (unsigned i = 0; i < STATE_COUNT; i++)
        assert_int_equal(oracle_state_units(o, i), state_cycles[i] * vector.units);
    expect_rows(o);
    oracle_destroy(o);
}

static void test_all(bool lumps) {
    glob_t files;
    assert_int_equal(glob(TIPOFF_ROOT "/tests/profile/vectors/*.txt", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 22);
    for (size_t i = 0; i < files.gl_pathc; i++)
        play(files.gl_pathv[i], lumps);
    globfree(&files);
}

static void test_single_cycles(void **state) {
    (void)state;
    test_all(false);
}

static void test_lumps(void **state) {
    (void)state;
    test_all(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single_cycles), cmocka_unit_test(test_lumps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
