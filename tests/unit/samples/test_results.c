// Results in sample files: blocks that say what their fields are. What this build does not know is passed over and
// costs nothing; what a block claims and does not hold, or holds against its types, is damage.
#include "base/bytes.h"
#include "base/container.h"
#include "results.h"
#include "samples/samples.h"
#include "tests/unit/samples/scratch_file.h"
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TYPE = 38, VERSION = 4, JUMP = 2 }; // as samples_format.h and tables/results.tsv say

// ---- blocks by hand ----
struct field {
    unsigned id, bytes;
};
static const struct field jump_fields[] = {{1, 16}, {2, 16}, {3, 8}};

static uint8_t *put_head(uint8_t *p, unsigned id, uint32_t hart, uint64_t total, const struct field *fields,
                         unsigned count) {
    p = bytes_put(bytes_put(bytes_put(bytes_put(p, 24, 2), id, 2), 0, 1), 4, 1);
    p = bytes_put(bytes_put(bytes_put(bytes_put(p, count, 2), hart, 4), 0, 4), total, 8);
    for (unsigned i = 0; i < count; i++)
        p = bytes_put(bytes_put(p, fields[i].id, 2), fields[i].bytes, 2);
    return p;
}

static uint8_t *put_jump(uint8_t *p, uint64_t from, uint64_t context, uint64_t executions) {
    p = bytes_put(bytes_put(bytes_put(p, from, 8), context, 8), from + 64, 8);
    return bytes_put(bytes_put(p, context, 8), executions, 8);
}

struct block {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
};
// A file with these blocks behind its header.
static struct samples *with(const struct block *blocks, size_t count) {
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct container_reader *r = container_open(path, "samples", VERSION, VERSION, NULL);
    const uint8_t *json;
    uint32_t type;
    size_t size;
    assert_int_equal(container_next(r, &type, &json, &size, NULL), CONTAINER_BLOCK);
    char *header = strndup((const char *)json, size);
    container_destroy(r);
    struct container_writer *w = container_create(path, "samples", VERSION, header, NULL);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(container_write(w, blocks[i].type, blocks[i].data, blocks[i].bytes, NULL), 0);
    assert_int_equal(container_close(w, NULL), 0);
    free(header);
    struct samples *s = samples_open(path, NULL);
    assert_non_null(s);
    return s;
}

static void expect_jumps(struct samples *s, enum samples_state state, size_t count) {
    size_t found;
    results_jump(samples_results(s), &found);
    assert_int_equal(samples_state(s), state);
    assert_int_equal(found, count);
    assert_int_equal(results_known(samples_results(s), RESULT_JUMP), state == SAMPLES_COMPLETE);
    samples_destroy(s);
}

// ---- tests ----
// Every result with rows whose bytes are all their own, as far as their types go; more rows than a block holds.
static void fill(const struct result_info *info, char *row, uint64_t i) {
    memset(row, 0, info->bytes);
    for (unsigned k = 0; k < info->field_count; k++) {
        const struct result_field *f = &info->fields[k];
        const struct place place = {~i - k, place_context(MODE_MACHINE, (UINT64_C(1) << 44) - 1 - i)};
        const double real = (double)(i + 1) / (k + 3);
        if (f->type == RESULT_PLACE)
            memcpy(row + f->offset, &place, sizeof place);
        else if (f->type == RESULT_REAL)
            memcpy(row + f->offset, &real, sizeof real);
        else if (f->type == RESULT_TEXT)
            snprintf(row + f->offset, f->bytes, "%u%.*s", (unsigned)i, (int)f->bytes,
                     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        else if (f->type == RESULT_NUMBER)
            result_set_number(f, row, f->most - i % 2);
        else
            result_set_number(f, row, f->type == RESULT_ROWS ? 2 : 1);
    }
}

// Rows are compared by their bytes: a field writes none that are not its own.
static void test_own_bytes(void **state) {
    (void)state;
    struct snippet row, same;
    const struct result_info *info = result_info(RESULT_SNIPPET);
    memset(&row, 0xa5, sizeof row);
    memset(&same, 0xa5, sizeof same);
    for (unsigned k = 0; k < info->field_count; k++)
        if (info->fields[k].type == RESULT_ROWS) result_set_number(&info->fields[k], &row, 2);
    memcpy((char *)&same + offsetof(struct snippet, rows.count), &(uint32_t){2}, sizeof(uint32_t));
    assert_memory_equal(&row, &same, sizeof row);
}

static bool owned(unsigned number) {
    for (unsigned n = 0; n < RESULT_COUNT; n++) {
        const struct result_info *info = result_info(n);
        for (unsigned k = 0; k < info->field_count; k++)
            if (info->fields[k].type == RESULT_ROWS && info->fields[k].of == number) return true;
    }
    return false;
}

static void test_round_trip(void **state) {
    (void)state;
    enum { ROWS = 9000 };
    struct results *r = results_create();
    union {
        char bytes[RESULT_ROW_MOST];
        uint64_t aligned;
    } row;
    assert_non_null(r);
    for (unsigned n = 0; n < RESULT_COUNT; n++) {
        const bool scalar = result_info(n)->kind == RESULT_SCALAR;
        for (uint64_t i = 0; i < (scalar ? 1 : owned(n) ? 2 * ROWS : ROWS); i++) { // two for each row of their owners
            fill(result_info(n), row.bytes, i);
            assert_true(results_add(r, n, row.bytes));
        }
    }
    struct samples_writer *w = writer();
    assert_int_equal(samples_add_results(w, r, 3, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    for (unsigned n = 0; n < RESULT_COUNT; n++) {
        size_t count, expected;
        const char *read = results_rows(samples_results(s), n, &count);
        const char *written = results_rows(r, n, &expected);
        assert_int_equal(count, expected);
        assert_memory_equal(read, written, count * result_info(n)->bytes);
    }
    samples_destroy(s);
    results_destroy(r);
}

// An empty list is known, too; what the run did not keep is not.
static void test_empty(void **state) {
    (void)state;
    struct results *r = results_create();
    struct samples_writer *w = writer();
    results_keep(r, RESULT_JUMP);
    assert_int_equal(samples_add_results(w, r, 0, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    results_destroy(r);
    struct samples *s = samples_open(path, NULL);
    assert_true(results_known(samples_results(s), RESULT_JUMP));
    assert_false(results_known(samples_results(s), RESULT_WAIT));
    samples_destroy(s);
}

// A later version's result, encoding, fields before and behind ours, a longer head: the rows are read as if it were not
// there.
static void test_unknown(void **state) {
    (void)state;
    static const struct field fields[] = {{900, 3}, {3, 2}, {1, 16}, {901, 1000}, {2, 16}, {902, 1}};
    uint8_t data[2048], other[64], *p = put_head(data, JUMP, 0, 1, fields, 6);
    p = bytes_put(bytes_put(p, 0xeeeeee, 3), 777, 2);
    p = bytes_put(bytes_put(p, 0x80000000, 8), 3, 8);
    memset(p, 0xee, 1000);
    p = bytes_put(bytes_put(bytes_put(p + 1000, 0x80000040, 8), 3, 8), 0xee, 1);
    const uint8_t *const end = put_head(other, 60000, 0, 5, jump_fields, 3); // and rows that it does not have
    uint8_t encoded[128], *q = put_jump(put_head(encoded, JUMP, 0, 1, jump_fields, 3), 1, 3, 1);
    encoded[4] = 7;
    struct samples *s = with((const struct block[]){{TYPE, other, (size_t)(end - other)},
                                                    {TYPE, encoded, (size_t)(q - encoded)},
                                                    {TYPE, data, (size_t)(p - data)}},
                             3);
    size_t count;
    const struct jump *jump = results_jump(samples_results(s), &count);
    assert_int_equal(count, 1);
    assert_int_equal(jump->executions, 777);
    assert_int_equal(jump->from.pc, 0x80000000);
    assert_int_equal(jump->to.pc, 0x80000040);
    const struct samples_unknown *unknown = samples_unknown(s, &count);
    const struct samples_unknown expected[] = {
        {60000, 0, 5}, {JUMP, 0, 1}, {JUMP, 900, 1}, {JUMP, 901, 1}, {JUMP, 902, 1}};
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(unknown[i].result, expected[i].result);
        assert_int_equal(unknown[i].field, expected[i].field);
        assert_int_equal(unknown[i].rows, expected[i].rows);
    }
    expect_jumps(s, SAMPLES_COMPLETE, 1);
}

// More results that nobody knows than are listed: the first ones are, each once.
static void test_many_unknown(void **state) {
    (void)state;
    enum { MANY = SAMPLES_UNKNOWN_MOST + 9 };
    static uint8_t data[2 * MANY][64];
    struct block blocks[2 * MANY];
    for (unsigned i = 0; i < 2 * MANY; i++) {
        const uint8_t *end = put_head(data[i], 50000 + i / 2, 0, i, jump_fields, 3);
        blocks[i] = (struct block){TYPE, data[i], (size_t)(end - data[i])};
    }
    struct samples *s = with(blocks, 2 * MANY);
    size_t count;
    const struct samples_unknown *unknown = samples_unknown(s, &count);
    assert_int_equal(count, SAMPLES_UNKNOWN_MOST);
    for (size_t i = 0; i < count; i++)
        assert_true(unknown[i].result == 50000 + i && unknown[i].rows == 2 * i);
    assert_true(samples_skipped(s)->unknown);
    samples_destroy(s);
    s = with(blocks, 2 * SAMPLES_UNKNOWN_MOST); // as many as are listed
    assert_false(samples_skipped(s)->unknown);
    samples_destroy(s);
}

// By planes: of all rows the first bytes, then the second ones. Cut, or with a byte too many, they are damage as rows
// are.
static void test_planes(void **state) {
    (void)state;
    enum { ROWS = 3, BYTES = 40 };
    uint8_t rows[ROWS * BYTES], data[256], *p = put_head(data, JUMP, 0, ROWS, jump_fields, 3);
    data[4] = 1;
    for (unsigned i = 0; i < ROWS; i++)
        put_jump(rows + i * BYTES, 0x123456789a0 + i, 3 + 4 * i, 777 + i);
    for (unsigned k = 0; k < BYTES; k++)
        for (unsigned i = 0; i < ROWS; i++)
            *p++ = rows[i * BYTES + k];
    struct samples *s = with(&(struct block){TYPE, data, (size_t)(p - data)}, 1);
    size_t count;
    const struct jump *jump = results_jump(samples_results(s), &count);
    assert_int_equal(count, ROWS);
    for (unsigned i = 0; i < ROWS; i++) {
        assert_true(jump[i].from.pc == 0x123456789a0 + i && jump[i].to.pc == jump[i].from.pc + 64);
        assert_true(jump[i].from.context == 3 + 4 * i && jump[i].executions == 777 + i);
    }
    expect_jumps(s, SAMPLES_COMPLETE, ROWS);
    for (int more = -1; more < 2; more += 2)
        expect_jumps(with(&(struct block){TYPE, data, (size_t)(p - data + more)}, 1), SAMPLES_CORRUPT, 0);
    expect_jumps(with(&(struct block){TYPE, data, (size_t)(p - data - BYTES)}, 1), SAMPLES_CORRUPT, 0);
}

// A megabyte that nobody knows: not a byte more is held than without it.
static void test_megabyte(void **state) {
    (void)state;
    enum { MEGABYTE = 1 << 20 };
    uint8_t data[128], *p = put_jump(put_head(data, JUMP, 0, 1, jump_fields, 3), 0x80000000, 3, 5);
    uint8_t *large = malloc(MEGABYTE);
    assert_non_null(large);
    uint64_t random = 1;
    for (size_t i = 0; i < MEGABYTE; i++)
        large[i] = (uint8_t)((random = random * 6364136223846793005 + 1442695040888963407) >> 56);
    const uint8_t *rest = put_head(large, 60000, 0, MEGABYTE, (const struct field[]){{1, 1}}, 1);
    assert_true(rest < large + 64);
    const struct block blocks[] = {{4711, large, MEGABYTE}, {TYPE, large, MEGABYTE}, {TYPE, data, (size_t)(p - data)}};
    size_t held[2];
    for (int i = 0; i < 2; i++) {
        struct samples *s = with(i ? blocks : blocks + 2, i ? 3 : 1);
        held[i] = mallinfo2().uordblks;
        expect_jumps(s, SAMPLES_COMPLETE, 1);
    }
    assert_true(held[1] <= held[0] + 4096);
    free(large);
}

// Rows of two bytes that take forty in memory: more than a file of their size may fill is refused, less is read.
static void test_narrow_rows(void **state) {
    (void)state;
    enum { EVENT_COUNTS = 45 };
    for (size_t rows = 100000; rows <= 2000000; rows *= 20) {
        uint8_t *data = malloc(64 + 2 * rows);
        size_t count;
        assert_non_null(data);
        uint8_t *p = put_head(data, EVENT_COUNTS, 0, rows, (const struct field[]){{1, 1}, {2, 1}}, 2);
        memset(p, 0, 2 * rows);
        struct samples *s = with(&(struct block){TYPE, data, (size_t)(p - data) + 2 * rows}, 1);
        results_counted_event(samples_results(s), &count);
        assert_int_equal(count, rows == 100000 ? rows : 0);
        assert_int_equal(samples_state(s), rows == 100000 ? SAMPLES_COMPLETE : SAMPLES_CORRUPT);
        assert_true(rows == 100000 || strstr(samples_fault(s), "far more memory"));
        samples_destroy(s);
        free(data);
    }
}

// Two rows of what a run has once: in one block, or in two.
static void test_scalar(void **state) {
    (void)state;
    enum { LOST = 18 };
    uint8_t data[64];
    for (unsigned in_one = 1; in_one <= 2; in_one++) {
        uint8_t *p = put_head(data, LOST, 0, 1, (const struct field[]){{1, 1}}, 1);
        memset(p, 7, in_one);
        const struct block block = {TYPE, data, (size_t)(p - data) + in_one};
        struct samples *s = with((const struct block[]){block, block}, 3 - in_one);
        assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
        samples_destroy(s);
    }
}

// Of another hart than the first: passed over.
static void test_harts(void **state) {
    (void)state;
    uint8_t data[2][128];
    struct block blocks[2];
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *end = put_jump(put_head(data[i], JUMP, 1 - i, 1, jump_fields, 3), 0x100, 3, 10 + i);
        blocks[i] = (struct block){TYPE, data[i], (size_t)(end - data[i])};
    }
    struct samples *s = with(blocks, 2);
    size_t count;
    assert_int_equal(results_jump(samples_results(s), &count)->executions, 10);
    const struct samples_skipped *skipped = samples_skipped(s);
    assert_true(skipped->other && skipped->hart == 1 && skipped->other_hart == 0);
    expect_jumps(s, SAMPLES_COMPLETE, 1);
}

static void test_damage(void **state) {
    (void)state;
    static const struct {
        struct field fields[4];
        unsigned count;
        uint64_t total, context;
        int bytes; // more or fewer than there should be
    } cases[] = {
        {{{1, 16}, {2, 16}, {3, 8}}, 3, 1, 3, -1},         // a row is cut
        {{{1, 16}, {2, 16}, {3, 8}}, 3, 1, 3, 1},          // a byte too many
        {{{1, 16}, {2, 16}, {3, 8}}, 3, 2, 3, 0},          // a row is missing
        {{{1, 16}, {2, 16}, {3, 8}}, 3, 0, 3, 0},          // one too many
        {{{1, 16}, {2, 16}, {3, 8}}, 3, UINT64_MAX, 3, 0}, // no memory is asked for
        {{{1, 16}, {2, 16}, {3, 8}}, 3, 1, UINT64_MAX, 0}, // an address space that none is
        {{{1, 16}, {2, 24}}, 2, 1, 3, 0},                  // a field of ours is missing,
        {{{1, 16}, {1, 16}, {3, 8}}, 3, 1, 3, 0},          // or twice there,
        {{{1, 24}, {2, 8}, {3, 8}}, 3, 1, 3, 0},           // or of a size that its type cannot have
        {{{1, 16}, {2, 15}, {3, 9}}, 3, 1, 3, 0},
        {{{1, 16}, {2, 16}, {3, 0}, {900, 8}}, 4, 1, 3, 0},
        {{{1, 16}, {2, 16}, {3, 8}}, 60000, 1, 3, 0}, // more fields than bytes
        {{{1, 0}}, 1, 1, 3, 0},
        {{{1, 0}}, 0, 1, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t data[256] = {0};
        const unsigned put = cases[i].count < 4 ? cases[i].count : 4;
        uint8_t *p = put_head(data, JUMP, 0, cases[i].total, cases[i].fields, put);
        bytes_put(data + 6, cases[i].count, 2);
        p = put_jump(p, 0x100, cases[i].context, 9);
        expect_jumps(with(&(struct block){TYPE, data, (size_t)(p - data + cases[i].bytes)}, 1), SAMPLES_CORRUPT, 0);
    }
}

// A field below what its type allows names its block, its result and itself. Of every result and field: what the table
// says is least is good, and one less is not.
static void test_least(void **state) {
    (void)state;
    unsigned fields = 0;
    for (unsigned n = 0; n < RESULT_COUNT; n++) {
        for (unsigned k = 0; k < result_info(n)->field_count; k++) {
            const struct result_field *f = &result_info(n)->fields[k];
            union {
                char bytes[RESULT_ROW_MOST];
                uint64_t aligned;
            } row;
            if (!f->least) continue;
            fields++;
            for (unsigned value = 0; value < 2; value++) {
                char expected[128];
                struct results *r = results_create();
                struct samples_writer *w = writer();
                fill(result_info(n), row.bytes, 0);
                result_set_number(f, row.bytes, value);
                assert_true(results_add(r, n, row.bytes));
                assert_int_equal(samples_add_results(w, r, 0, NULL), 0);
                assert_int_equal(samples_close(w, NULL), 0);
                results_destroy(r);
                struct samples *s = samples_open(path, NULL);
                snprintf(expected, sizeof expected,
                         "bad block 1 (result %s, field %s: 0, at least 1): ", result_info(n)->name, f->name);
                assert_int_equal(strstr(samples_fault(s), expected) == NULL, value);
                samples_destroy(s);
            }
        }
    }
    assert_true(fields > 10); // periods and depth of a collection among them
    const struct result_field *depth = &result_info(RESULT_COLLECTION)->fields[2];
    assert_string_equal(depth->name, "depth");
    assert_int_equal(depth->least, 1);
}

// A list that is shorter or longer than the rows that it belongs to say; an index beyond them; a state that is none.
static void test_spans(void **state) {
    (void)state;
    static const struct field snippet[] = {{1, 16}, {2, 8}, {3, 8}, {4, 1}, {5, 4}, {6, 4}};
    static const struct field row[] = {{1, 8}, {2, 4}, {3, 2}, {4, 1}, {5, 8}, {6, 8}, {7, 8}, {8, 8}, {9, 8}};
    static const struct {
        unsigned rows, count, index, state;
        bool good;
    } cases[] = {{2, 2, 1, 1, true},  {2, 3, 1, 1, false}, {3, 2, 1, 1, false},  {2, 2, 2, 1, false},
                 {2, 2, 1, 4, false}, {0, 0, 0, 1, false}, {49, 49, 1, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static uint8_t rows[8192];
        uint8_t data[256], *p = put_head(data, 12, 0, 1, snippet, 6);
        p = bytes_put(bytes_put(bytes_put(bytes_put(p, 0x100, 8), 3, 8), 5, 8), 6, 8);
        p = bytes_put(bytes_put(bytes_put(p, cases[i].state, 1), cases[i].count, 4), cases[i].index, 4);
        const uint8_t *end = put_head(rows, 13, 0, cases[i].rows, row, 9) + 55 * (size_t)cases[i].rows;
        struct samples *s =
            with((const struct block[]){{TYPE, data, (size_t)(p - data)}, {TYPE, rows, (size_t)(end - rows)}}, 2);
        size_t count;
        results_snippet(samples_results(s), &count);
        assert_int_equal(count, cases[i].good ? 1 : 0);
        assert_int_equal(samples_state(s), cases[i].good ? SAMPLES_COMPLETE : SAMPLES_CORRUPT);
        samples_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_bytes),
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_planes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_megabyte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_narrow_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scalar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_harts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_least, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spans, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
