// The worker branch-history, on a retired stream made by hand: the ways to sampled instructions, and histories that
// differ from the branches that retired.
#include "profile/route.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_branch_history;
enum {
    NOP = 0x13,
    BEQ = 0x00000c63,   // 24 bytes on
    BEQ_4 = 0x00000263, // to the next instruction
    JAL = 0x6f,
    ECALL = 0x73,
    OF_M = 11
};

static void retire(struct scene *s, uint64_t pc, uint32_t insn) {
    s->left.retired[0] = (struct retired){.pc = AT + pc, .insn = insn};
    s->left.count = 1;
    assert_int_equal(scene_cycle(s, s->view.cycle), 0);
    s->left.count = 0;
    s->view.cycle++;
}

static void trap(struct scene *s, uint64_t pc) {
    s->left.trap = (struct trapped){.valid = true, .cause = OF_M, .epc = AT + pc};
    assert_int_equal(scene_cycle(s, s->view.cycle), 0);
    s->left.trap.valid = false;
    s->view.cycle++;
}

// The unit records an instruction that was fetched in a cycle and left `total` later.
static int record(struct scene *s, uint64_t pc, uint64_t cycle, uint16_t total, uint16_t history, bool flushed) {
    uint64_t words[INSTRUCTION_SAMPLE_WORDS];
    const struct instruction_sample sample = {
        .pc = AT + pc, .cycle = cycle, .total = total, .history = history, .flushed = flushed};
    instruction_sample_pack(&sample, words);
    s->err.text[0] = '\0';
    return s->ops->instruction(s->state, words, &s->err);
}

static struct results *publish(struct scene *s) {
    struct results *r = results_create();
    assert_true(r && s->ops->publish(s->state, r));
    assert_true(results_settle(r));
    return r;
}

static void expect(struct scene *s, size_t i, const struct route_step *steps, size_t count) {
    struct results *r = publish(s);
    size_t routes, all;
    const struct route *route = results_route(r, &routes) + i;
    const struct route_step *step = results_route_step(r, &all);
    assert_true(i < routes && route->known);
    assert_int_equal(route->steps.count, count);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(step[route->steps.first + k].from, AT + steps[k].from);
        assert_int_equal(step[route->steps.first + k].to, AT + steps[k].to);
    }
    results_destroy(r);
}

// Not taken, taken, a jump to the next instruction, sampled.
static void ways(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_branch_history);
    s.view.cycle = 100;
    retire(&s, 0x00, NOP);
    retire(&s, 0x04, BEQ);
    retire(&s, 0x08, BEQ);
    retire(&s, 0x20, JAL);
    retire(&s, 0x24, NOP); // cycle 104
    assert_int_equal(record(&s, 0x24, 90, 14, 1, false), 0);
    expect(&s, 0, (const struct route_step[]){{0x20, 0x24}, {0x08, 0x20}, {0x04, 0x08}}, 3);
    assert_int_equal(record(&s, 0x08, 101, 1, 0, false), 0); // one before: its own direction is none of its history
    expect(&s, 1, (const struct route_step[]){{0x04, 0x08}}, 1);
    assert_int_equal(record(&s, 0x24, 90, 14, 7, true), 0); // it died: nothing is known of it
    assert_int_equal(record(&s, 0x24, 90, 4095, 7, false), 0);
    struct results *r = publish(&s);
    size_t count;
    const struct route *route = results_route(r, &count);
    assert_int_equal(count, 4);
    assert_false(route[2].known || route[3].known);
    results_destroy(r);
    scene_end(&s);
}

static void faults(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_branch_history);
    s.view.cycle = 100;
    retire(&s, 0x00, BEQ);
    retire(&s, 0x18, NOP);
    assert_int_equal(record(&s, 0x18, 100, 1, 1, false), 0);
    assert_int_equal(record(&s, 0x18, 100, 1, 0, false), -EBADMSG);
    assert_non_null(strstr(s.err.text, "history is 0x0000, but the branches that retired before it went 0x0001"));
    assert_int_equal(record(&s, 0x18, 100, 1, 0x8001, false), -EBADMSG); // of all 16
    assert_int_equal(record(&s, 0x18, 100, 0, 1, false), -EBADMSG);
    assert_non_null(strstr(s.err.text, "it has not retired in 100"));
    assert_int_equal(record(&s, 0x1c, 100, 1, 1, false), -EBADMSG);
    scene_end(&s);
}

// A branch to the next instruction goes there either way: its bit is whatever the record says, and those beside it are
// not.
static void either_way(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_branch_history);
    s.view.cycle = 100;
    retire(&s, 0x00, BEQ);
    retire(&s, 0x18, BEQ_4);
    retire(&s, 0x1c, BEQ);
    retire(&s, 0x20, NOP);
    for (unsigned history = 0; history < 8; history++)
        assert_int_equal(record(&s, 0x20, 100, 3, (uint16_t)history, false), (history & 5) != 4 ? -EBADMSG : 0);
    scene_end(&s);
}

// A trap after a taken branch: to the instruction that it hit, and from there to the handler.
static void traps(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_branch_history);
    s.view.cycle = 100;
    retire(&s, 0x00, BEQ);
    trap(&s, 0x18);
    retire(&s, 0x1c, NOP); // the handler, which happens to lie right after it; cycle 102
    assert_int_equal(record(&s, 0x1c, 100, 2, 1, false), 0);
    expect(&s, 0, (const struct route_step[]){{0x18, 0x1c}, {0x00, 0x18}}, 2);
    scene_end(&s);
}

// Of many branches a way has the last sixteen.
static void sixteen(void **state) {
    (void)state;
    struct scene s;
    scene_start(&s, &worker_branch_history);
    s.view.cycle = 100;
    for (unsigned i = 0; i < 40; i++)
        retire(&s, 4 * i, BEQ);
    retire(&s, 160, NOP);
    assert_int_equal(record(&s, 160, 100, 40, 0, false), 0);
    struct results *r = publish(&s);
    size_t count;
    assert_int_equal(results_route(r, &count)->steps.count, ROUTE_BRANCHES);
    assert_int_equal(results_route_step(r, &count)[15].from, AT + 4 * 24);
    results_destroy(r);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways), cmocka_unit_test(faults), cmocka_unit_test(either_way),
                                       cmocka_unit_test(traps), cmocka_unit_test(sixteen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
