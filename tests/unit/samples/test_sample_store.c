// Samples kept in memory: each comes back as it was added, in order; those that differ in their times only are one
// kind.
#include "samples/sample_store.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 200000 };

// xorshift64 (Marsaglia)
static uint64_t next(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    return *x ^= *x << 17;
}

// Any bits, few or many of them, so that numbers of all lengths occur.
static uint64_t number(uint64_t *x) {
    const unsigned shift = (unsigned)(next(x) % 64);
    return next(x) >> shift;
}

static struct sample_record any(uint64_t *x) {
    struct sample_record r;
    memset(&r, 0, sizeof r); // compared byte by byte
    r.cycle = number(x);     // also backwards: a damaged file has such
    r.cycles = number(x);
    if (next(x) % 2) r.stalled_cycles = number(x);
    if (next(x) % 2) r.repeats = (uint32_t)number(x);
    if (next(x) % 2) r.stalled = (uint32_t)number(x);
    r.hart = (uint8_t)next(x);
    r.partial = next(x) % 2;
    r.sample.state = (uint8_t)(next(x) % STATE_COUNT);
    r.sample.valid = (uint8_t)next(x);
    r.sample.oldest = (uint8_t)(next(x) % MAX_LANES);
    r.sample.exception = next(x) % 2;
    r.sample.flush = next(x) % 2;
    r.sample.mispredict = next(x) % 2;
    r.sample.priv = (uint8_t)(next(x) % 4);
    r.sample.space = number(x);
    r.data_of = (uint8_t)(next(x) % SAMPLES_DATA_KINDS);
    if (r.data_of) r.data = number(x) >> (64 - SAMPLES_ADDRESS_BITS) | 1;
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (!(r.sample.valid >> lane & 1)) continue;
        r.sample.addr[lane] = number(x);
        r.sample.psv[lane] = (uint16_t)next(x);
        r.stack[lane] = (uint32_t)number(x);
    }
    return r;
}

struct expected {
    uint64_t x, count;
};

static bool is_next(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct expected *e = context;
    const struct sample_record r = any(&e->x);
    (void)header;
    assert_memory_equal(record, &r, sizeof r);
    e->count++;
    return true;
}

static void round_trip(void **state) {
    (void)state;
    struct sample_store *s = sample_store_create();
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < MANY; i++) {
        const struct sample_record r = any(&x);
        assert_true(sample_store_add(s, &r));
    }
    struct expected e = {88172645463325252u, 0};
    assert_true(sample_store_each(s, NULL, is_next, &e));
    assert_int_equal(e.count, MANY);
    assert_int_equal(sample_store_count(s), MANY);
    sample_store_destroy(s);
}

// Each part of what a kind has in common makes another one, and times do not.
static void kinds(void **state) {
    (void)state;
    struct sample_record list[14];
    const size_t count = sizeof list / sizeof *list;
    for (size_t i = 0; i < count; i++) {
        memset(&list[i], 0, sizeof list[i]);
        list[i].sample.valid = 3;
    }
    list[1].sample.state = 1;
    list[2].sample.valid = 5;
    list[3].sample.oldest = 1;
    list[4].sample.exception = true;
    list[5].sample.flush = true;
    list[6].sample.mispredict = true;
    list[7].sample.priv = 3;
    list[8].sample.space = 1;
    list[9].sample.addr[1] = 4;
    list[10].sample.psv[1] = 1;
    list[11].stack[1] = 1;
    list[12].hart = 1;
    list[13].partial = true;
    struct sample_store *s = sample_store_create();
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < count; i++) {
            struct sample_record r = list[i];
            r.cycle = 1000 * round + i;
            r.cycles = 10 + round;
            r.stalled_cycles = round;
            r.repeats = 2;
            r.stalled = (uint32_t)round;
            assert_true(sample_store_add(s, &r));
        }
    }
    assert_int_equal(sample_store_kinds(s), count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sample_kind *kind = sample_store_kind(s, i);
        struct sample_record r;
        memset(&r, 1, sizeof r);
        sample_store_common(s, i, &r);
        assert_memory_equal(&r, &list[i], sizeof r);
        assert_int_equal(kind->count, 3);
        assert_int_equal(kind->cycles, 10 + 11 + 12);
        assert_int_equal(kind->stalled_cycles, 3);
        assert_int_equal(kind->periods, 3 * (1 + 2) + 3);
    }
    sample_store_destroy(s);
}

static bool stop(void *context, const struct samples_header *header, const struct sample_record *record) {
    (void)header;
    (void)record;
    return --*(int *)context > 0;
}

static void stops_and_nothing(void **state) {
    (void)state;
    const struct sample_record r = {.cycles = 1};
    int left = 2;
    struct sample_store *s = sample_store_create();
    assert_true(sample_store_each(s, NULL, stop, &left));
    assert_int_equal(sample_store_kinds(s), 0);
    for (int i = 0; i < 3; i++)
        assert_true(sample_store_add(s, &r));
    assert_false(sample_store_each(s, NULL, stop, &left));
    assert_int_equal(left, 0);
    sample_store_destroy(s);
    sample_store_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(kinds),
                                       cmocka_unit_test(stops_and_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
