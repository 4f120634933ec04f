// Sample files: what is written is read back; every kind of damage is told apart, and what is good stays readable.
#include "base/container.h"
#include "samples/samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static int set_up(void **state) {
    (void)state;
    strcpy(path, "/tmp/test_samples_XXXXXX");
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    return fd >= 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static struct samples_header header(void) {
    struct samples_header h = {.clock_mhz = 3200,
                               .width = 4,
                               .units = 12,
                               .period = 0x123456789abcdef0,
                               .jitter_bits = 3,
                               .seed = UINT64_MAX,
                               .vectors = SAMPLES_VECTORS_SAMPLE,
                               .event_count = 2,
                               .config = "tea4",
                               .program = "a \"b\"\\c.elf",
                               .build_id = "00ff",
                               .command = "tipoff run --period 7 x",
                               .events = {"DR_L1", "ST_LLC"}};
    return h;
}

// A sample that is a known function of its number.
static struct sample_record record(uint64_t n) {
    struct sample_record r = {.cycle = 100 * n, .cycles = 100};
    r.sample.state = n % STATE_COUNT;
    r.sample.valid = n % 16;
    r.sample.oldest = n % 4;
    r.sample.exception = n % 5 == 0;
    r.sample.flush = n % 7 == 0;
    r.sample.mispredict = n % 3 == 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        if (!(n % 16 >> lane & 1)) continue;
        r.sample.addr[lane] = 0xffffffff80000000 + 4 * n + lane;
        r.sample.psv[lane] = (uint16_t)(n * 37 % 512);
    }
    return r;
}

static struct samples_writer *create(void) {
    struct samples_header h = header();
    struct error err = {""};
    struct samples_writer *w = samples_create(path, &h, &err);
    assert_string_equal(err.text, "");
    assert_non_null(w);
    return w;
}

static void add(struct samples_writer *w, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        struct sample_record r = record(n);
        assert_int_equal(samples_add(w, &r, NULL), 0);
    }
    assert_int_equal(samples_added(w), count);
}

static void expect(const struct samples *s, uint64_t count) {
    size_t got;
    const struct sample_record *records = samples_records(s, &got);
    assert_int_equal(got, count);
    for (uint64_t n = 0; n < count; n++) {
        struct sample_record r = record(n);
        assert_int_equal(records[n].cycle, r.cycle);
        assert_int_equal(records[n].cycles, r.cycles);
        assert_int_equal(records[n].sample.state, r.sample.state);
        assert_int_equal(records[n].sample.valid, r.sample.valid);
        assert_int_equal(records[n].sample.oldest, r.sample.oldest);
        assert_int_equal(records[n].sample.exception, r.sample.exception);
        assert_int_equal(records[n].sample.flush, r.sample.flush);
        assert_int_equal(records[n].sample.mispredict, r.sample.mispredict);
        assert_memory_equal(records[n].sample.addr, r.sample.addr, sizeof r.sample.addr);
        assert_memory_equal(records[n].sample.psv, r.sample.psv, sizeof r.sample.psv);
    }
}

// A complete file with n samples, a profile of 40000 rows (more than a block), an empty one, and statistics.
enum { ROWS = 40000 };
static void write_complete(uint64_t n) {
    struct samples_writer *w = create();
    add(w, n);
    struct profile_row *rows = calloc(ROWS, sizeof *rows);
    assert_non_null(rows);
    for (uint64_t i = 0; i < ROWS; i++)
        rows[i] = (struct profile_row){i << 40, i % 5, (uint16_t)(i % 512), i * i};
    rows[ROWS - 1].pc = SAMPLES_PC_END;
    assert_int_equal(samples_add_profile(w, "Oracle", rows, ROWS, NULL), 0);
    assert_int_equal(samples_add_profile(w, "NCI", NULL, 0, NULL), 0);
    assert_int_equal(samples_add_statistics(w, "{\"cycles\": 1}", NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    free(rows);
}

static void test_round_trip(void **state) {
    (void)state;
    write_complete(SAMPLES_BLOCK + 17);
    struct error err = {""};
    struct samples *s = samples_open(path, &err);
    assert_non_null(s);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    assert_string_equal(samples_fault(s), "");
    struct samples_header h = header();
    const struct samples_header *got = samples_header(s);
    assert_int_equal(got->clock_mhz, 3200);
    assert_int_equal(got->width, 4);
    assert_int_equal(got->units, 12);
    assert_int_equal(got->period, h.period);
    assert_int_equal(got->jitter_bits, 3);
    assert_int_equal(got->seed, UINT64_MAX);
    assert_int_equal(got->event_count, 2);
    assert_string_equal(got->events[1], "ST_LLC");
    assert_string_equal(got->config, "tea4");
    assert_string_equal(got->program, h.program);
    assert_string_equal(got->build_id, "00ff");
    assert_string_equal(got->command, h.command);
    assert_int_equal(got->vectors, SAMPLES_VECTORS_SAMPLE);
    expect(s, SAMPLES_BLOCK + 17);
    assert_int_equal(samples_profile_count(s), 2);
    assert_string_equal(samples_profile(s, 0)->profiler, "Oracle");
    const struct samples_profile *oracle = samples_find_profile(s, "Oracle");
    assert_int_equal(oracle->count, ROWS);
    for (uint64_t i = 0; i < ROWS; i++) {
        assert_int_equal(oracle->rows[i].pc, i == ROWS - 1 ? SAMPLES_PC_END : i << 40);
        assert_int_equal(oracle->rows[i].state, i % 5);
        assert_int_equal(oracle->rows[i].psv, i % 512);
        assert_int_equal(oracle->rows[i].weight, i * i);
    }
    assert_int_equal(samples_find_profile(s, "NCI")->count, 0);
    assert_null(samples_find_profile(s, "LCI"));
    assert_string_equal(samples_statistics(s), "{\"cycles\": 1}");
    samples_destroy(s);
}

// The run died: nothing but whole blocks is on disk.
static void test_died(void **state) {
    (void)state;
    struct samples_writer *w = create();
    add(w, SAMPLES_BLOCK + 100);
    struct error err = {""};
    struct samples *s = samples_open(path, &err); // as after SIGKILL: the second block is not out
    assert_non_null(s);
    assert_int_equal(samples_state(s), SAMPLES_TRUNCATED);
    assert_non_null(strstr(samples_fault(s), path));
    assert_non_null(strstr(samples_fault(s), "truncated"));
    expect(s, SAMPLES_BLOCK);
    assert_null(samples_statistics(s));
    samples_destroy(s);
    samples_abandon(w);
}

static long file_size(void) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    fclose(f);
    return size;
}

// Every truncation is told as such, and leaves whole blocks.
static void test_truncated(void **state) {
    (void)state;
    struct samples_writer *w = create();
    add(w, 2 * SAMPLES_BLOCK);
    assert_int_equal(samples_close(w, NULL), 0);
    long size = file_size();
    for (long cut = size - 1; cut > size - 200; cut -= 13) {
        assert_int_equal(truncate(path, cut), 0);
        struct samples *s = samples_open(path, NULL);
        assert_non_null(s);
        assert_int_equal(samples_state(s), SAMPLES_TRUNCATED);
        expect(s, cut >= size - 20 ? 2 * SAMPLES_BLOCK : SAMPLES_BLOCK);
        samples_destroy(s);
    }
    struct error err = {""};
    assert_int_equal(truncate(path, 60), 0);
    assert_null(samples_open(path, &err));
    assert_non_null(strstr(err.text, "truncated"));
    assert_int_equal(truncate(path, 20), 0);
    assert_null(samples_open(path, &err));
    assert_non_null(strstr(err.text, "truncated"));
}

static void flip(long offset) {
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, offset, SEEK_SET);
    int c = fgetc(f);
    fseek(f, offset, SEEK_SET);
    fputc(c ^ 0x10, f);
    fclose(f);
}

// A flipped bit anywhere behind the file's start is found: never read as good data.
static void test_corrupt(void **state) {
    (void)state;
    struct samples_writer *w = create();
    add(w, SAMPLES_BLOCK + 50);
    assert_int_equal(samples_close(w, NULL), 0);
    long size = file_size();
    for (long at = 24; at < size; at += at < 600 || at > size - 100 ? 1 : 997) {
        flip(at);
        struct error err = {""};
        struct samples *s = samples_open(path, &err);
        if (s) {
            assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
            assert_non_null(strstr(samples_fault(s), "bad block"));
            size_t count;
            samples_records(s, &count);
            assert_true(count == 0 || count == SAMPLES_BLOCK || count == SAMPLES_BLOCK + 50);
            expect(s, count);
            samples_destroy(s);
        } else {
            assert_non_null(strstr(err.text, "bad"));
        }
        flip(at);
    }
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    samples_destroy(s);
}

static void expect_refusal(const char *file, const char *fault) {
    struct error err = {""};
    assert_null(samples_open(file, &err));
    assert_non_null(strstr(err.text, file));
    assert_non_null(strstr(err.text, fault));
    assert_null(strchr(err.text, '\n'));
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("/nonexistent/x.tips", "cannot open");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("int main(void) { return 0; }", f);
    fclose(f);
    expect_refusal(path, "not a tipoff file");
    struct container_writer *c = container_create(path, "trace", 1, "{}", NULL);
    assert_int_equal(container_close(c, NULL), 0);
    expect_refusal(path, "kind 'trace'");
    c = container_create(path, "samples", 99, "{}", NULL);
    assert_int_equal(container_close(c, NULL), 0);
    expect_refusal(path, "version 99");
    c = container_create(path, "samples", 2, "{}", NULL);
    assert_int_equal(container_close(c, NULL), 0);
    expect_refusal(path, "bad header");
    struct error err = {""};
    struct samples_header h = header();
    assert_null(samples_create("/nonexistent/x.tips", &h, &err));
    assert_non_null(strstr(err.text, "cannot create"));
}

// Published check value: CRC-32C of "123456789" (RFC 3720 B.4's polynomial).
static void test_crc32c(void **state) {
    (void)state;
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c(crc32c(0, "12345", 5), "6789", 4), 0xe3069283);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_died, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_corrupt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test(test_crc32c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
