// The worker call-stacks: what it says of a cycle's instructions, of the next one and of samples.
#include "views.h"

extern const struct worker_ops worker_call_stacks;
enum { JAL_RA = 0x000000ef, RET = 0x8082, ADD_SP = 0x1101, NOP = 1 };

static struct scene scene;
static struct worker_stacks *out;

static void start(void) {
    scene_start_with(&scene, &worker_call_stacks, 100);
    scene.bundle.priv = ISS_PRIVILEGE_M;
    out = worker_call_stacks.stacks(scene.state);
}

static struct iss_retire step(uint64_t pc, uint32_t insn, uint64_t next) {
    return (struct iss_retire){.pc = pc, .next_pc = next, .insn = insn, .privilege = ISS_PRIVILEGE_M};
}

// Two commit, the older one from lane `oldest`.
static void two(uint64_t cycle, unsigned oldest, struct iss_retire first, struct iss_retire second) {
    scene_commits(&scene, first);
    scene.golden.count = scene.left.count = 2;
    scene.golden.step[1] = second;
    scene.left.retired[0].lane = (uint8_t)oldest;
    scene.left.retired[1].lane = (uint8_t)!oldest;
    assert_int_equal(scene_cycle(&scene, cycle), 0);
}

static uint32_t parent(uint32_t stack) {
    uint32_t count;
    const struct stack_node *nodes = stack_table_nodes(out->table, &count);
    assert_true(stack < count);
    return nodes[stack].parent;
}

static void test_lanes(void **state) {
    (void)state;
    start();
    const struct call_stacks *now = out->now;
    assert_int_equal(now->now, STACK_UNKNOWN);
    two(10, 1, step(AT, NOP, AT + 2), step(AT + 2, JAL_RA, AT + 100));
    const uint32_t root = now->before, called = now->now;
    assert_int_equal(now->cycle, 10);
    assert_int_equal(parent(called), root);
    assert_int_equal(now->lane[1], root);
    assert_int_equal(now->lane[0], root); // a call is its caller's
    assert_int_equal(now->left, root);
    two(12, 0, step(AT + 100, RET, AT + 6), step(AT + 6, NOP, AT + 8));
    assert_int_equal(now->before, called);
    assert_int_equal(now->lane[0], called);
    assert_int_equal(now->lane[1], root);
    assert_int_equal(now->left, root);
    assert_int_equal(now->now, root);
    two(13, 0, step(AT + 8, NOP, AT + 10), step(AT + 10, NOP, AT + 12));
    assert_int_equal(now->lane[0], root);
    scene_end(&scene);
}

// One that begins again has its own stack, not that of what committed before it.
static void test_replay(void **state) {
    (void)state;
    start();
    two(10, 0, step(AT, NOP, AT + 2), step(AT + 2, JAL_RA, AT + 100));
    const uint32_t called = out->now->now;
    scene.bundle = (struct commit_bundle){.exception = true, .replay = true, .priv = ISS_PRIVILEGE_M};
    scene.left.count = 0;
    scene.view.cycle = 11; // the ISS has no step of it
    assert_int_equal(scene.ops->cycle(scene.state, &scene.view, &scene.err), 0);
    assert_int_equal(out->now->cycle, 11);
    assert_int_equal(out->now->before, called);
    assert_int_equal(out->now->left, called);
    scene_end(&scene);
}

static void test_trap(void **state) {
    (void)state;
    start();
    scene_commits(&scene, step(AT, NOP, AT + 2));
    assert_int_equal(scene_cycle(&scene, 10), 0);
    const uint32_t root = out->now->now;
    struct iss_retire trap = step(AT + 2, NOP, AT + 0x200);
    trap.trap = trap.interrupt = true;
    scene.bundle.exception = true;
    scene.bundle.commit = 0;
    scene.left.count = 0;
    scene.golden.step[0] = trap;
    assert_int_equal(scene_cycle(&scene, 11), 0);
    assert_int_equal(out->now->before, root);
    assert_int_equal(out->now->left, root);
    uint32_t count;
    const struct stack_node *nodes = stack_table_nodes(out->table, &count);
    assert_int_equal(nodes[out->now->now].kind, STACK_INTERRUPT);
    assert_int_equal(nodes[out->now->now].site, AT + 2);
    scene_end(&scene);
}

// The stack pointer is followed from instruction to instruction: within a cycle, too.
static void test_stack_pointer(void **state) {
    (void)state;
    start();
    struct iss_retire set = step(AT, ADD_SP, AT + 2);
    set.rd = 2;
    set.rd_written = true;
    for (unsigned i = 0; i < 3; i++) { // AT calls itself; each frame has 16 bytes
        set.rd_value = 0x90000000 - 16 * i;
        two(10 + i, 0, set, step(AT + 2, JAL_RA, AT));
    }
    const uint32_t third = out->now->now;
    set.rd_value = 0x90000000 - 16;
    two(20, 0, set, step(AT + 6, RET, AT + 6)); // the second returns: two frames end
    assert_int_equal(out->now->now, parent(parent(third)));
    scene_end(&scene);
}

static void test_samples(void **state) {
    (void)state;
    start();
    two(10, 1, step(AT, NOP, AT + 2), step(AT + 2, JAL_RA, AT + 100));
    const uint32_t root = out->now->before, called = out->now->now;
    scene.ops->sample(scene.state, &scene.bundle, 10, true);
    scene.ops->sample(scene.state, &scene.bundle, 15, true);
    assert_int_equal(out->sample_count, 2);
    assert_int_equal(out->samples[0].cycle, 10);
    assert_int_equal(out->samples[0].lane[0], root);
    assert_int_equal(out->samples[0].oldest, root);
    assert_int_equal(out->samples[1].cycle, 15);
    assert_int_equal(out->samples[1].oldest, called);
    assert_int_equal(out->samples[1].offending, root);
    out->sample_count = 0;
    for (uint64_t i = 0; i < 1000; i++)
        scene.ops->sample(scene.state, &scene.bundle, 100 + i, true);
    assert_int_equal(out->sample_count, 1000);
    assert_int_equal(out->samples[999].cycle, 1099);
    scene_end(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes), cmocka_unit_test(test_replay),
                                       cmocka_unit_test(test_trap), cmocka_unit_test(test_stack_pointer),
                                       cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
