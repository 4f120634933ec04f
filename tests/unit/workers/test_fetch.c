// Packets: what dispatches was fetched, in its order; one that was not, or whose address is wrong, is found.
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_fetch;

static void fetches(struct scene *s, uint64_t cycle, uint64_t pc) {
    s->bundle = (struct commit_bundle){.rob_empty = true, .fetch_valid = true, .fetch_pc = pc};
    assert_int_equal(scene_cycle(s, cycle), 0);
}

static int dispatches(struct scene *s, uint64_t cycle, uint64_t first, uint64_t second) {
    s->bundle = (struct commit_bundle){.rob_empty = true, .dispatch_pc = {first, second}};
    s->bundle.dispatch_valid = second ? 3 : 1;
    return scene_cycle(s, cycle);
}

static void redirects(struct scene *s, uint64_t cycle, uint64_t fetched) {
    s->bundle = (struct commit_bundle){.redirect = true, .fetch_valid = true, .fetch_pc = fetched};
    assert_int_equal(scene_cycle(s, cycle), 0);
}

static void test_fetched(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_fetch); // packets of 4 parcels
    fetches(&s, 1, AT);
    fetches(&s, 2, AT + 8);
    assert_int_equal(dispatches(&s, 3, AT, AT + 4), 0);
    assert_int_equal(dispatches(&s, 4, AT + 8, AT + 10), 0);
    assert_int_equal(dispatches(&s, 5, AT + 12, 0), 0);
    fetches(&s, 6, AT + 14); // across two packets
    assert_int_equal(dispatches(&s, 7, AT + 14, AT + 18), 0);
    assert_int_equal(dispatches(&s, 8, AT + 20, AT + 22), 0);
    fetches(&s, 9, AT); // a loop of one packet
    fetches(&s, 10, AT);
    assert_int_equal(dispatches(&s, 11, AT, AT), 0);
    fetches(&s, 11, AT + 16); // one that ends with the loop's only instruction
    fetches(&s, 11, AT + 20);
    assert_int_equal(dispatches(&s, 12, AT + 16, AT + 20), 0);
    assert_int_equal(dispatches(&s, 12, AT + 20, 0), 0);
    fetches(&s, 12, UINT64_MAX - 1); // across the end of memory
    assert_int_equal(dispatches(&s, 12, UINT64_MAX - 1, 2), 0);
    fetches(&s, 12, AT + 100); // thrown away
    redirects(&s, 13, AT + 200);
    fetches(&s, 14, AT + 300);
    assert_int_equal(dispatches(&s, 15, AT + 300, AT + 302), 0);
    scene_end(&s);
}

static void test_not_fetched(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_fetch);
    assert_int_equal(dispatches(&s, 1, AT, 0), -EBADMSG);
    assert_non_null(
        strstr(s.err.text, "fetch: cycle 1: 0x80000000 dispatches, but no fetched packet contains it: none"));
    fetches(&s, 2, AT + 8);
    assert_int_equal(dispatches(&s, 3, AT + 10, 0), -EBADMSG); // its first is left out
    assert_non_null(strstr(s.err.text, "the next begins at 0x80000008"));
    assert_int_equal(dispatches(&s, 4, AT + 8, AT + 18), -EBADMSG); // too far behind
    fetches(&s, 5, AT);
    assert_int_equal(dispatches(&s, 6, AT, AT), -EBADMSG); // a second time, of one packet
    fetches(&s, 7, AT + 16);
    fetches(&s, 7, AT + 20);
    assert_int_equal(dispatches(&s, 7, AT + 16, AT + 20), 0);
    assert_int_equal(dispatches(&s, 7, AT + 20, AT + 20), -EBADMSG); // once more, but not twice
    fetches(&s, 7, AT + 8);
    redirects(&s, 8, AT + 16);
    assert_int_equal(dispatches(&s, 9, AT + 16, 0), -EBADMSG);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fetched), cmocka_unit_test(test_not_fetched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
