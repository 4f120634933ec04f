// Files of regions: what is written is read again, and what cannot be is refused, whatever the file says.
#include "methods/regions/regions_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_MOST = 1 << 14 };
static const char path[] = "/tmp/tipoff-test-regions.XXXXXX";

// Two slices of one cluster, one of another that has markers.
static void fill(struct regions_file *f) {
    *f = (struct regions_file){.program = strdup("p\"\\\xc3\xa9.elf"),
                               .digest = strdup("0123456789abcdef"),
                               .method = strdup("looppoint"),
                               .input = strdup("in.txt"),
                               .harts = 4,
                               .quantum = 256,
                               .interval = 100,
                               .steps = 331,
                               .instructions = 325,
                               .counted = 310};
    f->arguments = calloc(3, sizeof(char *));
    f->arguments[0] = strdup("-n");
    f->arguments[1] = strdup("");
    const struct regions_slices slices[] = {{0, 101, 100, 100, 0}, {101, 110, 110, 100, 1}, {211, 120, 115, 110, 0}};
    f->slices = malloc(sizeof slices);
    memcpy(f->slices, slices, sizeof slices);
    f->slice_count = 3;
    f->regions = calloc(2, sizeof *f->regions);
    f->region_count = 2;
    f->regions[0] = (struct regions_region){.slice = 2,
                                            .cluster = 0,
                                            .start = {0xffffffff80001234, 7},
                                            .begin = 211,
                                            .steps = 120,
                                            .instructions = 115,
                                            .counted = 110,
                                            .multiplier = 210. / 110};
    f->regions[1] = (struct regions_region){.slice = 1,
                                            .cluster = 1,
                                            .start = {0x80001000, 1},
                                            .end = {0xffffffff80001234, 7},
                                            .begin = 101,
                                            .steps = 110,
                                            .instructions = 110,
                                            .counted = 100,
                                            .multiplier = 1,
                                            .checkpoint = strdup("a.1.ckpt"),
                                            .warmup = 101};
}

static char *text_of(const struct regions_file *f) {
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    assert_true(regions_file_write(f, out, NULL));
    fclose(out);
    return text;
}

static int read_text(struct regions_file *f, const char *text, size_t bytes, struct error *err) {
    char name[sizeof path];
    memcpy(name, path, sizeof path);
    const int fd = mkstemp(name);
    assert_true(fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes);
    close(fd);
    *f = (struct regions_file){.regions = NULL};
    err->text[0] = '\0';
    const int rc = regions_file_read(f, name, err);
    unlink(name);
    return rc;
}

static void test_round_trip(void **unused) {
    (void)unused;
    struct regions_file f, again;
    struct error err;
    fill(&f);
    char *const text = text_of(&f);
    assert_int_equal(read_text(&again, text, strlen(text), &err), 0);
    assert_string_equal(again.program, f.program);
    assert_string_equal(again.digest, f.digest);
    assert_string_equal(again.method, f.method);
    assert_string_equal(again.input, f.input);
    assert_string_equal(again.arguments[0], "-n");
    assert_string_equal(again.arguments[1], "");
    assert_null(again.arguments[2]);
    assert_null(again.restore);
    assert_true(again.harts == 4 && again.quantum == 256 && again.interval == 100);
    assert_true(again.steps == 331 && again.instructions == 325 && again.counted == 310);
    assert_int_equal(again.slice_count, 3);
    assert_memory_equal(again.slices, f.slices, 3 * sizeof *f.slices);
    assert_int_equal(again.region_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct regions_region *a = &again.regions[i], *b = &f.regions[i];
        assert_memory_equal(&a->start, &b->start, sizeof a->start);
        assert_memory_equal(&a->end, &b->end, sizeof a->end);
        assert_true(a->slice == b->slice && a->cluster == b->cluster && a->begin == b->begin && a->steps == b->steps);
        assert_true(a->instructions == b->instructions && a->counted == b->counted && a->warmup == b->warmup);
        assert_true(a->multiplier == b->multiplier); // to the last bit
    }
    assert_null(again.regions[0].checkpoint);
    assert_string_equal(again.regions[1].checkpoint, "a.1.ckpt");
    regions_file_free(&again);
    regions_file_free(&f);
    free(text);
}

// A file with one place changed.
static void refuse(const char *text, const char *old, const char *new, const char *why) {
    char changed[TEXT_MOST];
    struct regions_file f;
    struct error err;
    const char *const at = strstr(text, old);
    if (!at) fail_msg("no '%s' in the file", old);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    if (read_text(&f, changed, strlen(changed), &err) == 0) fail_msg("'%s' in place of '%s' is taken", new, old);
    if (!strstr(err.text, why) || !strstr(err.text, "tipoff regions find"))
        fail_msg("'%s' in place of '%s': %s", new, old, err.text);
    assert_null(strchr(err.text, '\n'));
    regions_file_free(&f);
}

static void test_hostile(void **unused) {
    (void)unused;
    struct regions_file f;
    fill(&f);
    char *const text = text_of(&f);
    refuse(text, "tipoff regions", "other", "no file of regions");
    refuse(text, "\"version\":\t1", "\"version\":\t2", "version");
    refuse(text, "\"harts\":\t4", "\"harts\":\t0", "harts");
    refuse(text, "\"harts\":\t4", "\"harts\":\t17", "harts");
    refuse(text, "\"harts\":\t4", "\"harts\":\t\"4\"", "harts");
    refuse(text, "\"quantum\":\t256", "\"quantum\":\t-1", "quantum");
    refuse(text, "\"interval\":\t100", "\"interval\":\t1.5", "interval");
    refuse(text, "\"program\"", "\"x\"", "program");
    refuse(text, "in.txt", "in\\n.txt", "input");
    refuse(text, "\"-n\"", "7", "arguments");
    refuse(text, "0x80001000", "80001000", "marker");
    refuse(text, "0x80001000", "0x", "marker");
    refuse(text, "0x80001000", "0x80001000000000000", "marker");
    refuse(text, "0x80001000", "0x80001g", "marker");
    refuse(text, "\"count\":\t7", "\"count\":\t0", "marker");
    refuse(text, "\"multiplier\":\t1.9", "\"multiplier\":\t-1.9", "multiplier");
    refuse(text, "\"multiplier\":\t1.9", "\"multiplier\":\t1e999,\"x\":1.9", "multiplier");
    refuse(text, "\"warmup\":\t101", "\"warmup\":\t102", "warmup");
    refuse(text, "\"slice\":\t2", "\"slice\":\t3", "its slice");
    refuse(text, "\"slice\":\t2", "\"slice\":\t1e300", "slice");
    refuse(text, "\"cluster\":\t1", "\"cluster\":\t0", "its slice");
    refuse(text, "\"steps\":\t331", "\"steps\":\t332", "totals");
    refuse(text, "[101, 110, 110, 100, 1]", "[100, 110, 110, 100, 1]", "begins before");
    refuse(text, "[101, 110, 110, 100, 1]", "[101, 110, 110, 100]", "a slice is");
    refuse(text, "[101, 110, 110, 100, 1]", "[101, 110, 111, 100, 1]", "a slice has");
    refuse(text, "[101, 110, 110, 100, 1]", "[101, 0, 0, 0, 1]", "a slice has");
    refuse(text, "[101, 110, 110, 100, 1]", "7", "a slice is");
    refuse(text, "\"slices\"", "\"slces\"", "'slices'");
    regions_file_free(&f);
    free(text);
}

// The file's beginning, of any length, is no file.
static void test_truncated(void **unused) {
    (void)unused;
    struct regions_file f, part;
    struct error err;
    fill(&f);
    char *const text = text_of(&f);
    for (size_t bytes = 0; bytes + 2 < strlen(text); bytes++) { // without the last brace
        assert_true(read_text(&part, text, bytes, &err) < 0);
        assert_true(err.text[0] != '\0');
        regions_file_free(&part);
    }
    regions_file_free(&f);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_truncated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
