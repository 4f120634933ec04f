// The record of last accesses: the list of it against all accesses; replayed, it leaves sets of LRU caches as all of
// them do; in a checkpoint and back; damaged files. TIPOFF_SEED=N makes other accesses.
#include "iss/checkpoint.h"
#include "iss/last_accesses.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MEMORY = 1 << 20, LINES = MEMORY / LAST_LINE, HARTS = 2, ACCESSES = 60000 };
static unsigned seed;

static unsigned below(unsigned n) {
    return (unsigned)rand_r(&seed) % n;
}

// Mostly among a few lines, else anywhere: caches keep some of them and lose others.
static struct last_access one(void) {
    const uint64_t line = below(4) ? below(300) : below(LINES);
    return (struct last_access){DRAM_BASE / LAST_LINE + line, (uint8_t)below(HARTS), (uint8_t)below(LAST_KINDS)};
}

static struct access_record *record(const struct last_access *all, size_t count) {
    struct error err;
    struct access_record *a = access_record_create(MEMORY, HARTS, &err);
    assert_non_null(a);
    for (size_t i = 0; i < count; i++)
        access_record_note(a, all[i].hart, all[i].kind, all[i].line * LAST_LINE + below(57), 8);
    return a;
}

static struct last_access *make_all(void) {
    struct last_access *all = malloc(ACCESSES * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < ACCESSES; i++)
        all[i] = one();
    return all;
}

// ---- a cache with LRU replacement, as a list of lines for each set, the latest first ----
struct lru {
    unsigned sets, ways;
    uint64_t lines[256][16];
};

static void lru_use(struct lru *c, uint64_t line) {
    uint64_t *set = c->lines[line % c->sets];
    unsigned at = 0;
    while (at < c->ways - 1 && set[at] != line)
        at++;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = line;
}

static void replay(struct lru *c, const struct last_access *all, size_t count, unsigned hart, bool fetches) {
    for (size_t i = 0; i < count; i++)
        if (all[i].hart == hart && (all[i].kind == LAST_FETCH) == fetches) lru_use(c, all[i].line);
}

static void test_sets_as_of_all(void **state) {
    (void)state;
    static const struct { unsigned sets, ways; } geometries[] = {{1, 1}, {16, 1}, {64, 2}, {64, 8}, {256, 16}, {1, 16}};
    struct last_access *all = make_all();
    struct access_record *a = record(all, ACCESSES);
    struct last_accesses list;
    struct error err;
    assert_true(access_record_list(a, &list, &err));
    for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
        for (unsigned i = 0; i < HARTS * 2; i++) {
            struct lru whole = {.sets = geometries[g].sets, .ways = geometries[g].ways}, last = whole;
            replay(&whole, all, ACCESSES, i / 2, i % 2);
            replay(&last, list.list, list.count, i / 2, i % 2);
            assert_memory_equal(whole.lines, last.lines, sizeof whole.lines);
        }
    }
    last_accesses_free(&list);
    access_record_destroy(a);
    free(all);
}

// Backwards through all: the first of its kind that is met is the last one; a read before a write counts for nothing.
static void test_list_is_of_last_ones(void **state) {
    (void)state;
    struct last_access *all = make_all();
    struct access_record *a = record(all, ACCESSES);
    struct last_accesses list;
    struct error err;
    assert_true(access_record_list(a, &list, &err));
    static bool seen[HARTS][LAST_KINDS][LINES];
    size_t at = list.count;
    for (size_t i = ACCESSES; i-- > 0;) {
        const struct last_access *x = &all[i];
        const uint64_t line = x->line - DRAM_BASE / LAST_LINE;
        bool *met = &seen[x->hart][x->kind][line];
        const bool counts = !*met && !(x->kind == LAST_READ && seen[x->hart][LAST_WRITE][line]);
        *met = true;
        if (!counts) continue;
        assert_true(at > 0);
        assert_int_equal(list.list[--at].line, x->line);
        assert_int_equal(list.list[at].kind, x->kind);
        assert_int_equal(list.list[at].hart, x->hart);
    }
    assert_int_equal(at, 0);
    last_accesses_free(&list);
    access_record_destroy(a);
    free(all);
}

// Across two lines it is an access to both; outside DRAM to none.
static void test_edges(void **state) {
    (void)state;
    struct error err;
    struct last_accesses list;
    struct access_record *a = access_record_create(MEMORY, 1, &err);
    access_record_note(a, 0, LAST_READ, DRAM_BASE + 60, 8);
    access_record_note(a, 0, LAST_WRITE, DRAM_BASE - 8, 8);
    access_record_note(a, 0, LAST_WRITE, DRAM_BASE + MEMORY, 8);
    access_record_note(a, 0, LAST_FETCH, DRAM_BASE + MEMORY - 4, 4);
    assert_true(access_record_list(a, &list, &err));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.list[0].line, DRAM_BASE / LAST_LINE);
    assert_int_equal(list.list[1].line, DRAM_BASE / LAST_LINE + 1);
    assert_int_equal(list.list[2].line, DRAM_BASE / LAST_LINE + LINES - 1);
    last_accesses_free(&list);
    access_record_destroy(a);
}

// ---- of a machine ----
// Loops that store and load, then many times a far one; by hand: lines and kinds in order of their last access.
static void test_of_a_machine(void **state) {
    (void)state;
    static const uint32_t code[] = {
        0x00001297, // auipc t0, 1: a page after this one
        0x0002b303, // ld t1, 0(t0)
        0x0062b023, // sd t1, 0(t0)
        0x0402b303, // ld t1, 64(t0)
        0x0062b823, // sd t1, 16(t0)
        0x0802b303, // ld t1, 128(t0)
        0x0080006f, // j over the next
        0x00000013, // nop
        0x0000006f, // j .
    };
    const uint64_t page = DRAM_BASE / LAST_LINE + 64;
    const struct last_access expected[] = {{page + 1, 0, LAST_READ},
                                           {page, 0, LAST_WRITE},
                                           {page + 2, 0, LAST_READ},
                                           {DRAM_BASE / LAST_LINE, 0, LAST_FETCH}};
    struct error err;
    struct last_accesses list;
    struct iss *iss = iss_create(&err);
    struct access_record *a = access_record_create(iss_memory_bytes(iss), 1, &err);
    assert_true(access_record_watch(a, iss, &err));
    assert_true(iss_write(iss, DRAM_BASE, code, sizeof code));
    hart_set_pc(iss_hart(iss, 0), DRAM_BASE);
    for (uint64_t done = 0, all = ACCESS_RECORD_NEAR + 5000; done < all;) // the first six are far
        done += access_record_run(a, iss, all - done < 4096 ? all - done : 4096, all - done);
    assert_true(access_record_list(a, &list, &err));
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.list[i].line, expected[i].line);
        assert_int_equal(list.list[i].kind, expected[i].kind);
    }
    last_accesses_free(&list);
    access_record_destroy(a);
    iss_destroy(iss);
}

// ---- in a file ----
static char path[] = "/tmp/test_accesses_XXXXXX";

static void write_file(const struct access_record *a) {
    struct error err;
    struct iss *iss = iss_create_harts(HARTS, &err);
    assert_non_null(iss);
    const struct checkpoint_origin origin = {.program = "program.elf", .accesses = a};
    assert_int_equal(checkpoint_write(iss, &origin, path, &err), 0);
    iss_destroy(iss);
}

static void test_in_a_checkpoint(void **state) {
    (void)state;
    struct last_access *all = make_all();
    struct access_record *a = record(all, ACCESSES);
    struct last_accesses list = {0}, back = {0};
    struct error err;
    write_file(a);
    assert_true(access_record_list(a, &list, &err) && checkpoint_accesses(path, &back, &err));
    assert_int_equal(list.count, back.count);
    assert_true(list.list && back.list);
    for (size_t i = 0; list.list && back.list && i < list.count; i++) {
        assert_int_equal(list.list[i].line, back.list[i].line);
        assert_int_equal(list.list[i].kind, back.list[i].kind);
        assert_int_equal(list.list[i].hart, back.list[i].hart);
    }
    struct iss *iss = iss_create_harts(HARTS, &err); // which restoring passes over
    assert_int_equal(checkpoint_read(iss, NULL, path, &err), 0);
    iss_destroy(iss);
    last_accesses_free(&list);
    last_accesses_free(&back);
    access_record_destroy(a);
    free(all);
}

static void test_damaged(void **state) {
    (void)state;
    struct last_access *all = make_all();
    struct access_record *a = record(all, ACCESSES);
    struct last_accesses list;
    struct error err;
    write_file(NULL);
    assert_false(checkpoint_accesses(path, &list, &err));
    assert_non_null(strstr(err.text, "holds no record of accesses"));
    write_file(a);
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    FILE *file = fopen(path, "r+b");
    assert_true(file && fseek(file, (long)there.st_size - 200, SEEK_SET) == 0);
    const int byte = fgetc(file);
    assert_true(fseek(file, (long)there.st_size - 200, SEEK_SET) == 0 && fputc(byte ^ 1, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_false(checkpoint_accesses(path, &list, &err));
    assert_non_null(strstr(err.text, path));
    assert_null(strchr(err.text, '\n'));
    assert_int_equal(truncate(path, (off_t)there.st_size - 100), 0);
    assert_false(checkpoint_accesses(path, &list, &err));
    assert_non_null(strstr(err.text, path));
    access_record_destroy(a);
    free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_as_of_all),  cmocka_unit_test(test_list_is_of_last_ones),
        cmocka_unit_test(test_edges),           cmocka_unit_test(test_of_a_machine),
        cmocka_unit_test(test_in_a_checkpoint), cmocka_unit_test(test_damaged)};
    const char *text = getenv("TIPOFF_SEED");
    seed = text ? (unsigned)strtoul(text, NULL, 0) : 1;
    printf("seed %u: TIPOFF_SEED=%u runs it again\n", seed, seed);
    const int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
