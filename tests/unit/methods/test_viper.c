// Viper's boundaries: lists whose outcome is worked out by hand, and random ones beside a second implementation that
// looks at all markers at once.
#include "methods/regions/viper_boundaries.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { L = MARKER_LOOP, T = MARKER_TASK_LOOP, B = MARKER_BARRIER };
enum { LISTS = 300, MARKERS = 400 };

static struct viper_marker marker(uint64_t position, enum marker_kind kind, size_t number) {
    return (struct viper_marker){position, kind, {0x1000, number + 1}, number};
}

// Windows of 10: loops give way to task loops and these to barriers, equals to none; 20 to 29 has none.
static void test_thin_by_hand(void **state) {
    (void)state;
    static const struct {
        uint64_t position;
        enum marker_kind kind;
        int stays;
    } in[] = {{0, L, 1}, {3, T, 1}, {4, T, 0}, {9, L, 0}, {10, L, 1}, {15, B, 1}, {16, B, 0}, {30, T, 1}, {39, L, 0}};
    static const uint64_t kept[] = {3, 15, 30};
    struct viper_list list = {0};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        const struct viper_marker one = marker(in[i].position, in[i].kind, i);
        assert_int_equal(viper_thin(&list, 10, &one), in[i].stays);
    }
    assert_int_equal(list.count, 3);
    for (size_t i = 0; i < list.count; i++)
        assert_int_equal(list.at[i].position, kept[i]);
    free(list.at);
}

static void test_next_by_hand(void **state) {
    (void)state;
    const struct viper_marker at[] = {marker(5, B, 0),  marker(10, L, 1), marker(20, T, 2),
                                      marker(30, T, 3), marker(95, B, 4), marker(400, L, 5)};
    static const struct {
        uint64_t begin, least, most;
        size_t count, next;
    } rows[] = {
        {0, 10, 100, 6, 4},         // the barrier, however far
        {0, 10, 94, 6, 2},          // it is out of reach: the first task loop
        {0, 10, 19, 6, 1},          // a loop is all there is
        {0, 5, 9, 6, 0},            // both ends belong to it
        {95, 10, 100, 6, 5},        // nothing there: the first after it
        {0, 31, 94, 6, 4},          // likewise
        {0, 30, 30, 6, 3},          // a fixed size that is met, ...
        {0, 21, 21, 6, 3},          // ... and one that is not
        {400, 1, 100, 6, SIZE_MAX}, // it does not end where it begins
        {0, 10, 100, 0, SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(viper_next(at, rows[i].count, rows[i].begin, rows[i].least, rows[i].most), rows[i].next);
}

// ---- a second implementation ----
// Whether marker i stays: there is no better one in its window, and no equal one before it.
static bool stays(const struct viper_marker *all, size_t count, uint64_t thin, size_t i) {
    for (size_t k = 0; k < count; k++)
        if (all[k].position / thin == all[i].position / thin &&
            (all[k].kind > all[i].kind || (all[k].kind == all[i].kind && k < i)))
            return false;
    return true;
}

static size_t next(const struct viper_marker *all, const bool *kept, size_t count, uint64_t begin, uint64_t least,
                   uint64_t most) {
    for (int kind = B; kind >= L; kind--)
        for (size_t i = 0; i < count; i++)
            if (kept[i] && (int)all[i].kind == kind && all[i].position > begin && all[i].position >= begin + least &&
                all[i].position <= begin + most)
                return i;
    for (size_t i = 0; i < count; i++)
        if (kept[i] && all[i].position > begin + most) return i;
    return SIZE_MAX;
}

static void test_random(void **state) {
    (void)state;
    static struct viper_marker all[MARKERS];
    static bool kept[MARKERS];
    size_t regions = 0, without = 0;
    for (unsigned seed = 1; seed <= LISTS; seed++) {
        unsigned random = seed;
        const uint64_t thin = 1 + (unsigned)rand_r(&random) % 60, least = 1 + (unsigned)rand_r(&random) % 500,
                       most = least + (unsigned)rand_r(&random) % 1500, gap = 1 + (unsigned)rand_r(&random) % 300;
        struct viper_list list = {0};
        uint64_t position = 0;
        for (size_t i = 0; i < MARKERS; i++) {
            const unsigned drawn = (unsigned)rand_r(&random) % 40;
            all[i] = marker(position += (unsigned)rand_r(&random) % gap, drawn == 0 ? B : drawn < 6 ? T : L, i);
            assert_true(viper_thin(&list, thin, &all[i]) >= 0);
        }
        size_t at = 0;
        for (size_t i = 0; i < MARKERS; i++) {
            kept[i] = stays(all, MARKERS, thin, i);
            if (kept[i] && (at >= list.count || list.at[at++].number != i)) fail_msg("seed %u: marker %zu", seed, i);
        }
        assert_int_equal(at, list.count);
        for (uint64_t begin = 0;; regions++) {
            const size_t mine = viper_next(list.at, list.count, begin, least, most);
            const size_t other = next(all, kept, MARKERS, begin, least, most);
            if ((mine == SIZE_MAX ? SIZE_MAX : list.at[mine].number) != other)
                fail_msg("seed %u: the region that begins at %u", seed, (unsigned)begin);
            if (other == SIZE_MAX) break;
            without += all[other].position > begin + most;
            begin = all[other].position;
        }
        free(list.at);
    }
    assert_true(regions > 1000 && without > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thin_by_hand), cmocka_unit_test(test_next_by_hand),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
