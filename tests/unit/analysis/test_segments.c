// Ranges in ranges, against a search through all of them.
#include "analysis/segments.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12, END = 40 };

static struct segments make(const struct span *spans, size_t count) {
    struct segments s;
    struct span *copy = malloc((count + 1) * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, spans, count * sizeof *copy);
    assert_true(segments_create(&s, copy, count));
    return s;
}

// The owner of the one that begins last before the address and has it: of two that begin together the shorter one.
static size_t by_search(const struct span *spans, size_t count, uint64_t address) {
    const struct span *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (address < spans[i].low || address >= spans[i].high) continue;
        if (!best || spans[i].low > best->low || (spans[i].low == best->low && spans[i].high <= best->high))
            best = &spans[i];
    }
    return best ? best->owner : SEGMENTS_NONE;
}

static void flat(void **state) {
    (void)state;
    unsigned long random = 1;
    for (int round = 0; round < 3000; round++) {
        struct span spans[MOST] = {{0}};
        const size_t count = (size_t)round % (MOST + 1);
        for (size_t i = 0; i < count; i++) {
            uint64_t at[2];
            for (int k = 0; k < 2; k++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                at[k] = (random >> 33) % END;
            }
            const bool turn = at[0] > at[1];
            spans[i] = (struct span){.low = at[turn], .high = at[!turn] + 1, .owner = i};
        }
        struct segments s = make(spans, count);
        for (uint64_t address = 0; address <= END + 1; address++) {
            const size_t i = segments_find(&s, address);
            assert_int_equal(i == SEGMENTS_NONE ? i : s.spans[i].owner, by_search(spans, count, address));
            size_t around = 0, has = 0; // outwards come those that have the address, each once
            for (size_t k = i; k != SEGMENTS_NONE; k = segments_outer(&s, k, address)) {
                assert_true(address >= s.spans[k].low && address < s.spans[k].high);
                around++;
            }
            for (size_t k = 0; k < count; k++)
                has += address >= spans[k].low && address < spans[k].high;
            assert_int_equal(around, has);
        }
        segments_free(&s);
    }
}

// In a tree the deeper one is inside, though it is as long, and ends with the one around it.
static void tree(void **state) {
    (void)state;
    static const struct span spans[] = {{.low = 0, .high = 10, .depth = 1, .owner = 70},
                                        {.low = 0, .high = 10, .depth = 2, .owner = 71},
                                        {.low = 4, .high = 20, .depth = 3, .owner = 72},
                                        {.low = 15, .high = 18, .depth = 1, .owner = 73}};
    static const size_t expected[] = {71, 71, 71, 71, 72, 72, 72, 72, 72, 72, 0, 0, 0, 0, 0, 73, 73, 73, 0};
    struct segments s = make(spans, 4);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const size_t at = segments_find(&s, i);
        assert_int_equal(at == SEGMENTS_NONE ? 0 : s.spans[at].owner, expected[i]);
    }
    segments_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat), cmocka_unit_test(tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
