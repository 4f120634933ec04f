// Pipeline snippets in sample files: what is written is read back; a later version's longer rows are passed over;
// damage is reported.
#include "base/bytes.h"
#include "base/container.h"
#include "profile/snippet.h"
#include "samples/samples.h"
#include "tests/unit/samples/scratch_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TYPE = 26, HEAD = 41, ROW = 55 }; // as csrc/samples/samples_format.h says

static struct snippet_copy snippet(uint32_t n) {
    struct snippet_copy s = {.head = {.place = {0x80000000 + n, place_context(MODE_SUPERVISOR, 0x80123)},
                                      .cycle = 1000 * n,
                                      .state = STATE_DRAINED,
                                      .triggers = UINT64_MAX - n,
                                      .rows.count = n,
                                      .row = n - 1}};
    for (size_t i = 0; i < n; i++) {
        s.rows[i] = (struct snippet_row){.pc = s.head.place.pc + i,
                                         .insn = 0xffffff00 + (uint32_t)i,
                                         .psv = (uint16_t)(0xff00 + i),
                                         .squashed = i % 2,
                                         .fetched = 10 * i,
                                         .dispatched = 10 * i + 1,
                                         .issued = 10 * i + 2,
                                         .done = 10 * i + 3,
                                         .left = i % 3 ? 10 * i + 4 : SNIPPET_NEVER};
    }
    return s;
}

static void expect(const struct results *r, size_t number, const struct snippet_copy *b) {
    size_t count;
    const struct snippet *a = &results_snippet(r, &count)[number];
    const struct snippet_row *rows = results_snippet_row(r, &count) + a->rows.first;
    assert_true(place_equal(a->place, b->head.place));
    assert_int_equal(a->cycle, b->head.cycle);
    assert_int_equal(a->state, b->head.state);
    assert_int_equal(a->triggers, b->head.triggers);
    assert_int_equal(a->rows.count, b->head.rows.count);
    assert_int_equal(a->row, b->head.row);
    for (size_t i = 0; i < a->rows.count; i++) {
        const struct snippet_row *x = &rows[i], *y = &b->rows[i];
        assert_int_equal(x->pc, y->pc);
        assert_int_equal(x->insn, y->insn);
        assert_int_equal(x->psv, y->psv);
        assert_int_equal(x->squashed, y->squashed);
        assert_int_equal(x->fetched, y->fetched);
        assert_int_equal(x->dispatched, y->dispatched);
        assert_int_equal(x->issued, y->issued);
        assert_int_equal(x->done, y->done);
        assert_int_equal(x->left, y->left);
    }
}

static void test_round_trip(void **state) {
    (void)state;
    static const uint32_t sizes[] = {SNIPPET_ROWS, 1, 7};
    struct samples_writer *w = writer();
    struct results *r = results_create();
    assert_non_null(r);
    for (size_t i = 0; i < 3; i++) {
        const struct snippet_copy s = snippet(sizes[i]);
        assert_true(results_add_snippet(r, &s.head));
        for (uint32_t k = 0; k < sizes[i]; k++)
            assert_true(results_add_snippet_row(r, &s.rows[k]));
    }
    assert_int_equal(samples_add_results(w, r, 0, NULL), 0);
    results_destroy(r);
    assert_int_equal(samples_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    size_t count;
    results_snippet(samples_results(s), &count);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct snippet_copy expected = snippet(sizes[i]);
        expect(samples_results(s), i, &expected);
    }
    samples_destroy(s);
}

// A snippet of two rows, in bytes as the format says; `more` bytes after the head and after each row.
static size_t encode(uint8_t *data, size_t more, uint8_t state, unsigned row, unsigned count) {
    uint8_t *p = bytes_put(bytes_put(data, HEAD + more, 2), ROW + more, 2);
    p = bytes_put(bytes_put(bytes_put(bytes_put(p, 0x80000002, 8), 0x2a, 8), 77, 8), 5, 8);
    p = bytes_put(bytes_put(bytes_put(p, state, 1), row, 2), count, 2);
    memset(p, 0xee, more);
    p += more;
    for (unsigned i = 0; i < 2; i++) {
        p = bytes_put(bytes_put(bytes_put(bytes_put(p, 0x80000000 + 2 * i, 8), 0x13, 4), 9, 2), i, 1);
        for (unsigned k = 0; k < 5; k++)
            p = bytes_put(p, 10 * i + k, 8);
        memset(p, 0xee, more);
        p += more;
    }
    return (size_t)(p - data);
}

static struct samples *with_block(const uint8_t *data, size_t bytes) {
    struct samples_writer *w = writer();
    assert_int_equal(samples_close(w, NULL), 0);
    // The same file again, with the block behind its header.
    struct container_reader *r = container_open(path, "samples", 1, 9, NULL);
    uint32_t type;
    const uint8_t *header;
    size_t size;
    assert_int_equal(container_next(r, &type, &header, &size, NULL), CONTAINER_BLOCK);
    char *json = strndup((const char *)header, size);
    container_destroy(r);
    struct container_writer *c = container_create(path, "samples", 2, json, NULL);
    assert_int_equal(container_write(c, TYPE, data, bytes, NULL), 0);
    assert_int_equal(container_end(c, 0, NULL), 0);
    free(json);
    return samples_open(path, NULL);
}

static void test_longer(void **state) {
    (void)state;
    uint8_t data[512];
    for (size_t more = 0; more < 4; more += 3) {
        struct samples *s = with_block(data, encode(data, more, STATE_STALLED, 1, 2));
        size_t count;
        const struct snippet *list = results_snippet(samples_results(s), &count);
        assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
        assert_int_equal(count, 1);
        assert_int_equal(list->place.pc, 0x80000002);
        assert_int_equal(list->place.context, 0x2a);
        assert_int_equal(list->cycle, 77);
        assert_int_equal(list->triggers, 5);
        const struct snippet_row *rows = results_snippet_row(samples_results(s), &count);
        assert_int_equal(rows[1].pc, 0x80000002);
        assert_true(rows[1].squashed && !rows[0].squashed);
        assert_int_equal(rows[1].left, 14);
        samples_destroy(s);
    }
}

static void test_damage(void **state) {
    (void)state;
    uint8_t data[512];
    const struct {
        uint8_t state;
        unsigned row, count;
        int bytes; // more or fewer than there should be
    } cases[] = {{STATE_COUNT, 1, 2, 0}, {1, 2, 2, 0}, {1, 0, 0, 0},    {1, 1, 3, 0},    {1, 0, 1, 0},
                 {1, 1, 2, -1},          {1, 1, 2, 1}, {1, 1, 2, -150}, {1, 0, 60000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t bytes = encode(data, 0, cases[i].state, cases[i].row, cases[i].count);
        struct samples *s = with_block(data, (size_t)((int)bytes + cases[i].bytes));
        size_t count;
        results_snippet(samples_results(s), &count);
        assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
        assert_int_equal(count, 0);
        samples_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_longer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
