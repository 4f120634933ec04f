// The worker collections: which transfers of a retired stream made by hand go into a stack, how their kinds are called,
// and the two addresses of a sample.
#include "isa/control.h"
#include "results.h"
#include "tests/unit/workers/views.h"

extern const struct worker_ops worker_collections;

enum { EBS, LBR, DEPTH, SOURCE };
enum {
    NOP = 0x13,
    C_NOP = 0x0001,
    BEQ = 0x63,
    JAL = 0x6f,
    CALL = 0xef,
    JR_T1 = 0x00030067,
    CALL_A0 = 0x000500e7,
    RET = 0x8067,
    SWAP = 0x000280e7,
    ECALL = 0x73,
    MRET = 0x30200073,
    ECALL_OF_M = 11,
    LOAD_FAULT = 13,
    TIMER = 7
};

static void start(struct scene *s, uint64_t ebs, uint64_t lbr, uint64_t depth) {
    const struct worker_value values[WORKER_KEYS] = {
        [EBS] = {.number = ebs}, [LBR] = {.number = lbr}, [DEPTH] = {.number = depth}, [SOURCE] = {.text = "model"}};
    const struct worker_run run = {.width = WIDTH, .rob_entries = ENTRIES};
    scene_start(s, &worker_collections);
    s->ops->destroy(s->state);
    s->state = s->ops->create(&run, values, &s->err);
    assert_non_null(s->state);
    s->bundle.rob_empty = true;
}

static void show(struct scene *s) {
    assert_int_equal(scene_cycle(s, s->view.cycle), 0);
    s->view.cycle++;
    s->left.count = 0;
    s->left.trap.valid = false;
}

static void retire(struct scene *s, uint64_t pc, uint32_t insn) {
    s->left.retired[s->left.count++] = (struct retired){.pc = AT + pc, .insn = insn};
    show(s);
}

static void trap(struct scene *s, uint64_t pc, uint8_t cause, bool interrupt) {
    s->left.trap = (struct trapped){.valid = true, .interrupt = interrupt, .cause = cause, .epc = AT + pc};
    show(s);
}

// What the worker has published so far.
struct published {
    uint64_t retired, transfers_taken;
    const struct retired_sample *samples;
    const struct transfer_stack *stacks;
    const struct transfer *transfers;
    size_t sample_count, stack_count, transfer_count;
};
static struct results *results;
static const struct published *collected(struct scene *s) {
    static struct published p;
    results_destroy(results);
    results = results_create();
    assert_true(results && s->ops->publish(s->state, results));
    p.samples = results_retired_sample(results, &p.sample_count);
    p.stacks = results_transfer_stack(results, &p.stack_count);
    p.transfers = results_transfer(results, &p.transfer_count);
    p.retired = results_collection(results)->retired;
    p.transfers_taken = results_collection(results)->transfers_taken;
    return &p;
}

static int tear_down(void **state) {
    (void)state;
    results_destroy(results);
    results = NULL;
    return 0;
}

static void expect(struct scene *s, size_t stack, const struct transfer *list, size_t count) {
    const struct published *c = collected(s);
    assert_true(stack < c->stack_count);
    assert_int_equal(c->stacks[stack].transfers.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct transfer *t = &c->transfers[c->stacks[stack].transfers.first + i];
        if (t->source != AT + list[i].source || t->target != AT + list[i].target || t->data != list[i].data)
            fail_msg("stack %zu, entry %zu: 0x%llx to 0x%llx, type %llu", stack, i, (unsigned long long)t->source,
                     (unsigned long long)t->target, (unsigned long long)t->data);
    }
}

// Of each kind one. A branch that goes on behind itself was not taken; a jump there was.
static void test_kinds(void **state) {
    (void)state;
    struct scene s;
    start(&s, 1009, 9, 16);
    retire(&s, 0x00, BEQ);
    retire(&s, 0x04, BEQ);
    retire(&s, 0x10, JAL);
    retire(&s, 0x14, CALL);
    retire(&s, 0x40, C_NOP);
    retire(&s, 0x42, JR_T1);
    retire(&s, 0x50, CALL_A0);
    retire(&s, 0x60, SWAP);
    retire(&s, 0x70, RET);
    retire(&s, 0x18, NOP);
    trap(&s, 0x1c, TIMER, true);
    retire(&s, 0x80, MRET);
    retire(&s, 0x1c, NOP);
    const struct transfer list[] = {{0x04, 0x10, TRANSFER_BRANCH},        {0x10, 0x14, TRANSFER_DIRECT_JUMP},
                                    {0x14, 0x40, TRANSFER_DIRECT_CALL},   {0x42, 0x50, TRANSFER_INDIRECT_JUMP},
                                    {0x50, 0x60, TRANSFER_INDIRECT_CALL}, {0x60, 0x70, TRANSFER_COROUTINE_SWAP},
                                    {0x70, 0x18, TRANSFER_RETURN},        {0x1c, 0x80, TRANSFER_INTERRUPT},
                                    {0x80, 0x1c, TRANSFER_TRAP_RETURN}};
    expect(&s, 0, list, 9);
    assert_int_equal(collected(&s)->stack_count, 1);
    assert_int_equal(collected(&s)->transfers_taken, 9);
    assert_int_equal(collected(&s)->retired, 12);
    scene_end(&s);
}

// The target of a branch may trap instead of retiring; so may the first instruction of a handler. An ecall is the
// source of its own trap.
static void test_traps(void **state) {
    (void)state;
    struct scene s;
    start(&s, 1009, 5, 16);
    retire(&s, 0x00, BEQ);
    trap(&s, 0x20, LOAD_FAULT, false);
    trap(&s, 0x80, TIMER, true);
    retire(&s, 0x90, NOP);
    trap(&s, 0x94, ECALL_OF_M, false);
    retire(&s, 0x80, MRET);
    retire(&s, 0x98, NOP);
    const struct transfer list[] = {{0x00, 0x20, TRANSFER_BRANCH},
                                    {0x20, 0x80, TRANSFER_EXCEPTION},
                                    {0x80, 0x90, TRANSFER_INTERRUPT},
                                    {0x94, 0x80, TRANSFER_EXCEPTION},
                                    {0x80, 0x98, TRANSFER_TRAP_RETURN}};
    expect(&s, 0, list, 5);
    scene_end(&s);
}

// A ring of two keeps the last two; every third transfer is a stack; the first may be shorter than the ring is deep.
static void test_ring(void **state) {
    (void)state;
    struct scene s;
    start(&s, 1009, 3, 2);
    for (unsigned i = 0; i <= 6; i++)
        retire(&s, 0x100 * i, JAL);
    const struct transfer first[] = {{0x100, 0x200, 11}, {0x200, 0x300, 11}},
                          second[] = {{0x400, 0x500, 11}, {0x500, 0x600, 11}};
    assert_int_equal(collected(&s)->stack_count, 2);
    expect(&s, 0, first, 2);
    expect(&s, 1, second, 2);
    assert_int_equal(collected(&s)->stacks[0].cycle, 3);
    assert_int_equal(collected(&s)->stacks[0].context, place_context(MODE_MACHINE, 0));
    scene_end(&s);
    start(&s, 1009, 3, 16);
    for (unsigned i = 0; i <= 3; i++)
        retire(&s, 0x100 * i, JAL);
    assert_int_equal(collected(&s)->stacks[0].transfers.count, 3);
    scene_end(&s);
}

// The third instruction of each three is sampled, also the second of a cycle's. Execution resumes two cycles later at
// the earliest, at the oldest instruction; while the ROB is empty the interrupt waits, and serves all samples until
// then.
static void test_samples(void **state) {
    (void)state;
    struct scene s;
    start(&s, 3, 1009, 16);
    s.view.cycle = 10;
    retire(&s, 0x00, NOP);
    s.left.retired[0] = (struct retired){.pc = AT + 4, .insn = NOP};
    s.left.retired[1] = (struct retired){.pc = AT + 8, .insn = NOP};
    s.left.count = 2;
    s.bundle.rob_empty = false;
    s.bundle.oldest = 1;
    s.bundle.pc[1] = AT + 0x10;
    s.bundle.priv = MODE_MACHINE;
    s.bundle.space = 5;
    show(&s); // cycle 11
    assert_true(collected(&s)->samples[0].skid.pc == PROFILE_PC_END);
    show(&s);
    assert_true(collected(&s)->samples[0].skid.pc == PROFILE_PC_END);
    s.bundle.pc[1] = AT + 0x20;
    show(&s);                                     // cycle 13
    const struct published *kept = collected(&s); // its rows live until the next call
    const struct retired_sample *sample = kept->samples;
    assert_int_equal(kept->sample_count, 1);
    assert_int_equal(sample->cycle, 11);
    assert_int_equal(sample->place.pc, AT + 8);
    assert_int_equal(sample->place.context, place_context(MODE_MACHINE, 5));
    assert_int_equal(sample->skid.pc, AT + 0x20);
    assert_int_equal(sample->skid.context, place_context(MODE_MACHINE, 5));
    s.bundle.rob_empty = true;
    for (unsigned i = 0; i < 6; i++)
        retire(&s, 0x20 + 4 * i, NOP);
    s.bundle.rob_empty = false;
    show(&s);
    kept = collected(&s);
    sample = kept->samples;
    assert_int_equal(kept->sample_count, 3);
    assert_int_equal(sample[1].place.pc, AT + 0x28);
    assert_int_equal(sample[2].place.pc, AT + 0x34);
    assert_true(sample[1].skid.pc == AT + 0x20 && sample[2].skid.pc == AT + 0x20);
    scene_end(&s);
}

// Nothing from before the beginning is in the collection, but the ring goes on; nothing from after the end is.
static void test_region(void **state) {
    (void)state;
    struct scene s;
    start(&s, 2, 3, 16);
    for (unsigned i = 0; i <= 2; i++)
        retire(&s, 0x100 * i, JAL);
    assert_int_equal(s.ops->begin(s.state, s.view.cycle, &s.err), 0);
    assert_int_equal(collected(&s)->sample_count + collected(&s)->stack_count + collected(&s)->retired, 0);
    for (unsigned i = 3; i <= 5; i++)
        retire(&s, 0x100 * i, JAL);
    assert_int_equal(s.ops->end(s.state, s.view.cycle, &s.err), 0);
    for (unsigned i = 6; i <= 9; i++)
        retire(&s, 0x100 * i, JAL);
    assert_int_equal(collected(&s)->retired, 3);
    assert_int_equal(collected(&s)->sample_count, 1);
    assert_int_equal(collected(&s)->stack_count, 1);
    assert_int_equal(collected(&s)->stacks[0].transfers.count, 5);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_kinds, tear_down), cmocka_unit_test_teardown(test_traps, tear_down),
        cmocka_unit_test_teardown(test_ring, tear_down), cmocka_unit_test_teardown(test_samples, tear_down),
        cmocka_unit_test_teardown(test_region, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
