// Samples pooled, with sums done by hand on the loop of tiny.S: by block, by counts, and in two contexts.
#include "analysis/pool.h"
#include "tiny.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { START = 0x80000000, TOP = 0x80000004, BRANCH = 0x80000008, ELSEWHERE = 0x1234, U = 12 };
enum { MACHINE = 3, USER = 0 };
static struct images *images;

// 10 cycles each. Both commit; the first alone, having missed (bit 2); the second waits.
static const struct sample_record both = {.cycles = 10,
                                          .sample = {STATE_COMPUTING, 3, 0, {TOP, BRANCH}, {0}, 0, 0, 0, MACHINE, 0}};
static const struct sample_record top = {.cycles = 10,
                                         .sample = {STATE_COMPUTING, 1, 0, {TOP}, {4}, 0, 0, 0, MACHINE, 0}};
static const struct sample_record waits = {.cycles = 10,
                                           .sample = {STATE_STALLED, 1, 0, {BRANCH}, {0}, 0, 0, 0, MACHINE, 0}};
static const struct sample_record outside = {.cycles = 10,
                                             .sample = {STATE_COMPUTING, 1, 0, {ELSEWHERE}, {0}, 0, 0, 0, MACHINE, 0}};

// _start runs once, its loop five times.
static uint64_t executions(void *context, const struct program *program, uint64_t pc) {
    (void)context;
    (void)program;
    return pc == START ? 1 : pc == TOP || pc == BRANCH ? 5 : 0;
}

static void expect(enum pool_kind kind, const struct sample_record *samples, size_t count,
                   const struct profile_row *expected, size_t expected_count) {
    struct pool *pool = pool_create(kind);
    struct profile_table *plain = profile_table_create();
    size_t rows, found;
    for (size_t i = 0; i < count; i++)
        assert_true(pool_add(pool, U, &samples[i].sample, samples_periods(&samples[i]), samples[i].cycles) &&
                    booking_add_sample(plain, &samples[i], U));
    const struct profile_row *row = profile_table_rows(plain, &rows);
    struct profile_table *pooled = pool_rows(pool, row, rows, images, executions, NULL);
    assert_non_null(pooled);
    assert_int_equal(profile_table_total(pooled), profile_table_total(plain));
    row = profile_table_rows(pooled, &found);
    assert_int_equal(found, expected_count);
    for (size_t i = 0; i < expected_count; i++) {
        const struct profile_row *a = &row[i], *b = &expected[i];
        if (a->pc != b->pc || a->state != b->state || a->psv != b->psv || a->weight != b->weight ||
            a->context != b->context)
            fail_msg("row %zu: %llx, state %u, psv %x, weight %llu", i, (unsigned long long)a->pc, a->state, a->psv,
                     (unsigned long long)a->weight);
    }
    profile_table_destroy(pooled);
    profile_table_destroy(plain);
    pool_destroy(pool);
}

// Commits 240 and 120: 180 of each in the block. Half a sample is 60, the usual share (180 + 60) / 360 = 2/3. Shares
// 220/300 and 100/180: 132 and 100, scaled to 240: 136.55 and 103.45. The first had 60 without the event
// and 120 with it: a third of 136 is 45.
static void test_blocks(void **state) {
    (void)state;
    const struct sample_record samples[] = {both, top, waits};
    const struct profile_row expected[] = {{TOP, STATE_COMPUTING, 0, 45, MACHINE, 0},
                                           {TOP, STATE_COMPUTING, 4, 91, MACHINE, 0},
                                           {BRANCH, STATE_COMPUTING, 0, 104, MACHINE, 0},
                                           {BRANCH, STATE_STALLED, 0, 120, MACHINE, 0}};
    expect(POOL_BLOCKS, samples, 3, expected, 4);
}

// Beside it a block of one instruction, sampled twice. Usual share 480/600; shares 288/300, 228/300, 108/180,
// executions 240, 180, 180: 230.4, 136.8, 108, scaled to 480: 232.73, 138.18, 109.09.
static void test_two_blocks(void **state) {
    (void)state;
    struct sample_record start = top;
    start.sample.addr[0] = START;
    start.sample.psv[0] = 0;
    const struct sample_record samples[] = {both, top, start, start};
    const struct profile_row expected[] = {{START, STATE_COMPUTING, 0, 232, MACHINE, 0},
                                           {TOP, STATE_COMPUTING, 0, 46, MACHINE, 0},
                                           {TOP, STATE_COMPUTING, 4, 92, MACHINE, 0},
                                           {BRANCH, STATE_COMPUTING, 0, 110, MACHINE, 0}};
    expect(POOL_BLOCKS, samples, 4, expected, 4);
}

// Executions 1, 5, 5, shares 2/3 (never sampled), 220/300, 100/180: 8, 44, 33.33 in 1/12, scaled to 240:
// 22.5, 123.75, 93.75.
static void test_counts(void **state) {
    (void)state;
    const struct sample_record samples[] = {both, top, waits};
    const struct profile_row expected[] = {{START, STATE_COMPUTING, 0, 22, MACHINE, 0},
                                           {TOP, STATE_COMPUTING, 0, 41, MACHINE, 0},
                                           {TOP, STATE_COMPUTING, 4, 83, MACHINE, 0},
                                           {BRANCH, STATE_COMPUTING, 0, 94, MACHINE, 0},
                                           {BRANCH, STATE_STALLED, 0, 120, MACHINE, 0}};
    expect(POOL_COUNTS, samples, 3, expected, 5);
}

// What is in no image stays. In two modes, the block's commits part the counts: user's 120 and machine's 240 of 360.
//   Half a sample 60, usual share 240/360 = 2/3 of both modes' commits: machine's TOP (60 + 40)/(120 + 60) = 5/9, and
//   so BRANCH; user's TOP (120 + 40)/(120 + 60) = 8/9, its BRANCH 2/3, never sampled. Executions 20 and 40 of 60, of
//   _start's 12 4 and 8, at 2/3. User's first: 8/3, 16/3; 160/9, 200/9; 40/3, 200/9. Of their sum, 752/9, 240 are to be
//   made: 7.66, 15.32; 51.06, 63.83; 38.30, 63.83; added up and rounded down 7, 22, 74, 137, 176, 240.
static void test_contexts(void **state) {
    (void)state;
    struct sample_record user = top;
    user.sample.priv = USER;
    const struct sample_record samples[] = {both, user, outside};
    const struct profile_row expected[] = {
        {ELSEWHERE, STATE_COMPUTING, 0, 120, MACHINE, 0}, {START, STATE_COMPUTING, 0, 7, USER, 0},
        {START, STATE_COMPUTING, 0, 15, MACHINE, 0},      {TOP, STATE_COMPUTING, 4, 52, USER, 0},
        {TOP, STATE_COMPUTING, 0, 63, MACHINE, 0},        {BRANCH, STATE_COMPUTING, 0, 39, USER, 0},
        {BRANCH, STATE_COMPUTING, 0, 64, MACHINE, 0}};
    expect(POOL_COUNTS, samples, 3, expected, 7);
}

// No commits at all: as sampled.
static void test_nothing(void **state) {
    (void)state;
    const struct profile_row expected[] = {{BRANCH, STATE_STALLED, 0, 120, MACHINE, 0}};
    expect(POOL_BLOCKS, &waits, 1, expected, 1);
    expect(POOL_COUNTS, &waits, 1, expected, 1);
    expect(POOL_COUNTS, NULL, 0, NULL, 0);
}

static int set_up(void **state) {
    (void)state;
    struct error err;
    static const struct image_extent whole = {.modes = UINT32_MAX, .any_space = true};
    char elf[] = "/tmp/tipoff-pool-XXXXXX";
    const int fd = mkstemp(elf);
    images = images_create();
    const bool good = fd >= 0 && tiny_build(elf, "") && images_add(images, "tiny", &whole, program_load(elf, &err)) &&
                      images_program(images, 0);
    remove(elf);
    return good ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    images_destroy(images);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_two_blocks),
                                       cmocka_unit_test(test_counts), cmocka_unit_test(test_contexts),
                                       cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
