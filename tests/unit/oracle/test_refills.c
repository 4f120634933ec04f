// What a misprediction costs, by hand. A branch B at 0x100 enters the ROB in cycle 10 and leaves it in cycle 15, in all
// cases but the last two; F, at 0x200, leaves next.
#include "oracle/refills.h"
#include "tests/unit/profile/published.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { B = 0x100, F = 0x200, OTHER = 0x300 };

static struct refill_leaves leaves(uint64_t pc, uint64_t dispatched, uint64_t headed) {
    return (struct refill_leaves){.place = {pc, 0}, .dispatched = dispatched, .headed = headed};
}

static struct refill_leaves mispredicted(uint64_t pc, uint64_t dispatched, uint64_t headed) {
    struct refill_leaves l = leaves(pc, dispatched, headed);
    l.mispredict = true;
    return l;
}

static void step(struct refills *r, uint64_t cycle, struct refill_leaves l) {
    struct error err;
    assert_int_equal(refills_step(r, cycle, &l, 1, &err), 0);
}

// The statistics' line of the pair is `expected`, and there is no other; NULL: there is none at all.
static void expect_in(const struct pair_table *pairs_of, const char *expected) {
    cJSON *statistics = published_pairs(pairs_of, RESULT_REFILL);
    const cJSON *groups = cJSON_GetObjectItem(statistics, "refills");
    assert_int_equal(cJSON_GetArraySize(groups), expected ? 1 : 0);
    if (expected) {
        const cJSON *pairs = cJSON_GetObjectItem(cJSON_GetArrayItem(groups, 0), "pairs");
        assert_int_equal(cJSON_GetArraySize(pairs), 1);
        assert_string_equal(cJSON_GetArrayItem(pairs, 0)->valuestring, expected);
    }
    cJSON_Delete(statistics);
}

// Of mispredicted branches; and no flush was seen.
static void expect(struct refills *r, const char *expected) {
    expect_in(refills_pairs(r), expected);
    expect_in(refills_flushes(r), NULL);
    refills_destroy(r);
}

static struct refills *create(void) {
    struct error err;
    struct refills *r = refills_create(&err);
    assert_non_null(r);
    return r;
}

// Empty in 16..21, F enters in 21, is the oldest from 22 on, commits in 26: it waits in 22..25. All of it would not be:
// F came 11 cycles later than B, and 10 are lost.
static void refill_and_fill(void **state) {
    (void)state;
    struct refills *r = create();
    step(r, 15, mispredicted(B, 10, 14));
    step(r, 26, leaves(F, 21, 22));
    expect(r, "100 200 1 6 4 11");
}

// The same of an instruction that flushes, apart; one that does and comes after a mispredicted branch closes the
// branch's.
static void a_flush(void **state) {
    (void)state;
    struct refills *r = create();
    struct refill_leaves flushes = leaves(B, 10, 14);
    flushes.flush = true;
    step(r, 15, flushes);
    step(r, 26, leaves(F, 21, 22));
    expect_in(refills_pairs(r), NULL);
    expect_in(refills_flushes(r), "100 200 1 6 4 11");
    refills_destroy(r);
    r = create();
    step(r, 15, mispredicted(B, 10, 14));
    flushes = leaves(F, 21, 22);
    flushes.flush = true;
    step(r, 26, flushes);
    step(r, 40, leaves(B, 33, 34));
    expect_in(refills_pairs(r), "100 200 1 6 4 11");
    expect_in(refills_flushes(r), "200 100 1 7 5 12");
    refills_destroy(r);
}

// F is a load that misses, and commits in 200: of its 178 cycles of waiting the branch has caused no more than makes up
// the 11 by which F came later.
static void no_more_than_the_delay(void **state) {
    (void)state;
    struct refills *r = create();
    step(r, 15, mispredicted(B, 10, 14));
    step(r, 200, leaves(F, 21, 22));
    expect(r, "100 200 1 6 5 11");
}

// The branch was found wrong early and left late, after a slow instruction: F was dispatched before B left. Oldest from
// 16 on, it commits in 18.
static void behind_a_slow_one(void **state) {
    (void)state;
    struct refills *r = create();
    step(r, 15, mispredicted(B, 2, 15));
    step(r, 18, leaves(F, 14, 16));
    expect(r, "100 200 1 0 2 12");
    r = create(); // ... and is done when its turn comes
    step(r, 15, mispredicted(B, 2, 15));
    step(r, 16, leaves(F, 9, 16));
    expect(r, "100 200 1 0 0 7");
}

// Where F excepts, the cycle in which it does is Stalled, too. After it nothing is the branch's.
static void exception(void **state) {
    (void)state;
    struct refills *r = create();
    struct refill_leaves trap = leaves(F, 21, 22);
    trap.exception = true;
    step(r, 15, mispredicted(B, 10, 14));
    step(r, 25, trap);
    step(r, 60, leaves(OTHER, 50, 51));
    expect(r, "100 200 1 6 4 11");
}

// The last of those that leave in a cycle counts, and only the first after it. Two that follow each other are two.
static void groups(void **state) {
    (void)state;
    struct error err;
    struct refills *r = create();
    const struct refill_leaves group[] = {leaves(OTHER, 9, 14), mispredicted(B, 10, 15)};
    const struct refill_leaves next[] = {leaves(F, 21, 22), leaves(OTHER, 21, 26)};
    for (uint64_t from = 0; from < 1000; from += 100) {
        struct refill_leaves now[4] = {group[0], group[1], next[0], next[1]};
        for (int i = 0; i < 4; i++)
            now[i].dispatched += from, now[i].headed += from;
        assert_int_equal(refills_step(r, from + 15, now, 2, &err), 0);
        assert_int_equal(refills_step(r, from + 20, NULL, 0, &err), 0); // the host wrote
        assert_int_equal(refills_step(r, from + 26, now + 2, 2, &err), 0);
    }
    expect(r, "100 200 10 60 40 110");
    r = create();
    step(r, 15, leaves(B, 10, 14)); // predicted right
    step(r, 26, leaves(F, 21, 22));
    expect(r, NULL);
}

// What was before the run's beginning (after a warm-up) is not counted, the rest of a refill is.
static void begins_in_a_refill(void **state) {
    (void)state;
    struct refills *r = create();
    step(r, 5, mispredicted(OTHER, 1, 4));
    step(r, 8, leaves(OTHER, 6, 7));
    step(r, 15, mispredicted(B, 10, 14));
    refills_begin(r, 20);
    step(r, 26, leaves(F, 21, 22));
    expect(r, "100 200 1 2 4 11");
}

static uint64_t draw(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

// The table itself: more pairs than it begins with, against sums in an array.
static void many_pairs(void **state) {
    enum { SIDE = 64, STEPS = 60000 };
    static uint64_t sums[SIDE][SIDE][2];
    (void)state;
    struct pair_table *t = pair_table_create();
    uint64_t seed = 7, found = 0;
    assert_non_null(t);
    for (int i = 0; i < STEPS; i++) {
        const uint64_t from = draw(&seed) % SIDE, to = draw(&seed) % SIDE, weight = draw(&seed) % 9;
        assert_true(pair_table_add(t, (struct place){from, from & 1}, (struct place){to, 0},
                                   (const uint64_t[PAIR_COUNTS]){1, weight, 0, 0}));
        sums[from][to][0]++;
        sums[from][to][1] += weight;
    }
    cJSON *statistics = published_pairs(t, RESULT_REFILL);
    const cJSON *group, *item;
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(statistics, "refills")), 2);
    cJSON_ArrayForEach(group, cJSON_GetObjectItem(statistics, "refills")) {
        cJSON_ArrayForEach(item, cJSON_GetObjectItem(group, "pairs")) {
            uint64_t from, to, count, weight;
            assert_int_equal(
                sscanf(item->valuestring, "%" SCNx64 " %" SCNx64 " %" SCNu64 " %" SCNu64, &from, &to, &count, &weight),
                4);
            assert_int_equal(from & 1, cJSON_GetObjectItem(group, "from_mode")->valuedouble);
            assert_true(count == sums[from][to][0] && weight == sums[from][to][1]);
            found += count;
        }
    }
    assert_int_equal(found, STEPS);
    cJSON_Delete(statistics);
    pair_table_empty(t);
    statistics = published_pairs(t, RESULT_REFILL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(statistics, "refills")), 0);
    cJSON_Delete(statistics);
    pair_table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refill_and_fill),    cmocka_unit_test(a_flush),   cmocka_unit_test(no_more_than_the_delay),
        cmocka_unit_test(behind_a_slow_one),  cmocka_unit_test(exception), cmocka_unit_test(groups),
        cmocka_unit_test(begins_in_a_refill), cmocka_unit_test(many_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
