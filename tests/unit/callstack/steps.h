// Streams of instructions by hand, for tests of call stacks: what executes, by whom, and what is expected of a stack.
// Included behind cmocka.h.
#ifndef TIPOFF_TESTS_CALLSTACK_STEPS_H
#define TIPOFF_TESTS_CALLSTACK_STEPS_H

#include "callstack/callstack.h"

#define JAL(rd) (0x6fu | (rd) << 7)
#define JALR(rd, rs1) (0x67u | (rd) << 7 | (rs1) << 15)
enum { RET = 0x8082, C_JALR_A5 = 0x9782, C_JR_A5 = 0x8782, MRET = 0x30200073, SRET = 0x10200073, A5 = 15 };
enum { MAIN = 0x1000, F = 0x2000, G = 0x3000, H = 0x4000, HANDLER = 0x8000, KERNEL = 0x9000 };
#define M place_context(MODE_MACHINE, 0)
#define S(space) place_context(MODE_SUPERVISOR, space)
#define U(space) place_context(MODE_USER, space)

static struct callstack *c;
static uint64_t context, sp; // of what executes

static inline void start_with(uint32_t limit, uint64_t at, uint64_t in) {
    callstack_destroy(c);
    c = callstack_create(limit);
    assert_non_null(c);
    context = in;
    sp = 0x10000;
    callstack_begin(c, at, in, sp);
}
static inline void start(void) {
    start_with(1000, MAIN, M);
}

static inline int tear_down(void **state) {
    (void)state;
    callstack_destroy(c);
    c = NULL;
    return 0;
}

static inline uint32_t step(uint32_t insn, uint64_t pc, uint64_t next) {
    const struct callstack_step s = {
        .pc = pc, .next_pc = next, .context = context, .next_context = context, .sp = sp, .insn = insn};
    assert_true(callstack_turns(insn));
    return callstack_step(c, &s);
}
static inline uint32_t trap_of(struct callstack_step s) {
    s.context = context;
    s.sp = sp;
    s.trap = true;
    context = s.next_context;
    return callstack_step(c, &s);
}
static inline uint32_t trap(bool interrupt, uint64_t pc, uint64_t handler, uint64_t in) {
    return trap_of((struct callstack_step){.pc = pc, .next_pc = handler, .next_context = in, .interrupt = interrupt});
}
static inline uint32_t trap_result(uint64_t pc, uint64_t next, uint64_t in, uint64_t back_sp, uint64_t result) {
    sp = back_sp;
    const struct callstack_step s = {.pc = pc,
                                     .next_pc = next,
                                     .context = context,
                                     .next_context = in,
                                     .sp = sp,
                                     .insn = place_mode(context) == MODE_MACHINE ? MRET : SRET,
                                     .result = result};
    context = in;
    return callstack_step(c, &s);
}
static inline uint32_t trap_return(uint64_t pc, uint64_t next, uint64_t in, uint64_t back_sp) {
    return trap_result(pc, next, in, back_sp, 0);
}
static inline uint32_t call(uint64_t pc, uint64_t to) {
    return step(JAL(1), pc, to);
}

// The calls that led to this stack, outermost first: their addresses, up to a 0.
static inline void expect(uint32_t stack, const uint64_t *sites, size_t count) {
    uint32_t known;
    const struct stack_node *nodes = stack_table_nodes(callstack_table(c), &known);
    for (size_t i = count; i-- > 0;) {
        assert_true(stack > STACK_LOST && stack < known);
        assert_int_equal(nodes[stack].site, sites[i]);
        assert_int_not_equal(nodes[stack].kind, STACK_ROOT);
        assert_true(nodes[stack].parent < stack);
        stack = nodes[stack].parent;
    }
    assert_true(stack > STACK_LOST);
    assert_int_equal(nodes[stack].kind, STACK_ROOT);
}
#define EXPECT(stack, ...) expect(stack, (const uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / 8)
#define EXPECT_ROOT(stack) expect(stack, NULL, 0)

static inline const struct stack_node *node(uint32_t stack) {
    uint32_t count;
    const struct stack_node *nodes = stack_table_nodes(callstack_table(c), &count);
    assert_true(stack < count);
    return &nodes[stack];
}

#endif
