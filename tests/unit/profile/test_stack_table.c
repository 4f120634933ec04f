// stack_table: one number for equal stacks, another for each field that differs; growth; the limit.
#include "profile/stack_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_equal(void **state) {
    (void)state;
    struct stack_table *t = stack_table_create(100);
    const struct stack_node root = {STACK_UNKNOWN, STACK_ROOT, 0, 0x1000, 3};
    const uint32_t first = stack_table_find(t, &root);
    assert_int_equal(first, STACK_LOST + 1);
    assert_int_equal(stack_table_find(t, &root), first);
    const struct stack_node call = {first, STACK_CALL, 0x1004, 0x2000, 3};
    const uint32_t called = stack_table_find(t, &call);
    const struct stack_node others[] = {{first, STACK_INTERRUPT, 0x1004, 0x2000, 3},
                                        {called, STACK_CALL, 0x1004, 0x2000, 3},
                                        {first, STACK_CALL, 0x1008, 0x2000, 3},
                                        {first, STACK_CALL, 0x1004, 0x2004, 3},
                                        {first, STACK_CALL, 0x1004, 0x2000, 7}};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(stack_table_find(t, &others[i]), called + 1 + i);
        assert_int_equal(stack_table_find(t, &others[i]), called + 1 + i);
    }
    assert_int_equal(stack_table_find(t, &call), called);
    uint32_t count;
    const struct stack_node *nodes = stack_table_nodes(t, &count);
    assert_int_equal(count, called + 6);
    assert_int_equal(nodes[called].site, 0x1004);
    assert_int_equal(nodes[called].parent, first);
    stack_table_destroy(t);
    stack_table_destroy(NULL);
}

static struct stack_node some(uint32_t i) {
    return (struct stack_node){i / 3, i % STACK_KINDS, 0x80000000 + 4 * (uint64_t)(i % 1000), i / 1000 * 8, i & 3};
}

static void test_growth(void **state) {
    (void)state;
    enum { MANY = 100000 };
    struct stack_table *t = stack_table_create(1 << 20);
    uint32_t count;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = STACK_LOST + 1; i < MANY; i++) {
            struct stack_node node = some(i);
            if (node.parent == STACK_LOST) node.parent = STACK_UNKNOWN;
            assert_int_equal(stack_table_find(t, &node), i);
        }
        const struct stack_node *nodes = stack_table_nodes(t, &count);
        assert_int_equal(count, MANY);
        for (uint32_t i = STACK_LOST + 1 + 3; i < MANY; i++)
            assert_int_equal(nodes[i].site, some(i).site);
    }
    stack_table_destroy(t);
}

static void test_limit(void **state) {
    (void)state;
    struct stack_table *t = stack_table_create(4);
    struct stack_node node = {STACK_UNKNOWN, STACK_ROOT, 0, 1, 0};
    assert_int_equal(stack_table_find(t, &node), 2);
    node.entry = 2;
    assert_int_equal(stack_table_find(t, &node), 3);
    node.entry = 3;
    assert_int_equal(stack_table_find(t, &node), STACK_LOST);
    node.entry = 1;
    assert_int_equal(stack_table_find(t, &node), 2); // there already
    node.parent = STACK_LOST;
    assert_int_equal(stack_table_find(t, &node), STACK_LOST);
    stack_table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_growth),
                                       cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
