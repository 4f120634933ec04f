// Search by halves: the first entry that is not before the key, at either end, among equals, in an empty list.
#include "base/bisect.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static bool before(const void *entry, const void *key) {
    return *(const uint32_t *)entry < *(const uint32_t *)key;
}

static void test_against_a_walk(void **state) {
    (void)state;
    uint32_t list[9];
    for (size_t count = 0; count <= 9; count++) {
        for (size_t i = 0; i < count; i++)
            list[i] = (uint32_t)(i / 3 * 2 + 1); // 1 1 1 3 3 3 5 5 5
        for (uint32_t key = 0; key <= 7; key++) {
            size_t walked = 0;
            while (walked < count && list[walked] < key)
                walked++;
            assert_int_equal(bisect(count ? list : NULL, count, sizeof *list, before, &key), walked);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_walk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
