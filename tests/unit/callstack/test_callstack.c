// Call stacks from streams of instructions made by hand: each hard case by itself, then random programs of several
// threads whose stacks the test keeps in lists of its own.
#include "callstack/callstack.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/callstack/steps.h"

static void test_which_turn(void **state) {
    (void)state;
    const uint32_t others[] = {0x00000013, 0x00000063, 0x00000003, 0x00000073, 0x00100073, 0x00001073, 0x10500073,
                               0x12000073, 0x0001,     0xa001,     0xc001,     0x852e,     0x952e,     0x8002 ^ 0x8004};
    assert_true(callstack_turns(JAL(0)) && callstack_turns(JAL(1)) && callstack_turns(JALR(0, 1)));
    assert_true(callstack_turns(RET) && callstack_turns(C_JALR_A5) && callstack_turns(C_JR_A5));
    assert_true(callstack_turns(MRET) && callstack_turns(SRET));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(callstack_turns(others[i]));
}

static void test_calls(void **state) {
    (void)state;
    start();
    const uint32_t in_f = call(MAIN + 4, F);
    EXPECT(in_f, MAIN + 4);
    assert_int_equal(node(in_f)->entry, F);
    assert_int_equal(node(in_f)->kind, STACK_CALL);
    sp -= 32;
    const uint32_t in_g = step(C_JALR_A5, F + 8, G);
    EXPECT(in_g, MAIN + 4, F + 8);
    assert_int_equal(step(RET, G + 2, F + 10), in_f); // a call of two bytes
    EXPECT(step(JALR(1, A5), F + 10, H), MAIN + 4, F + 10);
    assert_int_equal(step(JALR(0, 1), H + 8, F + 14), in_f);
    assert_int_equal(step(JALR(1, 1), F + 8, G),
                     in_g); // auipc ra; jalr ra: a call alone. The same: from the same place
    assert_int_equal(step(RET, G, F + 12), in_f);
    EXPECT(step(JAL(5), F + 20, H), MAIN + 4, F + 20); // by the other link register
    assert_int_equal(step(JALR(0, 5), H, F + 24), in_f);
    sp += 32;
    EXPECT_ROOT(step(RET, F + 40, MAIN + 8));
    assert_int_equal(call(MAIN + 4, F), in_f);
    const struct callstack_counts counts = callstack_counts(c);
    assert_int_equal(counts.unmatched + counts.switches + counts.lost, 0);
    assert_int_equal(counts.roots, 1);
}

// F ends in a jump to G, which returns to MAIN: all the time its stack is the one that F was called by.
static void test_tail_call(void **state) {
    (void)state;
    const uint32_t jumps[] = {JAL(0), JALR(0, A5), C_JR_A5};
    for (size_t i = 0; i < 3; i++) {
        start();
        const uint32_t in_f = call(MAIN + 4, F);
        assert_int_equal(step(jumps[i], F + 8, G), in_f);
        EXPECT(call(G + 4, H), MAIN + 4, G + 4);
        assert_int_equal(step(RET, H, G + 8), in_f);
        EXPECT_ROOT(step(RET, G + 12, MAIN + 8));
        assert_int_equal(callstack_counts(c).unmatched, 0);
    }
}

// All return to one address: the stack pointer says which of them ended.
static void test_recursion(void **state) {
    (void)state;
    enum { DEPTH = 50 };
    uint32_t stacks[DEPTH + 1];
    start();
    stacks[0] = call(MAIN, F);
    for (unsigned i = 0; i < DEPTH; i++) {
        sp -= 48;
        stacks[i + 1] = call(F + 16, F);
        assert_int_equal(node(stacks[i + 1])->parent, stacks[i]);
    }
    for (unsigned i = DEPTH; i-- > 0;) {
        assert_int_equal(step(RET, F + 40, F + 20), stacks[i]);
        sp += 48;
    }
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
    assert_int_equal(callstack_counts(c).unmatched, 0);
}

// MAIN calls F, which calls setjmp; G and H below it; H calls longjmp, which returns to F a second time.
static void test_longjmp(void **state) {
    (void)state;
    enum { SETJMP = 0x5000, LONGJMP = 0x6000 };
    start();
    const uint32_t in_f = call(MAIN, F);
    sp -= 64;
    const uint64_t at_setjmp = sp;
    call(F + 8, SETJMP);
    assert_int_equal(step(RET, SETJMP + 4, F + 12), in_f);
    call(F + 20, G);
    sp -= 32;
    call(G + 8, H);
    sp -= 32;
    EXPECT(call(H + 8, LONGJMP), MAIN, F + 20, G + 8, H + 8);
    sp = at_setjmp;
    assert_int_equal(step(RET, LONGJMP + 8, F + 12), in_f);
    assert_int_equal(callstack_counts(c).unmatched, 1);
    assert_int_equal(callstack_counts(c).roots, 1);
    EXPECT(call(F + 20, G), MAIN, F + 20);
    assert_int_equal(step(RET, G, F + 24), in_f);
    sp += 64;
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
    assert_int_equal(callstack_counts(c).unmatched, 1);
}

// What an interrupt runs hangs below what it interrupted; one in the handler, below that.
static void test_interrupt(void **state) {
    (void)state;
    start();
    const uint32_t in_f = call(MAIN, F);
    sp -= 16;
    const uint64_t at = sp;
    const uint32_t in_handler = trap(true, F + 10, HANDLER, M);
    EXPECT(in_handler, MAIN, F + 10);
    assert_int_equal(node(in_handler)->kind, STACK_INTERRUPT);
    assert_int_equal(node(in_handler)->entry, HANDLER);
    sp -= 256;
    const uint32_t in_g = call(HANDLER + 40, G);
    EXPECT(in_g, MAIN, F + 10, HANDLER + 40);
    const uint64_t inner = sp;
    sp -= 8;
    EXPECT(trap(true, G + 4, HANDLER, M), MAIN, F + 10, HANDLER + 40, G + 4);
    sp -= 256;
    assert_int_equal(trap_return(HANDLER + 100, G + 4, M, inner - 8), in_g);
    sp = inner;
    assert_int_equal(step(RET, G + 8, HANDLER + 44), in_handler);
    assert_int_equal(trap_return(HANDLER + 100, F + 10, M, at), in_f);
    sp += 16;
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
    assert_int_equal(callstack_counts(c).unmatched, 0);
}

// The handler has a stack of its own, goes on after the environment call, or at a fix-up.
static void test_exception(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint32_t in_f = call(MAIN, F);
    const uint64_t user = sp;
    const uint32_t in_kernel = trap(false, F + 4, KERNEL, S(5));
    assert_int_equal(node(in_kernel)->kind, STACK_EXCEPTION);
    assert_int_equal(node(in_kernel)->context, S(5));
    sp = 0x80000;
    EXPECT(call(KERNEL + 8, G), MAIN, F + 4, KERNEL + 8);
    EXPECT(step(RET, G, KERNEL + 12), MAIN, F + 4);
    assert_int_equal(step(RET, KERNEL + 0x20, KERNEL + 0x100), in_kernel); // to an address that the handler set itself
    assert_int_equal(callstack_counts(c).unmatched, 0);
    assert_int_equal(trap_return(KERNEL + 0x100, F + 8, U(5), user), in_f);
    trap(false, F + 12, KERNEL, S(5));
    assert_int_equal(trap_return(KERNEL + 0x100, F + 0x80, U(5), user), in_f);
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
    assert_int_equal(callstack_counts(c).roots, 1);
}

// Two threads in a kernel change by a return with the other one's stack pointer; the second begins by that.
static void test_context_switch(void **state) {
    (void)state;
    enum { SWITCH = 0x5000, BEGIN = 0x6000 };
    start_with(1000, MAIN, S(1));
    call(MAIN, F);
    sp -= 64;
    const uint32_t in_switch = call(F + 8, SWITCH);
    const uint64_t first = sp;
    sp = 0x50000;
    const uint32_t second = step(RET, SWITCH + 60, BEGIN);
    EXPECT_ROOT(second);
    assert_int_equal(node(second)->entry, BEGIN);
    assert_int_equal(callstack_counts(c).roots, 2);
    call(BEGIN + 4, G);
    sp -= 32;
    const uint64_t other = sp;
    context = S(2); // the address space changes on the way
    for (unsigned i = 0; i < 5; i++) {
        EXPECT(call(G + 8, SWITCH), BEGIN + 4, G + 8);
        sp = first;
        EXPECT(step(RET, SWITCH + 60, F + 12), MAIN);
        assert_int_equal(node(call(F + 8, SWITCH))->parent, node(in_switch)->parent);
        sp = other;
        EXPECT(step(RET, SWITCH + 60, G + 12), BEGIN + 4);
    }
    assert_int_equal(callstack_counts(c).switches, 10);
    assert_int_equal(callstack_counts(c).roots, 2);
}

// The same program twice, with the same addresses and stack pointers: only the address space distinguishes them.
static void test_address_spaces(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t top = sp;
    uint32_t in[2];
    in[0] = call(MAIN, F);
    sp -= 32;
    trap(true, F + 8, KERNEL, S(5));
    in[1] = trap_return(KERNEL + 60, MAIN, U(6), top);
    EXPECT_ROOT(in[1]);
    in[1] = call(MAIN, F);
    assert_int_not_equal(in[0], in[1]);
    assert_int_equal(node(in[1])->context, U(6));
    sp -= 32;
    for (unsigned i = 0; i < 3; i++) {
        trap(true, F + 8, KERNEL, S(6));
        assert_int_equal(trap_return(KERNEL + 60, F + 8, U(5), top - 32), in[0]);
        trap(false, F + 8, KERNEL, S(5));
        assert_int_equal(trap_return(KERNEL + 60, F + 8, U(6), top - 32), in[1]);
    }
    trap(true, F + 8, KERNEL, S(6)); // the other one goes on behind its environment call
    assert_int_equal(trap_return(KERNEL + 60, F + 12, U(5), top - 32), in[0]);
    trap(true, F + 12, KERNEL, S(5));
    assert_int_equal(trap_return(KERNEL + 60, F + 8, U(6), top - 32), in[1]);
    sp = top;
    const uint32_t root = step(RET, F + 16, MAIN + 4);
    EXPECT_ROOT(root);
    assert_int_equal(node(root)->context, U(6));
    assert_int_equal(callstack_counts(c).roots, 2);
    assert_int_equal(callstack_counts(c).switches, 8);
}

// A return in one address space is none of another one's calls.
static void test_no_return_to_other_space(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t top = sp;
    call(MAIN, F);
    trap(true, F + 8, KERNEL, S(5));
    trap_return(KERNEL + 60, G, U(6), top); // without having called F
    EXPECT_ROOT(step(RET, G + 16, MAIN + 4));
    assert_int_equal(callstack_counts(c).switches, 0);
}

// A function that is called by t0 makes its caller's frame: it returns with another stack pointer.
static void test_save_routine(void **state) {
    (void)state;
    enum { SAVE = 0x5000 };
    start();
    for (unsigned i = 0; i < 4; i++) { // F calls itself: all return to one address
        const uint32_t in_f = call(i ? F + 8 : MAIN, F);
        step(JAL(5), F, SAVE);
        sp -= 16;
        assert_int_equal(step(JALR(0, 5), SAVE + 8, F + 4), in_f);
    }
    for (unsigned i = 4; i-- > 0;) {
        sp += 16;
        const uint32_t stack = step(RET, F + 40, i ? F + 12 : MAIN + 4);
        if (i == 0) EXPECT_ROOT(stack);
    }
    call(MAIN, G);
    sp += 16; // takes its argument off
    EXPECT_ROOT(step(RET, G + 8, MAIN + 4));
    assert_int_equal(callstack_counts(c).unmatched + callstack_counts(c).switches, 0);
    assert_int_equal(callstack_counts(c).roots, 1);
}

// G goes back to F by a plain jump; F's own return ends both.
static void test_missed_return(void **state) {
    (void)state;
    start();
    call(MAIN, F);
    sp -= 32;
    call(F + 8, G);
    step(JALR(0, A5), G + 8, F + 12);
    sp += 32;
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
    EXPECT(call(MAIN + 4, H), MAIN + 4);
    assert_int_equal(callstack_counts(c).unmatched, 0);
}

// Two coroutines on one stack: jalr ra, t0 returns to the other one's last call.
static void test_coroutines(void **state) {
    (void)state;
    start();
    call(MAIN, F);
    sp -= 32;
    EXPECT(step(JALR(5, A5), F + 4, G), MAIN, F + 4);
    for (unsigned i = 0; i < 4; i++) {
        EXPECT(step(JALR(1, 5), G + 8, F + 8), MAIN, G + 8);
        EXPECT(step(JALR(5, 1), F + 4, G + 12), MAIN, F + 4);
    }
    sp += 32;
    EXPECT_ROOT(step(RET, F + 40, MAIN + 4));
}

// "jalr t0", a call of a function whose address is in t0, is no coroutine; neither is one by ra, wherever it points to.
static void test_calls_by_link(void **state) {
    (void)state;
    start();
    const uint32_t in_f = call(MAIN + 4, F);
    EXPECT(step(JALR(1, 5), F + 4, H), MAIN + 4, F + 4);
    assert_int_equal(step(RET, H, F + 8), in_f);
    EXPECT(step(JALR(1, 1), F + 8, MAIN + 8), MAIN + 4, F + 8);
    assert_int_equal(step(RET, MAIN + 8, F + 12), in_f);
    assert_int_equal(callstack_counts(c).unmatched, 0);
    assert_int_equal(callstack_counts(c).roots, 1);
}

// Two threads wait in the same call, with the same stack pointer: one has ended, and the other one has its stack. It is
// the one that ran last that goes on.
static void test_stack_used_again(void **state) {
    (void)state;
    enum { SWITCH = 0x5000, BEGIN = 0x6000, OTHER = 0x50000 };
    start_with(1000, MAIN, S(1));
    const uint64_t again = sp;
    call(MAIN, F);
    call(F + 0x100, SWITCH);
    sp = OTHER;
    step(RET, SWITCH + 60, H);
    call(G + 8, SWITCH);
    sp = again;
    EXPECT_ROOT(step(RET, SWITCH + 60, BEGIN));
    call(F + 8, SWITCH); // where it ends
    sp = OTHER;
    step(RET, SWITCH + 60, G + 12);
    call(G + 8, SWITCH);
    sp = again;
    EXPECT(step(RET, SWITCH + 60, F + 0x104), MAIN);
    call(F + 8, SWITCH);
    sp = OTHER;
    step(RET, SWITCH + 60, G + 12);
    call(G + 8, SWITCH);
    sp = again;
    EXPECT(step(RET, SWITCH + 60, F + 12), MAIN);
    assert_int_equal(callstack_counts(c).roots, 3);
}

// A signal's handler: the kernel returns to it below what it interrupted; its return goes to code that nobody called,
// which asks the kernel to go on there.
static void test_signal(void **state) {
    (void)state;
    enum { TRAMPOLINE = 0x7000 };
    start_with(1000, MAIN, U(5));
    call(MAIN, F);
    sp -= 32;
    const uint32_t in_g = call(F + 4, G); // without a frame of its own
    const uint64_t user = sp;
    trap(true, G + 8, KERNEL, S(5));
    const uint32_t in_h = trap_return(KERNEL + 60, H, U(5), user - 0x400);
    EXPECT(in_h, MAIN, F + 4, G + 8);
    assert_int_equal(node(in_h)->kind, STACK_UPCALL);
    assert_int_equal(node(in_h)->entry, H);
    EXPECT(call(H + 4, MAIN), MAIN, F + 4, G + 8, H + 4);
    step(RET, MAIN + 4, H + 8);
    assert_int_equal(step(RET, H + 12, TRAMPOLINE), in_g);
    trap(false, TRAMPOLINE + 4, KERNEL, S(5));
    assert_int_equal(trap_return(KERNEL + 60, G + 8, U(5), user), in_g);
    EXPECT(step(RET, G + 20, F + 8), MAIN);
    assert_int_equal(callstack_counts(c).roots, 1);
    assert_int_equal(callstack_counts(c).unmatched, 2); // into the handler, and back from the kernel
}

static void test_without_stack_pointer(void **state) {
    (void)state;
    start();
    sp = CALLSTACK_NO_SP;
    const uint32_t in_f = call(MAIN, F);
    call(F + 4, G);
    EXPECT(call(G + 4, H), MAIN, F + 4, G + 4);
    assert_int_equal(step(RET, H, F + 8), in_f); // two at a time
    trap(true, F + 8, HANDLER, M);
    EXPECT(call(HANDLER + 8, G), MAIN, F + 8, HANDLER + 8);
    step(RET, G, HANDLER + 12);
    assert_int_equal(trap_return(HANDLER + 40, F + 8, M, CALLSTACK_NO_SP), in_f);
    const uint32_t root = step(RET, F + 40, H + 0x100); // nobody's
    EXPECT_ROOT(root);
    assert_int_equal(node(root)->entry, H + 0x100);
    assert_int_equal(callstack_counts(c).unmatched, 1);
}

// The table is full: the stacks that it has stay right.
static void test_too_many(void **state) {
    (void)state;
    start_with(5, MAIN, M); // two numbers that mean nothing, the root, two more
    const uint32_t in_f = call(MAIN, F);
    sp -= 16;
    const uint32_t in_g = call(F + 4, G);
    sp -= 16;
    assert_int_equal(call(G + 4, H), STACK_LOST);
    sp -= 16;
    assert_int_equal(call(H + 4, F), STACK_LOST);
    assert_int_equal(step(RET, F, H + 8), STACK_LOST);
    sp += 16;
    assert_int_equal(step(RET, H, G + 8), in_g);
    sp += 16;
    assert_int_equal(step(RET, G, F + 8), in_f);
    assert_int_equal(call(F + 4, G), in_g);
    assert_int_equal(callstack_counts(c).lost, 2);
}

static void test_too_deep(void **state) {
    (void)state;
    enum { BEYOND = 1000 };
    start_with(1 << 18, MAIN, M);
    sp = 1 << 24;
    uint32_t deepest = 0, now = 0;
    for (unsigned i = 0; i < CALLSTACK_DEPTH; i++, sp -= 16)
        deepest = call(F + 4, F);
    assert_true(deepest > STACK_LOST);
    for (unsigned i = 0; i < BEYOND; i++, sp -= 16)
        assert_int_equal(call(F + 4, F), STACK_LOST);
    assert_int_equal(callstack_counts(c).lost, BEYOND);
    for (unsigned i = 0; i < BEYOND; i++) {
        assert_int_equal(now = i ? now : STACK_LOST, STACK_LOST);
        sp += 16;
        now = step(RET, F + 40, F + 8);
    }
    assert_int_equal(now, deepest);
    for (unsigned i = 0; i < CALLSTACK_DEPTH; i++) {
        sp += 16;
        now = step(RET, F + 40, F + 8);
    }
    EXPECT_ROOT(now);
    assert_int_equal(callstack_counts(c).unmatched, 0);
}

// More threads than are remembered: the one that has not run for longest is a new one when it comes back.
static void test_many_threads(void **state) {
    (void)state;
    enum { SWITCH = 0x5000, MORE = CALLSTACK_THREADS + 1, APART = 0x10000 };
    start_with(1 << 18, MAIN, S(0));
    sp = APART;
    for (unsigned i = 1; i < MORE; i++) {
        call(F + 8, SWITCH);
        sp += APART;
        EXPECT_ROOT(step(RET, SWITCH + 8, G));
    }
    call(F + 8, SWITCH);
    sp = 2 * APART; // the second
    step(RET, SWITCH + 8, F + 12);
    assert_int_equal(callstack_counts(c).switches, 1);
    call(F + 8, SWITCH);
    sp = APART; // the first, whose space the last one took
    step(RET, SWITCH + 8, F + 12);
    assert_int_equal(callstack_counts(c).switches, 1);
    assert_int_equal(callstack_counts(c).roots, MORE + 1);
}

// ---- random programs ----
// Threads with stacks far apart; each frame is as large as it likes. What is on them the test keeps in lists: the
// addresses of calls, of interrupted instructions.
enum { THREADS = 5, DEEPEST = 60, STEPS = 20000 };
struct model_frame {
    uint64_t site, back, sp;
    bool interrupt;
};
struct model {
    struct model_frame frames[DEEPEST];
    size_t depth;
    uint64_t sp, pc;
    bool began;
};

static void expect_model(uint32_t stack, const struct model *t) {
    uint64_t sites[DEEPEST];
    for (size_t i = 0; i < t->depth; i++)
        sites[i] = t->frames[i].site;
    expect(stack, sites, t->depth);
}

static uint64_t some_address(void) {
    return 0x100000 + 4 * (uint64_t)(rand() % 64);
}

static uint32_t model_call(struct model *t, bool interrupt) {
    const uint64_t at = some_address(), to = some_address();
    if (!interrupt) t->sp -= 16 * (1 + (uint64_t)(rand() % 4)); // who calls has a frame
    t->frames[t->depth++] = (struct model_frame){at, interrupt ? at : at + 4, t->sp, interrupt};
    sp = t->sp;
    const uint32_t stack = interrupt ? trap(true, at, to, M) : call(at, to);
    if (interrupt) t->sp -= 256;
    return stack;
}

static uint32_t model_return(struct model *t, size_t frame) {
    const struct model_frame f = t->frames[frame];
    t->depth = frame;
    t->sp = sp = f.sp;
    return f.interrupt ? trap_return(0x100, f.back, M, f.sp) : step(RET, some_address(), f.back);
}

// To a second return of setjmp in the function above frame `frame`, which is not one that an interrupt runs.
static uint32_t model_longjmp(struct model *t, size_t frame) {
    sp = t->sp - 16;
    call(0x600, 0x700);
    t->depth = frame;
    t->sp = sp = t->frames[frame].sp;
    return step(RET, 0x780, 0x200);
}

static uint32_t model_switch(struct model *from, struct model *to) {
    from->sp -= 16;
    sp = from->sp;
    from->frames[from->depth++] = (struct model_frame){0x300, 0x304, from->sp, false};
    call(0x300, 0x400);
    if (to->began) {
        to->depth--;
        to->sp = sp = to->frames[to->depth].sp;
        return step(RET, 0x480, 0x304);
    }
    to->began = true;
    sp = to->sp;
    return step(RET, 0x480, 0x500);
}

static void test_random(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct model threads[THREADS] = {0};
        srand(seed);
        start_with(1 << 20, MAIN, M);
        unsigned now = 0;
        for (unsigned i = 0; i < THREADS; i++)
            threads[i].sp = UINT64_C(0x1000000) * (i + 1);
        threads[0].began = true;
        sp = threads[0].sp;
        callstack_begin(c, MAIN, M, sp);
        for (unsigned i = 0; i < STEPS; i++) {
            struct model *t = &threads[now];
            const unsigned what = (unsigned)rand() % 100;
            uint32_t stack;
            if (what < 48 && t->depth < DEEPEST - 2) {
                stack = model_call(t, what < 4);
            } else if (what < 52 && t->depth > 1) {
                size_t frame = (size_t)rand() % t->depth;
                while (frame + 1 < t->depth && t->frames[frame].interrupt)
                    frame++;
                if (t->frames[frame].interrupt) continue;
                stack = model_longjmp(t, frame);
            } else if (what < 56) {
                const unsigned next = (now + 1 + (unsigned)rand() % (THREADS - 1)) % THREADS;
                stack = model_switch(t, &threads[next]);
                now = next;
            } else if (t->depth) {
                stack = model_return(t, t->depth - 1);
            } else {
                continue;
            }
            expect_model(stack, &threads[now]);
        }
        assert_true(callstack_counts(c).switches > 100);
        assert_true(callstack_counts(c).roots <= THREADS + 1);
        assert_int_equal(callstack_counts(c).lost, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_turn),
        cmocka_unit_test_teardown(test_calls, tear_down),
        cmocka_unit_test_teardown(test_tail_call, tear_down),
        cmocka_unit_test_teardown(test_recursion, tear_down),
        cmocka_unit_test_teardown(test_longjmp, tear_down),
        cmocka_unit_test_teardown(test_interrupt, tear_down),
        cmocka_unit_test_teardown(test_exception, tear_down),
        cmocka_unit_test_teardown(test_context_switch, tear_down),
        cmocka_unit_test_teardown(test_address_spaces, tear_down),
        cmocka_unit_test_teardown(test_no_return_to_other_space, tear_down),
        cmocka_unit_test_teardown(test_save_routine, tear_down),
        cmocka_unit_test_teardown(test_missed_return, tear_down),
        cmocka_unit_test_teardown(test_coroutines, tear_down),
        cmocka_unit_test_teardown(test_calls_by_link, tear_down),
        cmocka_unit_test_teardown(test_stack_used_again, tear_down),
        cmocka_unit_test_teardown(test_signal, tear_down),
        cmocka_unit_test_teardown(test_without_stack_pointer, tear_down),
        cmocka_unit_test_teardown(test_too_many, tear_down),
        cmocka_unit_test_teardown(test_too_deep, tear_down),
        cmocka_unit_test_teardown(test_many_threads, tear_down),
        cmocka_unit_test_teardown(test_random, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
