// Lines written back: with all stores, with some of the last ones, with a wrong word.
#include "memory_map.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

#include "tests/unit/base/program_image.h"

extern const struct worker_ops worker_memory;
#define DATA (DRAM_BASE + 0x10000)

static struct image *empty_program(void) {
    static const uint32_t code[] = {0x13};
    return program_image(code, sizeof code);
}

static void start(struct scene *s) {
    struct image *image = empty_program();
    const struct worker_run run = {.width = WIDTH, .image = image};
    memset(s, 0, sizeof *s);
    s->ops = &worker_memory;
    s->view = (struct worker_view){.count = 1, .bundle = &s->bundle, .left = &s->left, .golden = &s->golden};
    s->state = worker_memory.create(&run, NULL, &s->err);
    assert_non_null(s->state);
    image_destroy(image);
}

static int stores(struct scene *s, uint64_t cycle, uint64_t address, unsigned bytes, uint64_t data) {
    scene_commits(
        s, (struct iss_retire){.access = ISS_ACCESS_STORE, .address = address, .size = (uint8_t)bytes, .data = data});
    return scene_cycle(s, cycle);
}

static int others(struct scene *s, uint64_t cycle, unsigned count) { // that do not store
    int result = 0;
    for (unsigned i = 0; i < count && result == 0; i++) {
        scene_commits(s, (struct iss_retire){.access = ISS_ACCESS_NONE});
        result = scene_cycle(s, cycle + i);
    }
    return result;
}

static void written(struct scene *s, uint64_t address, const uint64_t *words) {
    scene_memory(s, (struct memory_event){.kind = MEMORY_WRITE, .tick = 77, .address = address, .data = words});
}

static void test_lines(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    uint64_t line[8] = {0};
    written(&s, DATA, line); // as the program left it
    assert_int_equal(stores(&s, 1, DATA + 8, 8, 5), 0);
    assert_int_equal(stores(&s, 2, DATA + 16, 1, 0xaa), 0);
    written(&s, DATA, line); // both are still in the queue
    line[1] = 5;
    written(&s, DATA, line);
    line[2] = 0xaa;
    written(&s, DATA, line);
    assert_int_equal(others(&s, 3, 200), 0);
    s.ops->destroy(s.state);
}

static void test_wrong(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    uint64_t line[8] = {0, 5, 1};
    assert_int_equal(stores(&s, 1, DATA + 8, 8, 5), 0);
    written(&s, DATA, line); // nobody has stored a 1
    assert_int_equal(others(&s, 2, 10), 0);
    assert_int_equal(others(&s, 20, 100), -EBADMSG);
    assert_non_null(strstr(s.err.text, "memory: cycle 77: the line written back to 0x80010000"));
    s.ops->destroy(s.state);
}

static void test_order(void **unused) { // a later store without the one before it
    struct scene s;
    (void)unused;
    start(&s);
    const uint64_t line[8] = {0, 0, 7};
    assert_int_equal(stores(&s, 1, DATA + 8, 8, 5), 0);
    assert_int_equal(stores(&s, 2, DATA + 16, 8, 7), 0);
    written(&s, DATA, line);
    assert_int_equal(others(&s, 20, 100), -EBADMSG);
    s.ops->destroy(s.state);
}

static void test_old(void **unused) { // what must have left the store queue long ago
    struct scene s;
    (void)unused;
    start(&s);
    const uint64_t line[8] = {0};
    assert_int_equal(stores(&s, 1, DATA, 8, 9), 0);
    for (uint64_t i = 0; i < 300; i++)
        assert_int_equal(stores(&s, 2 + i, DATA + 0x1000, 8, i), 0);
    written(&s, DATA, line);
    assert_int_equal(others(&s, 500, 100), -EBADMSG);
    s.ops->destroy(s.state);
}

static void test_amo(void **unused) { // it writes the cache before it commits
    struct scene s;
    (void)unused;
    start(&s);
    const uint64_t line[8] = {3};
    written(&s, DATA, line);
    assert_int_equal(stores(&s, 2, DATA, 8, 3), 0);
    assert_int_equal(others(&s, 3, 200), 0);
    s.ops->destroy(s.state);
}

static void dirty(struct scene *s, uint64_t address, const uint64_t *words, bool cut) {
    scene_memory(
        s, (struct memory_event){.kind = MEMORY_DIRTY, .tick = 90, .address = address, .data = words, .cut = cut});
}

static int end(struct scene *s) {
    int result = s->ops->finish(s->state, 90, &s->err);
    s->ops->destroy(s->state);
    return result;
}

static void store_and_leave(struct scene *s) { // 5 at DATA + 8, and long since out of the store queue
    start(s);
    assert_int_equal(stores(s, 1, DATA + 8, 8, 5), 0);
    for (uint64_t i = 0; i < 300; i++)
        assert_int_equal(stores(s, 2 + i, DATA + 0x1000, 8, i), 0);
}

static void test_end(void **unused) { // lines that are still in the cache
    struct scene s;
    (void)unused;
    const uint64_t line[8] = {0, 5}, other[8] = {0, 6}, others[8] = {1, 6}, late[8] = {299};
    store_and_leave(&s);
    assert_int_equal(end(&s), -EBADMSG); // nobody has it
    assert_non_null(strstr(s.err.text, "stores to the line 0x80010000 are neither in memory nor in the data cache"));
    store_and_leave(&s);
    dirty(&s, DATA, line, false);
    assert_int_equal(end(&s), 0); // the other line's stores may be in the queue
    store_and_leave(&s);
    written(&s, DATA, line);
    dirty(&s, DATA + 0x1000, late, false);
    assert_int_equal(end(&s), 0);
    store_and_leave(&s);
    dirty(&s, DATA, other, false);
    assert_int_equal(end(&s), -EBADMSG);
    store_and_leave(&s);
    dirty(&s, DATA, other, true); // an AMO's word, perhaps
    assert_int_equal(end(&s), 0);
    store_and_leave(&s);
    dirty(&s, DATA, others, true); // no AMO writes two words
    assert_int_equal(end(&s), -EBADMSG);
    store_and_leave(&s);
    dirty(&s, DATA, other, true);
    dirty(&s, DATA + 0x1000, other, true); // there is one AMO at most
    assert_int_equal(end(&s), -EBADMSG);
}

static void test_cut(void **unused) { // an AMO's line is written back, and the run ends before it commits
    struct scene s;
    (void)unused;
    const uint64_t other[8] = {0, 6}, late[8] = {299};
    for (int cut = 0; cut < 2; cut++) {
        store_and_leave(&s);
        written(&s, DATA, other);
        assert_int_equal(others(&s, 400, 3), 0);
        dirty(&s, DATA + 0x1000, late, cut);
        assert_int_equal(end(&s), cut ? 0 : -EBADMSG);
    }
}

static void test_host(void **unused) { // a word that the host has written, in a line that the core writes back
    struct scene s;
    (void)unused;
    start(&s);
    const uint64_t line[8] = {0, 6};
    s.left.host_write_count = 1;
    s.left.host_writes[0] = (struct host_write){.addr = DATA + 8, .data = 6};
    assert_int_equal(others(&s, 1, 1), 0);
    s.left.host_write_count = 0;
    written(&s, DATA, line);
    assert_int_equal(others(&s, 2, 300), 0);
    const uint64_t without[8] = {0};
    for (uint64_t i = 0; i < 300; i++)
        assert_int_equal(stores(&s, 400 + i, DATA + 0x1000, 8, i), 0);
    written(&s, DATA, without);
    assert_int_equal(others(&s, 800, 100), -EBADMSG);
    s.ops->destroy(s.state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_old),
                                       cmocka_unit_test(test_amo),   cmocka_unit_test(test_end),
                                       cmocka_unit_test(test_cut),   cmocka_unit_test(test_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
