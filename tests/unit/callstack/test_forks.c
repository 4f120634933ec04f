// Call stacks of processes that fork: whose stack the new one goes on with, when it is known and when it is not. Each
// story is a program that forks at FORK of its function SPAWN, and a kernel that runs parent and child in some order.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/callstack/steps.h"

enum { SPAWN = 0x5000, ECALL = SPAWN + 0x10, BEHIND = ECALL + 4, SWITCH = 0x9100, BEGIN = 0xa000 };
enum { CHILD_KERNEL = 0x700000 }; // stack pointers
enum { PID = 77 };

// MAIN calls F, F calls SPAWN, which asks the kernel to fork.
static uint64_t forks_at(uint64_t space, enum callstack_fork kind) {
    EXPECT(call(MAIN, F), MAIN);
    sp -= 32;
    EXPECT(call(F + 8, SPAWN), MAIN, F + 8);
    sp -= 16;
    const uint64_t at = sp;
    trap_of((struct callstack_step){.pc = ECALL, .next_pc = KERNEL, .next_context = S(space), .fork = kind});
    return at;
}

// The kernel changes to the new process, which nobody has seen yet.
static void switch_to_new(uint64_t space) {
    call(KERNEL + 8, SWITCH);
    sp = CHILD_KERNEL;
    context = S(space);
    EXPECT_ROOT(step(RET, SWITCH + 8, BEGIN));
}

static uint32_t return_to(uint64_t pc, uint64_t space, uint64_t with_sp, uint64_t result) {
    return trap_result(KERNEL + 0x80, pc, U(space), with_sp, result);
}

// Where SPAWN and F return to in a process, and what it calls then.
static void expect_all_of_it(uint64_t space, uint64_t at) {
    sp = at + 16;
    const uint32_t in_f = step(RET, SPAWN + 0x20, F + 12);
    EXPECT(in_f, MAIN);
    assert_int_equal(node(in_f)->context, U(space));
    const uint32_t in_g = call(F + 12, G);
    EXPECT(in_g, MAIN, F + 12);
    assert_int_equal(node(in_g)->context, U(space));
    assert_int_equal(step(RET, G, F + 16), in_f);
    sp = at + 48;
    EXPECT_ROOT(step(RET, F + 20, MAIN + 4));
}

static void test_child_first(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t at = forks_at(5, CALLSTACK_FORK);
    switch_to_new(6);
    const uint32_t child = return_to(BEHIND, 6, at, 0);
    EXPECT(child, MAIN, F + 8);
    assert_int_equal(node(child)->context, U(6));
    assert_int_equal(node(child)->entry, SPAWN);
    expect_all_of_it(6, at);
    trap(false, MAIN + 8, KERNEL, S(6));
    const uint32_t parent = return_to(BEHIND, 5, at, PID);
    EXPECT(parent, MAIN, F + 8);
    assert_int_equal(node(parent)->context, U(5));
    expect_all_of_it(5, at);
    assert_int_equal(callstack_counts(c).forks, 1);
    assert_int_equal(callstack_counts(c).roots, 2); // MAIN and BEGIN
}

// The parent has left the function long since, and waits in another one.
static void test_parent_first(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t at = forks_at(5, CALLSTACK_FORK);
    return_to(BEHIND, 5, at, PID);
    expect_all_of_it(5, at);
    call(MAIN + 8, H);
    sp -= 64;
    trap(false, H + 4, KERNEL, S(5));
    const uint64_t waits = sp;
    switch_to_new(6);
    EXPECT(return_to(BEHIND, 6, at, 0), MAIN, F + 8);
    expect_all_of_it(6, at);
    trap(false, MAIN + 8, KERNEL, S(6));
    EXPECT(return_to(H + 8, 5, waits, 0), MAIN + 8);
}

// Two children of one stack: each has it. A third return of that kind is of nobody's.
static void test_two_children(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    uint64_t at = 0;
    for (int i = 0; i < 2; i++) {
        at = forks_at(5, CALLSTACK_FORK);
        return_to(BEHIND, 5, at, PID + i);
        sp = at + 16;
        step(RET, SPAWN + 0x20, F + 12);
        sp = at + 48;
        step(RET, F + 20, MAIN + 4);
    }
    for (unsigned space = 6; space < 9; space++) {
        trap(true, MAIN + 12, KERNEL, S(space - 1));
        switch_to_new(space);
        const uint32_t child = return_to(BEHIND, space, at, 0);
        if (space < 8) {
            EXPECT(child, MAIN, F + 8);
        } else {
            EXPECT_ROOT(child);
        }
        assert_int_equal(node(child)->context, U(space));
    }
    assert_int_equal(callstack_counts(c).forks, 2);
}

// The same instruction and stack pointer, but called from elsewhere: nothing identifies the child's parent.
static void test_not_known(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t at = forks_at(5, CALLSTACK_FORK);
    return_to(BEHIND, 5, at, PID);
    sp = at + 16;
    step(RET, SPAWN + 0x20, F + 12);
    EXPECT(call(F + 24, SPAWN), MAIN, F + 24);
    sp = at;
    trap_of((struct callstack_step){.pc = ECALL, .next_pc = KERNEL, .next_context = S(5), .fork = CALLSTACK_FORK});
    switch_to_new(6);
    EXPECT_ROOT(return_to(BEHIND, 6, at, 0));
    assert_int_equal(callstack_counts(c).forks, 0);
}

// ... but the other registers may say it.
static void test_known_by_registers(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    uint64_t at = 0;
    for (unsigned i = 0; i < 2; i++) {
        call(MAIN + 16 * i, SPAWN);
        at = sp;
        trap_of((struct callstack_step){
            .pc = ECALL, .next_pc = KERNEL, .next_context = S(5), .fork = CALLSTACK_FORK, .registers = 100 + i});
        return_to(BEHIND, 5, at, PID);
        step(RET, SPAWN + 0x20, MAIN + 16 * i + 4);
    }
    for (unsigned i = 2; i-- > 0;) {
        trap(true, MAIN + 40, KERNEL, S(5));
        switch_to_new(6 + i);
        sp = at;
        const struct callstack_step s = {.pc = KERNEL + 0x80,
                                         .next_pc = BEHIND,
                                         .context = context,
                                         .next_context = U(6 + i),
                                         .sp = at,
                                         .insn = SRET,
                                         .registers = 100 + i};
        EXPECT(callstack_step(c, &s), MAIN + 16 * i);
        context = U(6 + i);
    }
    assert_int_equal(callstack_counts(c).forks, 2);
}

// A call that failed, or that the kernel makes again, begins no process.
static void test_failed(void **state) {
    (void)state;
    for (int again = 0; again < 2; again++) {
        start_with(1000, MAIN, U(5));
        const uint64_t at = forks_at(5, CALLSTACK_FORK);
        EXPECT(return_to(again ? ECALL : BEHIND, 5, at, again ? 0 : (uint64_t)-11), MAIN, F + 8);
        trap(true, BEHIND, KERNEL, S(5));
        switch_to_new(6);
        EXPECT_ROOT(return_to(BEHIND, 6, at, 0));
        assert_int_equal(callstack_counts(c).forks, 0);
    }
}

// What agrees in all but one: another stack pointer, another instruction, not 0 in a0.
static void test_others(void **state) {
    (void)state;
    const struct {
        uint64_t pc, space, sp, result;
    } others[] = {{BEHIND, 6, 16, 0}, {BEHIND + 4, 6, 0, 0}, {BEHIND, 6, 0, 5}};
    for (size_t i = 0; i < 3; i++) {
        start_with(1000, MAIN, U(5));
        const uint64_t at = forks_at(5, CALLSTACK_FORK);
        switch_to_new(6);
        EXPECT_ROOT(return_to(others[i].pc, others[i].space, at + others[i].sp, others[i].result));
        assert_int_equal(callstack_counts(c).forks, 0);
    }
}

// In its parent's address space, on its parent's stack, while the parent waits: both keep their own.
static void test_vfork(void **state) {
    (void)state;
    start_with(1000, MAIN, U(5));
    const uint64_t at = forks_at(5, CALLSTACK_VFORK);
    const uint64_t kernel = sp - 64;
    call(KERNEL + 8, SWITCH); // in the frames of the kernel, which the parent goes on with
    sp = CHILD_KERNEL;
    EXPECT_ROOT(step(RET, SWITCH + 8, BEGIN));
    EXPECT(return_to(BEHIND, 5, at, 0), MAIN, F + 8);
    sp = at + 16;
    EXPECT(step(RET, SPAWN + 0x20, F + 12), MAIN);
    EXPECT(call(F + 12, H), MAIN, F + 12);
    trap(false, H + 4, KERNEL, S(5)); // it ends
    sp = kernel + 64;
    EXPECT(step(RET, SWITCH + 8, KERNEL + 12), MAIN, F + 8, ECALL); // the parent's kernel
    EXPECT(return_to(BEHIND, 5, at, PID), MAIN, F + 8);
    expect_all_of_it(5, at);
    assert_int_equal(callstack_counts(c).forks, 1);
}

// More calls than are kept: from then on no child is taken for one of those.
static void test_too_many(void **state) {
    (void)state;
    start_with(10000, MAIN, U(5));
    uint64_t at = 0;
    for (int i = 0; i < 1025; i++) {
        at = forks_at(5, CALLSTACK_FORK);
        return_to(BEHIND, 5, at, PID);
        sp = at + 16;
        step(RET, SPAWN + 0x20, F + 12);
        sp = at + 48;
        step(RET, F + 20, MAIN + 4);
    }
    trap(true, MAIN + 12, KERNEL, S(5));
    switch_to_new(6);
    EXPECT_ROOT(return_to(BEHIND, 6, at, 0));
    assert_int_equal(callstack_counts(c).forks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_child_first, tear_down),
                                       cmocka_unit_test_teardown(test_parent_first, tear_down),
                                       cmocka_unit_test_teardown(test_two_children, tear_down),
                                       cmocka_unit_test_teardown(test_not_known, tear_down),
                                       cmocka_unit_test_teardown(test_known_by_registers, tear_down),
                                       cmocka_unit_test_teardown(test_failed, tear_down),
                                       cmocka_unit_test_teardown(test_others, tear_down),
                                       cmocka_unit_test_teardown(test_vfork, tear_down),
                                       cmocka_unit_test_teardown(test_too_many, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
