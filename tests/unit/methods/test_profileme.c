// ProfileMe's formulas (MICRO 1997, sections 5.1 and 5.2.3) on records made by hand, the numbers worked out on paper.
#include "events.h"
#include "methods/profileme/addresses.h"
#include "methods/profileme/convergence.h"
#include "methods/profileme/pairs.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A = 0x1000, B = 0x2000, MACHINE = 3 };
static const struct instruction_settings each_hundred = {.interval = 100},
                                         pairs_of_four = {.interval = 100, .pairs = true, .window = 2};
static struct error err;

static void near_to(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected)))) fail_msg("%.12g, expected %.12g", value, expected);
}

static struct place at(uint64_t pc) {
    return (struct place){pc, place_context(MACHINE, 0)};
}

// Fetched in a cycle; cycles of its stages; retires.
static struct instruction_sample record(uint64_t pc, uint64_t cycle, uint16_t dispatch, uint16_t operands,
                                        uint16_t contention, uint16_t execution, uint16_t retire_wait) {
    return (struct instruction_sample){.pc = pc,
                                       .cycle = cycle,
                                       .mode = MACHINE,
                                       .dispatched = true,
                                       .issued = true,
                                       .executed = true,
                                       .dispatch = dispatch,
                                       .operands = operands,
                                       .contention = contention,
                                       .issue = (uint16_t)(operands + contention),
                                       .execution = execution,
                                       .retire_wait = retire_wait,
                                       .total = (uint16_t)(dispatch + operands + contention + execution + retire_wait),
                                       .stage = 5};
}
static struct instruction_sample killed(struct instruction_sample s) {
    s.flushed = true;
    s.flush = 1;
    s.outcome = 1;
    return s;
}
static struct instruction_sample second(struct instruction_sample s) {
    s.pair = s.second = true;
    return s;
}
static struct instruction_sample missed(struct instruction_sample s, uint64_t address, bool misses) {
    s.kind = 1;
    s.addressed = true;
    s.address = address;
    s.events = misses ? 1 << EVENT_ST_L1 : 0;
    return s;
}

// Three retired and one killed of A, one of B: k S and S sqrt(k); the mean of 2, 4, 6 is 4, its standard error
// sqrt((56/3 - 16) / 2).
static void frequencies(void **state) {
    (void)state;
    const struct instruction_sample records[] = {record(A, 1, 2, 1, 1, 5, 0), record(A, 2, 4, 1, 1, 5, 0),
                                                 killed(record(A, 3, 90, 1, 1, 5, 0)), record(B, 4, 1, 1, 1, 1, 1),
                                                 missed(record(A, 5, 6, 1, 1, 5, 0), 0, true)};
    struct profileme_estimates *e = profileme_estimates_create(records, 5, &each_hundred, &err);
    assert_non_null(e);
    const struct lifetime *a = profileme_estimates_find(e, at(A));
    assert_non_null(a);
    near_to(profileme_count(e, a, TOTAL_FETCHED).value, 400);
    near_to(profileme_count(e, a, TOTAL_FETCHED).deviation, 200);
    near_to(profileme_count(e, a, TOTAL_RETIRED).value, 300);
    near_to(profileme_count(e, a, TOTAL_RETIRED).deviation, 100 * sqrt(3));
    near_to(profileme_count(e, a, TOTAL_MISPREDICTION).value, 100);
    near_to(profileme_count(e, a, TOTAL_EVENT_ST_L1).value, 100);
    near_to(profileme_mean(e, a, TOTAL_DISPATCH).value, 4); // the killed one's 90 cycles are none of a retired one
    near_to(profileme_mean(e, a, TOTAL_DISPATCH).deviation, sqrt((56.0 / 3 - 16) / 2));
    near_to(profileme_mean(e, a, TOTAL_PROGRESS).value, (9 + 11 + 97 + 13) / 4.0); // all that were fetched
    near_to(profileme_part(a, TOTAL_MISPREDICTION, TOTAL_FETCHED).value, 0.25);
    assert_null(profileme_estimates_find(e, at(A + 2)));
    const struct lifetime *b = profileme_estimates_find(e, at(B));
    assert_true(isinf(profileme_mean(e, b, TOTAL_DISPATCH).deviation)); // of one record
    profileme_estimates_destroy(e);
}

// Of 4 selections and 2 collisions between them S is 100 * 6/4; opportunities without an instruction are no
// instructions.
static void interval(void **state) {
    (void)state;
    struct instruction_sample records[] = {
        record(A, 1, 1, 1, 1, 1, 0), record(A, 2, 1, 1, 1, 1, 0), {.opportunity = 2}, record(A, 4, 4095, 1, 1, 1, 0)};
    records[0].collisions = 7;
    records[3].collisions = 9;
    const struct profileme_summary sum = profileme_summarize(records, 4, &each_hundred);
    assert_int_equal(sum.records, 3);
    assert_int_equal(sum.empty, 1);
    assert_int_equal(sum.selections, 4);
    assert_int_equal(sum.collisions, 2);
    assert_int_equal(sum.saturated, 1);
    near_to(sum.interval, 150);
    near_to(sum.scale, 150);
    near_to(profileme_summarize(records, 0, &(struct instruction_settings){.interval = 64, .jitter = 6}).interval,
            (64 + 127) / 2.0);
}

// Of pairs each record stands for S / 2. Both of A: one pair that adds twice, whose square is 4; else two pairs that
// add once.
static void deviation_of_pairs(void **state) {
    (void)state;
    const struct instruction_sample both[] = {record(A, 1, 1, 1, 1, 1, 0), second(record(A, 2, 1, 1, 1, 1, 0))};
    const struct instruction_sample apart[] = {record(A, 1, 1, 1, 1, 1, 0), second(record(B, 2, 1, 1, 1, 1, 0)),
                                               record(B, 1, 1, 1, 1, 1, 0), second(record(A, 2, 1, 1, 1, 1, 0))};
    struct profileme_estimates *e = profileme_estimates_create(both, 2, &pairs_of_four, &err);
    near_to(profileme_count(e, profileme_estimates_find(e, at(A)), TOTAL_RETIRED).value, 100);
    near_to(profileme_count(e, profileme_estimates_find(e, at(A)), TOTAL_RETIRED).deviation, 50 * sqrt(4));
    profileme_estimates_destroy(e);
    e = profileme_estimates_create(apart, 4, &pairs_of_four, &err);
    near_to(profileme_count(e, profileme_estimates_find(e, at(A)), TOTAL_RETIRED).value, 100);
    near_to(profileme_count(e, profileme_estimates_find(e, at(A)), TOTAL_RETIRED).deviation, 50 * sqrt(2));
    profileme_estimates_destroy(e);
}

// k = 4: within 1 +- 1/2. 400 against 300 is 1.33, inside; against 200 it is 2, outside; one without a record has
// no ratio.
static void convergence(void **state) {
    (void)state;
    const struct instruction_sample records[] = {record(A, 1, 1, 1, 1, 1, 0), record(A, 2, 1, 1, 1, 1, 0),
                                                 record(A, 3, 1, 1, 1, 1, 0), record(A, 4, 1, 1, 1, 1, 0)};
    struct lifetime exact[2] = {{.place = at(A)}, {.place = at(B)}};
    struct profileme_convergence c;
    struct profileme_estimates *e = profileme_estimates_create(records, 4, &each_hundred, &err);
    exact[0].total[TOTAL_RETIRED] = 300;
    exact[1].total[TOTAL_RETIRED] = 5;
    assert_true(profileme_converge(e, exact, 2, TOTAL_RETIRED, &c, &err));
    assert_int_equal(c.count, 2);
    assert_int_equal(c.sampled, 1);
    assert_int_equal(c.inside, 1);
    assert_int_equal(c.steady, 0);
    near_to(c.points[0].ratio, 4.0 / 3);
    near_to(c.points[0].bound, 0.5);
    assert_int_equal(c.points[1].k, 0);
    free(c.points);
    exact[0].total[TOTAL_RETIRED] = 200;
    assert_true(profileme_converge(e, exact, 1, TOTAL_RETIRED, &c, &err));
    assert_int_equal(c.inside, 0);
    free(c.points);
    profileme_estimates_destroy(e);
}

static bool overlaps(const char *name, const struct instruction_sample *self, const struct instruction_sample *other) {
    const struct profileme_overlap *o = profileme_overlap_find(name);
    assert_non_null(o);
    return o->overlaps(&(struct profileme_pair){self, other, (int64_t)(other->cycle - self->cycle), 3});
}

// Self: fetched in cycle 100, mapped 102, issues 106, ready to retire 116, retires 120. In progress is [100, 116).
static void definitions(void **state) {
    (void)state;
    const struct instruction_sample self = record(A, 100, 2, 3, 1, 10, 4);
    const struct instruction_sample last = record(B, 110, 2, 2, 1, 1, 3),
                                    late = record(B, 110, 2, 2, 2, 1, 9); // issue in 115, 116; retire in 119, 126
    const struct instruction_sample before = record(B, 90, 2, 4, 4, 5, 30),
                                    early = record(B, 90, 2, 4, 3, 6,
                                                   3); // issue in 100, 99; execute up to 105; retire in 135, 108
    assert_true(overlaps("useful", &self, &last));
    assert_false(overlaps("useful", &self, &late));
    assert_true(overlaps("useful", &self, &before));
    assert_false(overlaps("useful", &self, &early));
    const struct instruction_sample dead = killed(last);
    assert_false(overlaps("useful", &self, &dead));
    assert_true(overlaps("useless", &self, &dead));
    assert_false(overlaps("useless", &self, &last));
    struct instruction_sample never = dead;
    never.issued = false;
    assert_false(overlaps("useless", &self, &never));
    const struct instruction_sample waits = record(B, 100, 2, 3, 0, 1, 0),
                                    maps = record(B, 100, 1, 0, 0, 1, 0); // issue in 105, 101
    assert_true(overlaps("waiting", &self, &waits));
    assert_false(overlaps("waiting", &self, &maps));
    assert_false(overlaps("waiting", &self, &last));
    assert_true(overlaps("executing", &self, &last));
    assert_false(overlaps("executing", &self, &late));
    assert_false(overlaps("executing", &self, &before)); // up to cycle 105, it issues in 106
    assert_true(overlaps("retiring", &self, &last));
    assert_false(overlaps("retiring", &self, &late));
    assert_true(overlaps("near", &self, &last)); // a cycle apart
    assert_false(overlaps("near", &self, &late));
    assert_null(profileme_overlap_find("none"));
}

// S = 100, W = 4, C = 2. The first pair: A is in progress for 16 cycles and B issues in the 7th of them; B for 4, and A
// issues in its 2nd: both useful. The second: B is killed, A issues behind B's end. Of A: U = 1, L = 16 + 20, so 36 * 2
// * 100 / 2 - 1 * 4 * 100 = 3200; of B: U = 1, L = 4 + 3, so 700 - 400 = 300. The pairs add to A 1600 - 400 and 2000.
static void wasted_slots(void **state) {
    (void)state;
    const struct instruction_sample records[] = {
        record(A, 100, 2, 3, 1, 10, 0), second(record(B, 104, 2, 1, 0, 1, 8)), killed(record(B, 200, 1, 1, 0, 1, 0)),
        second(record(A, 200, 2, 7, 1, 10, 0)), record(A, 300, 1, 1, 1, 1, 1)}; // whose second one is missing: no pair
    const struct profileme_pairs_settings settings = {profileme_overlap(0), 2, 3};
    struct profileme_pairs *p = profileme_pairs_create(records, 5, &pairs_of_four, &settings, &err);
    assert_non_null(p);
    const struct profileme_pairs_row *a = profileme_pairs_find(p, at(A)), *b = profileme_pairs_find(p, at(B));
    assert_non_null(a);
    assert_non_null(b);
    const double s = 100; // three selections, none lost
    near_to(profileme_pairs_interval(p), s);
    assert_int_equal(a->firsts, 1);
    assert_int_equal(a->seconds, 1);
    assert_int_equal(a->after, 1);
    assert_int_equal(a->before, 0);
    assert_int_equal(a->progress, 36);
    near_to(profileme_latency(p, a), 1800);
    near_to(profileme_overlapping(p, a), 400);
    near_to(profileme_wasted(p, a).value, 3200);
    near_to(profileme_wasted(p, a).deviation, sqrt(1200.0 * 1200 + 2000.0 * 2000));
    assert_int_equal(b->before, 1);
    assert_int_equal(b->after, 0);
    near_to(profileme_wasted(p, b).value, 300);
    // A retires in 116 and 220, B in 116 only: one neighbour of two retired records, 4 * 2 / 2 of them around each, in
    // 7 cycles
    near_to(profileme_ipc(p, a), (1 + 4) / 7.0);
    near_to(profileme_ipc(p, b), (1 + 8) / 7.0);
    profileme_pairs_destroy(p);
    // the same pair, but B retires 22 cycles after A: useful, and not near
    const struct instruction_sample apart[] = {record(A, 100, 2, 3, 1, 10, 0), second(record(B, 104, 2, 1, 0, 1, 30))};
    p = profileme_pairs_create(apart, 2, &pairs_of_four, &settings, &err);
    assert_int_equal(profileme_pairs_find(p, at(A))->after, 1);
    assert_int_equal(profileme_pairs_find(p, at(A))->near, 0);
    near_to(profileme_ipc(p, profileme_pairs_find(p, at(A))), 1 / 7.0);
    profileme_pairs_destroy(p);
    err.text[0] = '\0';
    assert_null(profileme_pairs_create(records, 5, &each_hundred, &settings, &err));
    assert_non_null(strstr(err.text, "pairs="));
}

// Lines of 64 bytes and pages: 0x8000 to 0x803f misses twice, once by A and once by B, 0x8040 twice by B.
static void addresses(void **state) {
    (void)state;
    const struct instruction_sample access = record(A, 1, 1, 1, 1, 20, 0), other = record(B, 1, 1, 1, 1, 40, 0);
    const struct instruction_sample records[] = {missed(access, 0x8000, true), missed(access, 0x8038, false),
                                                 missed(other, 0x803f, true),  missed(other, 0x8040, true),
                                                 missed(other, 0x8048, true),  record(A, 9, 1, 1, 1, 1, 1)};
    size_t count;
    struct profileme_block *lines = profileme_blocks(records, 6, PROFILEME_LINE_BITS, &count);
    assert_int_equal(count, 2);
    assert_int_equal(lines[0].address, 0x8000); // as many misses as the other, of more accesses
    assert_int_equal(lines[0].accesses, 3);
    assert_int_equal(lines[0].misses, 2);
    assert_int_equal(lines[0].cycles, 60);
    assert_int_equal(lines[1].address, 0x8040);
    assert_int_equal(lines[1].worst.pc, B);
    free(lines);
    struct profileme_block *pages = profileme_blocks(records, 6, PROFILEME_PAGE_BITS, &count);
    assert_int_equal(count, 1);
    assert_int_equal(pages[0].misses, 4);
    assert_int_equal(pages[0].worst.pc, B);
    assert_int_equal(pages[0].worst_misses, 3);
    free(pages);
    assert_null(profileme_blocks(&records[5], 1, PROFILEME_LINE_BITS, &count));
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies), cmocka_unit_test(interval),    cmocka_unit_test(deviation_of_pairs),
        cmocka_unit_test(convergence), cmocka_unit_test(definitions), cmocka_unit_test(wasted_slots),
        cmocka_unit_test(addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
