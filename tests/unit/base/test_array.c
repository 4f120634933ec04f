// Growing arrays: what was put in stays, room grows by doubling, and without memory nothing changes.
#include "base/array.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct entry {
    uint64_t number;
    char text[16];
};

static void test_entries_stay(void **state) {
    (void)state;
    struct entry *list = NULL;
    size_t capacity = 0, grown = 0;
    for (size_t i = 0; i < 1000; i++) {
        const size_t before = capacity;
        assert_true(array_reserve(&list, &capacity, i, sizeof *list));
        assert_true(capacity > i);
        grown += capacity != before;
        list[i] = (struct entry){i * i, "x"};
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(list[i].number, i * i);
    assert_true(grown <= 10); // 1000 < 2^10
    free(list);
}

static void test_many_at_once(void **state) {
    (void)state;
    uint64_t *list = NULL;
    size_t capacity = 0;
    assert_true(array_reserve_all(&list, &capacity, 0, sizeof *list));
    assert_null(list); // nothing was asked for
    assert_true(array_reserve_all(&list, &capacity, 1000, sizeof *list));
    assert_int_equal(capacity, 1000); // more than the double of what it had
    list[999] = 7;
    assert_true(array_reserve_all(&list, &capacity, 1001, sizeof *list));
    assert_int_equal(capacity, 2000);
    assert_int_equal(list[999], 7);
    free(list);
}

static void test_no_memory(void **state) {
    (void)state;
    struct entry first = {7, "y"}, *list = &first;
    size_t capacity =
        SIZE_MAX / 8; // twice as many entries do not fit into the address space: refused before it is touched
    assert_false(array_reserve(&list, &capacity, capacity, sizeof *list));
    assert_ptr_equal(list, &first);
    assert_int_equal(capacity, SIZE_MAX / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries_stay), cmocka_unit_test(test_many_at_once),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
