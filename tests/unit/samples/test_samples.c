// Sample files: what is written is read back; every kind of damage is distinguished, and what is good stays readable.
#include "base/bytes.h"
#include "base/container.h"
#include "results.h"
#include "samples/samples.h"
#include "tables_digest.h"
#include "tests/unit/samples/scratch_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SAMPLES_BLOCK_TYPE = 19, PROFILE_BLOCK_TYPE = 22 }; // as the format says, with bit 31: must be understood
#define SAMPLES_TYPE (SAMPLES_BLOCK_TYPE | UINT32_C(1) << 31)
#define PROFILE_TYPE (PROFILE_BLOCK_TYPE | UINT32_C(1) << 31)

static struct samples_header header(void) {
    struct samples_header h = {
        .clock_mhz = 3200,
        .width = 4,
        .units = 12,
        .sampling.period = 0x123456789abcdef0,
        .sampling.jitter_bits = 3,
        .sampling.seed = UINT64_MAX,
        .vectors = SAMPLES_VECTORS_SAMPLE,
        .event_count = 2,
        .config = "tea4",
        .program = "a \"b\"\\c.elf",
        .real_path = "/home/a \"b\"\\c.elf",
        .settings = "llc.latency=40",
        .build_id = "00ff",
        .digest = "0123456789abcdef",
        .command = "tipoff run --period 7 x",
        .events = {"DR_L1", "ST_LLC"},
        .images = {2,
                   {{"hello", 1, false, 0x81234, 0x2aaaaaa000, 0, "/tmp/hello", "0123", "fedcba9876543210"},
                    {"kernel", 2, true, 0, 0, 0, "/boot/vm \"linux\"", "", ""}}}};
    return h;
}

// A sample that is a known function of its number.
static struct sample_record record(uint64_t n) {
    struct sample_record r = {
        .cycle = 100 * n, .cycles = 100, .hart = n % 3, .sample.priv = n % 2, .sample.space = n << 30};
    if (n % 3) r.data_of = (uint8_t)(n % 3), r.data = (UINT64_C(1) << 55) + n;
    if (n % 4 == 3) r.repeats = (uint32_t)n, r.stalled = 2, r.stalled_cycles = n % 100;
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
        r.stack[lane] = (uint32_t)(n * 4 + lane) % 5;
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

static void add_one(struct samples_writer *w, uint64_t n) {
    struct sample_record r = record(n);
    assert_int_equal(samples_add(w, &r, NULL), 0);
}

static void add(struct samples_writer *w, uint64_t count) {
    for (uint64_t n = 0; n < count; n++)
        add_one(w, n);
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
        assert_int_equal(records[n].stalled_cycles, r.stalled_cycles);
        assert_int_equal(records[n].repeats, r.repeats);
        assert_int_equal(records[n].stalled, r.stalled);
        assert_int_equal(samples_periods(&records[n]), 1 + (uint64_t)r.repeats + r.stalled);
        assert_int_equal(records[n].hart, r.hart);
        assert_int_equal(records[n].sample.priv, r.sample.priv);
        assert_int_equal(records[n].sample.space, r.sample.space);
        assert_int_equal(records[n].sample.state, r.sample.state);
        assert_int_equal(records[n].sample.valid, r.sample.valid);
        assert_int_equal(records[n].sample.oldest, r.sample.oldest);
        assert_int_equal(records[n].sample.exception, r.sample.exception);
        assert_int_equal(records[n].sample.flush, r.sample.flush);
        assert_int_equal(records[n].sample.mispredict, r.sample.mispredict);
        assert_memory_equal(records[n].sample.addr, r.sample.addr, sizeof r.sample.addr);
        assert_memory_equal(records[n].sample.psv, r.sample.psv, sizeof r.sample.psv);
        assert_memory_equal(records[n].stack, r.stack, sizeof r.stack);
    }
}

// A complete file with n samples, a profile of 40000 rows (more than a block), an empty one, and a result.
enum { ROWS = 40000 };
static void write_complete(uint64_t n) {
    struct samples_writer *w = create();
    add(w, n);
    struct profile_row *rows = calloc(ROWS, sizeof *rows);
    assert_non_null(rows);
    for (uint64_t i = 0; i < ROWS; i++)
        rows[i] = (struct profile_row){i << 40, i % 5, (uint16_t)(i % 512), i * i, i % 7, (uint32_t)(i % 11)};
    rows[ROWS - 1].pc = SAMPLES_PC_END;
    assert_int_equal(samples_add_profile(w, "Oracle", 0x1ff, rows, ROWS, NULL), 0);
    assert_int_equal(samples_add_profile(w, "NCI", 0, NULL, 0, NULL), 0);
    struct results *results = results_create();
    assert_true(results && results_add_lost_triggers(results, &(struct lost_triggers){77}));
    assert_int_equal(samples_add_results(w, results, 0, NULL), 0);
    results_destroy(results);
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
    assert_int_equal(got->sampling.period, h.sampling.period);
    assert_int_equal(got->sampling.jitter_bits, 3);
    assert_int_equal(got->sampling.seed, UINT64_MAX);
    assert_int_equal(got->event_count, 2);
    assert_string_equal(got->events[1], "ST_LLC");
    assert_string_equal(got->config, "tea4");
    assert_string_equal(got->program, h.program);
    assert_string_equal(got->real_path, h.real_path);
    assert_string_equal(got->settings, h.settings);
    assert_string_equal(got->tables, EVENTS_DIGEST);
    assert_string_equal(got->build_id, "00ff");
    assert_string_equal(got->digest, "0123456789abcdef");
    assert_string_equal(got->command, h.command);
    assert_int_equal(got->vectors, SAMPLES_VECTORS_SAMPLE);
    assert_true(got->contexts);
    assert_int_equal(got->images.count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct guest_image *image = &got->images.list[i], *want = &h.images.list[i];
        assert_string_equal(image->name, want->name);
        assert_int_equal(image->modes, want->modes);
        assert_int_equal(image->any_space, want->any_space);
        assert_int_equal(image->space, want->space);
        assert_int_equal(image->bias, want->bias);
        assert_string_equal(image->path, want->path);
        assert_string_equal(image->build_id, want->build_id);
        assert_string_equal(image->digest, want->digest);
    }
    expect(s, SAMPLES_BLOCK + 17);
    assert_int_equal(samples_profile_count(s), 2);
    assert_string_equal(samples_profile(s, 0)->profiler, "Oracle");
    const struct samples_profile *oracle = samples_find_profile(s, "Oracle");
    assert_int_equal(oracle->count, ROWS);
    for (uint64_t i = 0; i < ROWS; i++) {
        assert_int_equal(oracle->rows[i].pc, i == ROWS - 1 ? SAMPLES_PC_END : i << 40);
        assert_int_equal(oracle->rows[i].context, i % 7);
        assert_int_equal(oracle->rows[i].state, i % 5);
        assert_int_equal(oracle->rows[i].psv, i % 512);
        assert_int_equal(oracle->rows[i].weight, i * i);
        assert_int_equal(oracle->rows[i].stack, i % 11);
    }
    assert_int_equal(oracle->events, 0x1ff);
    assert_int_equal(results_lost_triggers(samples_results(s))->collisions, 77);
    assert_int_equal(samples_count(s), SAMPLES_BLOCK + 17);
    assert_int_equal(samples_last_cycle(s), 100 * (SAMPLES_BLOCK + 16));
    assert_int_equal(samples_find_profile(s, "NCI")->count, 0);
    assert_null(samples_find_profile(s, "LCI"));
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

// Every truncation is reported as such, and leaves whole blocks: of a small file each length, of one with a full
// block those about its last two blocks.
static void test_truncated(void **state) {
    (void)state;
    struct samples_writer *w = create();
    add(w, 2 * SAMPLES_BLOCK);
    assert_int_equal(samples_close(w, NULL), 0);
    long size = file_size();
    for (long cut = size - 1; cut > size - 200; cut--) {
        assert_int_equal(truncate(path, cut), 0);
        struct samples *s = samples_open(path, NULL);
        assert_non_null(s);
        assert_int_equal(samples_state(s), SAMPLES_TRUNCATED);
        expect(s, cut >= size - 20 ? 2 * SAMPLES_BLOCK : SAMPLES_BLOCK);
        samples_destroy(s);
    }
    w = create();
    add(w, 5);
    assert_int_equal(samples_flush(w, NULL), 0);
    long first = file_size(); // after the first block
    add_one(w, 5);
    assert_int_equal(samples_close(w, NULL), 0);
    size = file_size();
    long header = 0; // the shortest length at which the header reads
    for (long cut = size - 1; cut >= 0; cut--) {
        struct error err = {""};
        assert_int_equal(truncate(path, cut), 0);
        struct samples *s = samples_open(path, &err);
        if (s) {
            assert_int_equal(samples_state(s), SAMPLES_TRUNCATED);
            expect(s, cut >= size - 20 ? 6 : cut >= first ? 5 : 0);
            samples_destroy(s);
            assert_true(header == 0 || cut == header - 1);
            header = cut;
        } else {
            assert_non_null(strstr(err.text, cut < 16 ? "not a tipoff file" : "truncated"));
        }
    }
    assert_in_range(header, 200, first - 1);
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

// A flipped bit anywhere after the file's start is found: never read as good data.
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
            assert_true(count == 0 || count == 50 || count == SAMPLES_BLOCK || count == SAMPLES_BLOCK + 50);
            if (count != 50) expect(s, count); // 50: the block after the bad one
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

static void append(uint32_t type, const uint8_t *data, size_t bytes) {
    FILE *f = fopen(path, "ab");
    assert_non_null(f);
    uint8_t head[20], *p = bytes_put(head, type, 4);
    p = bytes_put(bytes_put(p, bytes, 4), bytes, 4);
    p = bytes_put(p, crc32c(0, head, 12), 4);
    bytes_put(p, crc32c(0, data, bytes), 4);
    fwrite(head, 1, sizeof head, f);
    if (bytes) fwrite(data, 1, bytes, f);
    fclose(f);
}

// Blocks of one type with this content after a good header and 10 samples, then the end. Its result is samples_open's.
static struct samples *with_block(uint32_t type, const uint8_t *data, size_t bytes, struct error *err) {
    struct samples_writer *w = create();
    add(w, 10);
    assert_int_equal(samples_flush(w, NULL), 0);
    // The writer's container is not at hand: cut the file where the end mark will be, and append.
    assert_int_equal(samples_close(w, NULL), 0);
    assert_int_equal(truncate(path, file_size() - 20), 0);
    append(type, data, bytes);
    append(CONTAINER_END, NULL, 0);
    return samples_open(path, err);
}

static void test_unknown_blocks(void **state) {
    (void)state;
    struct error err = {""};
    struct samples *s = with_block(1000, (const uint8_t *)"whatever", 8, &err);
    assert_non_null(s);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    expect(s, 10);
    samples_destroy(s);
    assert_null(with_block(1000 | UINT32_C(1) << 31, (const uint8_t *)"whatever", 8, &err));
    assert_non_null(strstr(err.text, "blocks of type 1000, which have to be understood"));
    assert_non_null(strstr(err.text, path));
}

// A later version may make records longer: what is not known of them is passed over.
static void test_longer_records(void **state) {
    (void)state;
    enum { LONGER = 46 + 5 };
    uint8_t data[2 + 2 * (LONGER + 10)] = {LONGER};
    for (int i = 0; i < 2; i++) {
        uint8_t *p = data + 2 + i * (LONGER + 10);
        bytes_put(bytes_put(p, 7 + (unsigned)i, 8), 3, 8);
        bytes_put(p + 40, 0x00000100, 4); // Computing, lane 0
        memset(p + 46, 0xee, 5);
        bytes_put(bytes_put(p + LONGER, 0x80001234, 8), 0x55, 2);
    }
    struct samples *s = with_block(SAMPLES_TYPE, data, sizeof data, NULL);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    size_t count;
    const struct sample_record *r = samples_records(s, &count);
    assert_int_equal(count, 12);
    assert_int_equal(r[11].cycle, 8);
    assert_int_equal(r[11].sample.addr[0], 0x80001234);
    assert_int_equal(r[11].sample.psv[0], 0x55);
    samples_destroy(s);
}

// Numbers with which sums would wrap are damage, whatever their checksum; the rest of the file stays good.
static void test_forged_numbers(void **state) {
    (void)state;
    uint8_t sample[2 + 46] = {46};
    bytes_put(sample + 2 + 8, UINT64_MAX / 2, 8); // cycles: times U = 12 beyond 64 bits
    struct samples *s = with_block(SAMPLES_TYPE, sample, sizeof sample, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    expect(s, 10);
    samples_destroy(s);
    bytes_put(sample + 2 + 8, 5, 8);
    bytes_put(sample + 2 + 16, 6, 8); // more stalled cycles than cycles
    s = with_block(SAMPLES_TYPE, sample, sizeof sample, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    samples_destroy(s);

    uint8_t profile[1 + 3 + 10 + 2 * 19] = "\3NCI", *p = profile + 4 + 2;
    p = bytes_put(p, 2, 8);
    for (int i = 0; i < 2; i++)
        p = bytes_put(bytes_put(bytes_put(p, (unsigned)i, 8), UINT64_MAX / 2 + 1, 8), 0, 3);
    s = with_block(PROFILE_TYPE, profile, sizeof profile, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    assert_null(samples_find_profile(s, "NCI"));
    samples_destroy(s);
}

// The oldest lane is one of the core's, as all that read it take it to be.
static void test_forged_oldest(void **state) {
    (void)state;
    static const uint8_t lanes[] = {3, 4, 32, 255}; // of a core of four
    uint8_t sample[2 + 46 + 10] = {46};
    sample[2 + 41] = 1; // lane 0 is valid
    for (size_t i = 0; i < sizeof lanes; i++) {
        sample[2 + 42] = lanes[i];
        struct samples *s = with_block(SAMPLES_TYPE, sample, sizeof sample, NULL);
        assert_int_equal(samples_state(s), i ? SAMPLES_CORRUPT : SAMPLES_COMPLETE);
        samples_destroy(s);
    }
}

// Data that a sample waits for have a physical address, or there are none; shorter records say nothing of them.
static void test_forged_data(void **state) {
    (void)state;
    static const struct {
        unsigned of;
        uint64_t address;
        bool good;
    } data[] = {{SAMPLES_DATA_NONE, 0, true},
                {SAMPLES_DATA_DRAIN, (UINT64_C(1) << 56) - 1, true},
                {SAMPLES_DATA_DRAIN, UINT64_C(1) << 56, false},
                {SAMPLES_DATA_KINDS, 0x80000000, false},
                {SAMPLES_DATA_NONE, 0x80000000, false},
                {SAMPLES_DATA_ACCESS, 0, false}};
    uint8_t sample[2 + 55] = {55};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        bytes_put(bytes_put(sample + 2 + 46, data[i].of, 1), data[i].address, 8);
        struct samples *s = with_block(SAMPLES_TYPE, sample, sizeof sample, NULL);
        size_t count;
        const struct sample_record *r = samples_records(s, &count);
        assert_int_equal(samples_state(s), data[i].good ? SAMPLES_COMPLETE : SAMPLES_CORRUPT);
        assert_int_equal(count, data[i].good ? 11 : 10);
        if (data[i].good) assert_int_equal(r[10].data, data[i].address);
        if (data[i].good) assert_int_equal(r[10].data_of, data[i].of);
        samples_destroy(s);
    }
}

// A profile that lacks rows is none at all: time would be missing without a word.
static void test_partial_profile(void **state) {
    (void)state;
    uint8_t profile[1 + 3 + 10 + 27] = "\3NCI";
    bytes_put(profile + 6, 2, 8); // two rows; one is here
    struct samples *s = with_block(PROFILE_TYPE, profile, sizeof profile, NULL);
    assert_null(samples_find_profile(s, "NCI"));
    samples_destroy(s);
    bytes_put(profile + 6, 1, 8);
    s = with_block(PROFILE_TYPE, profile, sizeof profile, NULL);
    assert_int_equal(samples_find_profile(s, "NCI")->count, 1);
    samples_destroy(s);
}

// Rows of before, without contexts: 19 bytes each.
static void test_profile_without_contexts(void **state) {
    (void)state;
    uint8_t profile[1 + 3 + 10 + 2 * 19] = "\3NCI";
    bytes_put(profile + 6, 2, 8);
    bytes_put(profile + 14, 0x1000, 8);
    bytes_put(profile + 14 + 8, 5, 8);
    bytes_put(profile + 14 + 19, 0x2000, 8);
    bytes_put(profile + 14 + 27, 7, 8);
    struct samples *s = with_block(UINT32_C(20) | UINT32_C(1) << 31, profile, sizeof profile, NULL);
    const struct samples_profile *nci = samples_find_profile(s, "NCI");
    assert_int_equal(nci->count, 2);
    assert_int_equal(nci->rows[1].pc, 0x2000);
    assert_int_equal(nci->rows[1].weight, 7);
    assert_int_equal(nci->rows[1].context, 0);
    samples_destroy(s);
}

// A name that is none; more names than a run has profilers: each block looks for its own among them.
static void test_profile_names(void **state) {
    (void)state;
    static const uint8_t *const names[] = {(const uint8_t *)"a\0b", (const uint8_t *)"a\nb", (const uint8_t *)"a\x1b["};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint8_t profile[1 + 3 + 10] = {3};
        memcpy(profile + 1, names[i], 3);
        struct samples *s = with_block(PROFILE_TYPE, profile, sizeof profile, NULL);
        assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
        samples_destroy(s);
    }
    struct error err = {""};
    struct samples_writer *w = create();
    assert_int_equal(samples_close(w, NULL), 0);
    struct container_reader *r = container_open(path, "samples", 1, 99, &err);
    const uint8_t *data;
    uint32_t type;
    size_t bytes;
    assert_int_equal(container_next(r, &type, &data, &bytes, &err), CONTAINER_BLOCK);
    char header[8192];
    snprintf(header, sizeof header, "%.*s", (int)bytes, (const char *)data);
    uint32_t version = container_version(r);
    container_destroy(r);
    struct container_writer *c = container_create(path, "samples", version, header, &err);
    assert_non_null(c);
    for (unsigned i = 0; i < 300; i++) {
        char profile[1 + 3 + 10 + 1] = {3};
        snprintf(profile + 1, 4, "%03u", i);
        profile[4] = 0;
        assert_int_equal(container_write(c, PROFILE_TYPE, profile, 1 + 3 + 10, &err), 0);
    }
    assert_int_equal(container_close(c, &err), 0);
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    assert_non_null(samples_find_profile(s, "255"));
    assert_null(samples_find_profile(s, "256"));
    samples_destroy(s);
}

// ---- call stacks ----
static struct stack_node node(uint32_t number) {
    return (struct stack_node){number % 7 == 2 ? 0 : number - 1 - (number - 3) % 2, number % STACK_KINDS,
                               (uint64_t)number << 33, UINT64_MAX - number, number % 5};
}

// More than a block of them, with samples between.
static void test_stacks(void **state) {
    (void)state;
    enum { MANY = 10000 };
    uint32_t count;
    struct samples_writer *w = create();
    for (uint32_t i = 2; i < MANY; i++) {
        const struct stack_node n = node(i);
        assert_int_equal(samples_add_stack(w, &n, NULL), 0);
        if (i % 1000 == 0) add_one(w, i / 1000 - 1);
        if (i % 3000 == 0) assert_int_equal(samples_flush(w, NULL), 0);
    }
    assert_int_equal(samples_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    expect(s, 9);
    const struct stack_node *nodes = samples_stacks(s, &count);
    assert_int_equal(count, MANY);
    for (uint32_t i = 2; i < MANY; i++) {
        const struct stack_node n = node(i);
        assert_int_equal(nodes[i].parent, n.parent);
        assert_int_equal(nodes[i].kind, n.kind);
        assert_int_equal(nodes[i].site, n.site);
        assert_int_equal(nodes[i].entry, n.entry);
        assert_int_equal(nodes[i].context, n.context);
    }
    samples_destroy(s);
    w = create();
    assert_int_equal(samples_close(w, NULL), 0);
    s = samples_open(path, NULL);
    samples_stacks(s, &count);
    assert_int_equal(count, 0); // the run kept none
    samples_destroy(s);
}

// A parent that is not older than its child, a kind that is none, a number twice: damage. One that is left out is a
// root that nothing is known of.
static void test_forged_stacks(void **state) {
    (void)state;
    enum { STACKS_BLOCK_TYPE = 24, BYTES = 29 };
    const uint32_t type = STACKS_BLOCK_TYPE | UINT32_C(1) << 31;
    static const struct {
        uint32_t first, parent;
        uint8_t kind;
        bool good;
    } cases[] = {{2, 0, 1, true},        {2, 2, 1, false},           {2, 7, 1, false},
                 {2, 1, 1, false},       {2, 0, STACK_KINDS, false}, {0, 0, 1, false},
                 {5, 4, 1, true},        {UINT32_MAX, 0, 1, false},  {1, 0, 1, false},
                 {2 + 4096, 0, 1, true}, {2 + 4097, 0, 1, false},    {1 << 24, 0, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t data[4 + BYTES] = {0};
        uint32_t count;
        uint8_t *p = bytes_put(bytes_put(data, cases[i].first, 4), cases[i].parent, 4);
        bytes_put(p, cases[i].kind, 1);
        struct samples *s = with_block(type, data, sizeof data, NULL);
        assert_int_equal(samples_state(s), cases[i].good ? SAMPLES_COMPLETE : SAMPLES_CORRUPT);
        const struct stack_node *nodes = samples_stacks(s, &count);
        if (cases[i].good) assert_int_equal(count, cases[i].first + 1);
        for (uint32_t k = 2; k < count && k < cases[i].first; k++)
            assert_int_equal(nodes[k].parent | nodes[k].kind, 0);
        expect(s, 10);
        samples_destroy(s);
    }
    struct samples *s = with_block(type, (const uint8_t *)"1234567", 7, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    samples_destroy(s);
}

// A hole is as large as the blocks that do not read: 29 bytes of each stack, as the block's head says.
static void test_lost_stacks(void **state) {
    (void)state;
    enum { BYTES = 29, LOST = 100 };
    const uint32_t type = UINT32_C(24) | UINT32_C(1) << 31;
    for (uint32_t extra = 0; extra < 2; extra++) {
        struct error err = {""};
        struct samples_header h = header();
        uint8_t stack[4 + BYTES] = {0}, lost[LOST * BYTES + 4] = {0};
        uint32_t count;
        struct samples_writer *w = samples_create(path, &h, &err);
        assert_non_null(w);
        assert_int_equal(samples_close(w, NULL), 0);
        assert_int_equal(truncate(path, file_size() - 20), 0);
        bytes_put(lost, UINT32_MAX, 4); // so that it does not parse
        bytes_put(stack, 2 + 4096 + LOST + extra, 4);
        append(type, lost, sizeof lost);
        append(type, stack, sizeof stack);
        append(CONTAINER_END, NULL, 0);
        struct samples *s = samples_open(path, NULL);
        assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
        samples_stacks(s, &count);
        assert_int_equal(count, extra ? 0 : 2 + 4096 + LOST + 1);
        samples_destroy(s);
    }
}

// Many holes that are small are as large as one: blocks of a stack each, each with as large a hole before it.
static void test_many_holes(void **state) {
    (void)state;
    enum { BYTES = 29, HOLES = 32 };
    const uint32_t type = UINT32_C(24) | UINT32_C(1) << 31;
    for (uint32_t extra = 0; extra < 2; extra++) {
        const uint32_t step = 4096 / HOLES + 1 + extra;
        struct error err = {""};
        struct samples_header h = header();
        uint32_t count;
        struct samples_writer *w = samples_create(path, &h, &err);
        assert_non_null(w);
        assert_int_equal(samples_close(w, NULL), 0);
        assert_int_equal(truncate(path, file_size() - 20), 0);
        for (uint32_t i = 1; i <= HOLES; i++) {
            uint8_t stack[4 + BYTES] = {0};
            bytes_put(stack, 1 + i * step, 4);
            append(type, stack, sizeof stack);
        }
        append(CONTAINER_END, NULL, 0);
        struct samples *s = samples_open(path, NULL);
        assert_int_equal(samples_state(s), extra ? SAMPLES_CORRUPT : SAMPLES_COMPLETE);
        samples_stacks(s, &count);
        assert_int_equal(count, 2 + (HOLES - extra) * step);
        samples_destroy(s);
    }
}

// ---- what a file costs ----
// A header and `blocks` blocks of a megabyte; the first `noise` bytes do not pack.
static struct samples *packed(unsigned blocks, size_t noise) {
    enum { MEGABYTE = 1 << 20, UNKNOWN = 1000 };
    struct error err = {""};
    const uint8_t *data;
    size_t bytes;
    uint32_t type;
    assert_int_equal(samples_close(create(), NULL), 0);
    struct container_reader *r = container_open(path, "samples", 1, 99, &err);
    assert_int_equal(container_next(r, &type, &data, &bytes, &err), CONTAINER_BLOCK);
    char *head = strndup((const char *)data, bytes);
    container_destroy(r);
    struct container_writer *w = container_create(path, "samples", 2, head, &err);
    free(head);
    uint8_t *block = calloc(1, MEGABYTE);
    uint32_t random = 1;
    for (size_t i = 0; i < noise; i++)
        block[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
    for (unsigned i = 0; i < blocks; i++)
        assert_int_equal(container_write(w, UNKNOWN, block, MEGABYTE, &err), 0);
    free(block);
    assert_int_equal(container_close(w, &err), 0);
    return samples_open(path, &err);
}

// Reading costs what the file's size allows, not what its blocks claim: 128 to 1 is read, thousands to 1 are not.
static void test_unpacked(void **state) {
    (void)state;
    static const struct {
        unsigned blocks;
        size_t noise;
        enum samples_state state;
    } cases[] = {{64, 8192, SAMPLES_COMPLETE}, {12, 0, SAMPLES_COMPLETE}, {64, 0, SAMPLES_CORRUPT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct samples *s = packed(cases[i].blocks, cases[i].noise);
        assert_int_equal(samples_state(s), cases[i].state);
        assert_int_equal(cases[i].state == SAMPLES_CORRUPT, strstr(samples_fault(s), "unpacks to") != NULL);
        samples_destroy(s);
    }
}

// One bad block takes its own samples and no more.
static void test_bad_block(void **state) {
    (void)state;
    struct samples_writer *w = create();
    long at[3];
    for (int i = 0; i < 3; i++) {
        for (uint64_t n = 0; n < 10; n++)
            add_one(w, (uint64_t)(10 * i) + n);
        assert_int_equal(samples_flush(w, NULL), 0);
        at[i] = file_size();
    }
    assert_int_equal(samples_close(w, NULL), 0);
    flip(at[1] - 5);
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    assert_non_null(strstr(samples_fault(s), "bad block at offset"));
    size_t count;
    const struct sample_record *r = samples_records(s, &count);
    assert_int_equal(count, 20);
    assert_int_equal(r[9].cycle, 900);
    assert_int_equal(r[10].cycle, 2000);
    samples_destroy(s);
}

static bool sum_cycles(void *context, const struct samples_header *h, const struct sample_record *r) {
    assert_int_equal(h->units, 12);
    *(uint64_t *)context += r->cycle;
    return true;
}

// Records that somebody takes are not kept.
static void test_given_away(void **state) {
    (void)state;
    write_complete(3 * SAMPLES_BLOCK);
    uint64_t sum = 0, n = 3 * SAMPLES_BLOCK;
    struct samples *s = samples_read(path, sum_cycles, &sum, NULL);
    assert_int_equal(sum, 100 * n * (n - 1) / 2);
    assert_int_equal(samples_count(s), n);
    size_t kept;
    samples_records(s, &kept);
    assert_int_equal(kept, 0);
    samples_destroy(s);
}

// A file of version 1, written by a tipoff that knew no other: 27 samples of a loop on small2, at period 32.
static void test_version_1(void **state) {
    (void)state;
    struct error err = {""};
    struct samples *s = samples_open(TIPOFF_ROOT "/tests/unit/samples/version1.tips", &err);
    assert_non_null(s);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    assert_string_equal(samples_header(s)->program, "loop.elf");
    assert_string_equal(samples_header(s)->real_path, "");
    assert_string_equal(samples_header(s)->tables, "");
    assert_string_equal(samples_header(s)->digest, "");
    assert_int_equal(samples_header(s)->sampling.period, 32);
    size_t count;
    const struct sample_record *r = samples_records(s, &count);
    assert_int_equal(count, 27);
    assert_int_equal(r[26].cycle - r[25].cycle, 32);
    assert_int_equal(r[26].cycles, 32);
    assert_int_equal(samples_periods(&r[26]), 1);
    assert_int_equal(r[26].sample.addr[r[26].sample.oldest] >> 16, 0x8000);
    const struct samples_profile *oracle = samples_find_profile(s, "Oracle");
    uint64_t total = 0;
    for (size_t i = 0; i < oracle->count; i++)
        total += oracle->rows[i].weight;
    assert_int_equal(total, 893 * 2); // cycles times U
    assert_int_equal(oracle->events, 0x1ff);
    assert_int_equal(samples_find_profile(s, "SPE")->events, 0x1d8);
    assert_int_equal(samples_find_profile(s, "NCI")->events, 0);
    assert_null(results_lost_triggers(samples_results(s)));
    samples_destroy(s);
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
        cmocka_unit_test_setup_teardown(test_unknown_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_longer_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_oldest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_partial_profile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_profile_without_contexts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_profile_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lost_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_holes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unpacked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_given_away, set_up, tear_down),
        cmocka_unit_test(test_version_1),
        cmocka_unit_test(test_crc32c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
