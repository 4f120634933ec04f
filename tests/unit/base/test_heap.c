// A heap: entries come out in order, equal ones too, whatever the order in which they came.
#include "base/heap.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 64 };

static bool before(const void *a, const void *b) {
    return *(const uint32_t *)a < *(const uint32_t *)b;
}
static int compare(const void *a, const void *b) {
    return (int)before(b, a) - (int)before(a, b);
}

static uint32_t next(uint32_t *seed) {
    return (*seed = *seed * 1664525 + 1013904223) >> 16;
}

static void test_against_sort(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (size_t count = 1; count <= MOST; count++) {
        uint32_t heap[MOST], sorted[MOST];
        for (size_t i = 0; i < count; i++) {
            sorted[i] = next(&seed) % 40;
            heap_put(heap, i, sizeof *heap, before, &sorted[i]);
        }
        qsort(sorted, count, sizeof *sorted, compare);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(heap[0], sorted[i]);
            heap_drop(heap, count - i, sizeof *heap, before);
        }
    }
}

// One goes in for each that comes out: what comes out is never before what came out last, if nothing earlier goes in.
static void test_as_a_timeline(void **state) {
    (void)state;
    uint32_t heap[MOST], now = 0, seed = 2;
    for (size_t i = 0; i < MOST / 2; i++) {
        const uint32_t at = next(&seed) % 100;
        heap_put(heap, i, sizeof *heap, before, &at);
    }
    for (size_t i = 0; i < 5000; i++) {
        assert_true(heap[0] >= now);
        now = heap[0];
        heap_drop(heap, MOST / 2, sizeof *heap, before);
        const uint32_t later = now + next(&seed) % 100;
        heap_put(heap, MOST / 2 - 1, sizeof *heap, before, &later);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_sort), cmocka_unit_test(test_as_a_timeline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
