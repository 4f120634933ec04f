// Who has a line and a translation, by hand-known sequences: replacement, write-backs, rows, prefetching; walks, the
// second level, fences.
#include "memory_map.h"
#include "methods/gus/caches.h"
#include "methods/gus/translation.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t base = DRAM_BASE / 64; // line

static void add(struct gus_table *t, const char *name, const char *value) {
    struct error err = {""};
    if (!gus_table_add(t, "size", name, value, "-", &err)) fail_msg("%s", err.text);
}

static struct gus_caches *caches(const char *prefetch, const char *l2_kib) {
    static const char *const sizes[][2] = {{"l1d.sets", "1"},          {"l1d.ways", "4"},   {"l1i.sets", "1"},
                                           {"l1i.ways", "2"},          {"llc.kib", "64"},   {"llc.ways", "4"},
                                           {"dram.row_bytes", "1024"}, {"dram.banks", "2"}, {"l2.ways", "2"}};
    struct gus_table t = {0};
    struct error err = {""};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        add(&t, sizes[i][0], sizes[i][1]);
    add(&t, "l1d.prefetch", prefetch);
    add(&t, "l2.kib", l2_kib);
    struct gus_caches *c = gus_caches_create(&t, NULL, &err);
    assert_non_null(c);
    return c;
}

static struct gus_event data(struct gus_caches *c, uint64_t line, bool store) {
    struct gus_event e = {0};
    gus_caches_data(c, base + line, store, false, false, &e);
    return e;
}

static void not_recently_used(void **state) {
    (void)state;
    enum { A, B, C, D, E, F, G };
    struct gus_caches *c = caches("0", "0");
    for (uint64_t line = A; line <= D; line++) // ways 0 to 3; with D all are used: D's bit alone stays
        assert_int_not_equal(data(c, line, false).level, GUS_L1);
    assert_int_equal(data(c, A, false).level, GUS_L1);      // used: A, D
    assert_int_equal(data(c, E, false).level, GUS_ROW_HIT); // instead of B
    assert_int_equal(data(c, F, false).level, GUS_ROW_HIT); // instead of C; F's bit alone stays
    assert_int_equal(data(c, G, false).level, GUS_ROW_HIT); // instead of A, which is younger than D
    assert_int_equal(data(c, D, false).level, GUS_L1);
    assert_int_equal(data(c, A, false).level, GUS_LLC);
    gus_caches_destroy(c);
}

static void written_back(void **state) {
    (void)state;
    struct gus_caches *c = caches("0", "0");
    data(c, 0, true);
    for (uint64_t line = 1; line < 4; line++)
        assert_int_equal(data(c, line, false).written, 0);
    assert_int_equal(data(c, 4, false).written, 1); // line 0 is dirty
    assert_int_equal(data(c, 5, false).written, 0);
    data(c, 5, true);
    struct gus_event e = {0};
    assert_int_equal(gus_caches_clean(c, &e), 1); // one set, one dirty line
    assert_int_equal(e.written, 1);
    data(c, 5, true), data(c, 4, true);
    e = (struct gus_event){0};
    assert_int_equal(gus_caches_clean(c, &e), 2);
    assert_int_equal(gus_caches_clean(c, &e), 1);
    assert_int_equal(e.sunk, 0); // the last-level cache has room for them
    gus_caches_destroy(c);
}

static void rows(void **state) { // 16 lines a row, two banks: pages 0 and 3 are in bank 0, 1 and 2 in bank 1
    (void)state;
    struct gus_caches *c = caches("0", "0");
    const uint64_t page = 16, first = (base + 63) / 64 * 64 - base;
    assert_int_equal(data(c, first, false).level, GUS_ROW_MISS);
    assert_int_equal(data(c, first + 1, false).level, GUS_ROW_HIT);
    assert_int_equal(data(c, first + page, false).level, GUS_ROW_MISS);
    assert_int_equal(data(c, first + 2, false).level, GUS_ROW_HIT); // another bank
    assert_int_equal(data(c, first + 3 * page, false).level, GUS_ROW_MISS);
    assert_int_equal(data(c, first + 3, false).level, GUS_ROW_MISS); // closed by that
    gus_caches_destroy(c);
}

static void next_line(void **state) {
    (void)state;
    struct gus_caches *c = caches("1", "0");
    struct gus_event e = data(c, 8, false);
    assert_int_equal(e.next_line, base + 9);
    assert_int_equal(data(c, 9, false).level, GUS_L1);
    e = data(c, 63, false);
    assert_int_equal(e.next_line, 0); // the page ends
    e = (struct gus_event){0};
    gus_caches_data(c, base + 9, false, false, true, &e); // on its way still: one line further
    assert_int_equal(e.next_line, base + 10);
    e = (struct gus_event){0};
    gus_caches_fetch(c, base + 100, &e);
    assert_int_equal(e.fetch_next_line, base + 101);
    e = (struct gus_event){0};
    gus_caches_fetch(c, base + 101, &e); // first use of what was prefetched
    assert_int_equal(e.fetch_level, GUS_L1);
    assert_int_equal(e.fetch_next_line, base + 102);
    gus_caches_destroy(c);
}

static void second_level(void **state) {
    (void)state;
    struct gus_caches *c = caches("0", "1"); // eight sets of two lines
    for (uint64_t line = 0; line < 5; line++)
        data(c, line, false);
    assert_int_equal(data(c, 0, false).level, GUS_L2);
    data(c, 8, false), data(c, 16, false); // line 0's set
    for (uint64_t line = 1; line < 8; line++)
        data(c, line, false);
    assert_int_equal(data(c, 8, false).level, GUS_L2);
    assert_int_equal(data(c, 0, false).level, GUS_LLC);
    struct gus_event e = {0};
    gus_caches_fetch(c, BOOTROM_BASE / 64, &e); // no memory after it
    assert_int_equal(e.fetch_level, GUS_L2);
    gus_caches_destroy(c);
}

// ---- translation ----
enum { PAGE = 4096, V = 1, R = 2, W = 4, X = 8, A = 64, D = 128 };
static const uint64_t root = DRAM_BASE + 0x10000, middle = DRAM_BASE + 0x11000, leaves = DRAM_BASE + 0x12000;

static void entry(struct iss *iss, uint64_t table, unsigned index, uint64_t to, uint64_t bits) {
    uint64_t pte = to >> 12 << 10 | bits | V;
    assert_true(iss_write(iss, table + 8 * index, &pte, sizeof pte));
}

struct world {
    struct iss *iss;
    struct gus_caches *caches;
    struct gus_translation *translation;
};

static struct world world(void) {
    static const char *const sizes[][2] = {{"itlb_entries", "2"}, {"dtlb_entries", "2"}, {"l2_tlb_entries", "8"}};
    struct world w = {.caches = caches("0", "0")};
    struct gus_table t = {0};
    struct error err = {""};
    for (size_t i = 0; i < 3; i++)
        add(&t, sizes[i][0], sizes[i][1]);
    w.iss = iss_create(&err);
    w.translation = gus_translation_create(&t, &err);
    assert_true(w.iss && w.translation);
    entry(w.iss, root, 0, middle, 0);
    entry(w.iss, root, 1, DRAM_BASE, R | W | X | A | D); // a page of 1 GiB
    entry(w.iss, middle, 0, leaves, 0);
    for (unsigned i = 0; i < 16; i++)
        entry(w.iss, leaves, i, DRAM_BASE + PAGE * (100 + i), R | W | X | A | D);
    gus_translation_space(w.translation, UINT64_C(8) << 60 | UINT64_C(1) << 44 | root >> 12);
    return w;
}

static void end(struct world *w) {
    gus_translation_destroy(w->translation);
    gus_caches_destroy(w->caches);
    iss_destroy(w->iss);
}

static struct gus_event see(struct world *w, uint64_t address) {
    struct gus_event e = {0};
    gus_translation_see(w->translation, w->iss, w->caches, false, address, &e);
    return e;
}

static unsigned reads(const struct gus_event *e) {
    unsigned n = 0;
    while (n < GUS_WALK && e->walk[n] && e->walk[n] != GUS_SECOND_TLB)
        n++;
    return n;
}

static void walks(void **state) {
    (void)state;
    struct world w = world();
    struct gus_event e = see(&w, 8);
    assert_int_equal(reads(&e), 3); // three tables, none of them cached
    assert_true(e.walk[0] > GUS_L1 + 1 && e.walk[1] > GUS_L1 + 1 && e.walk[2] > GUS_L1 + 1);
    assert_int_equal(see(&w, 16).walk[0], 0);
    e = see(&w, PAGE);
    assert_int_equal(reads(&e), 3);
    assert_int_equal(e.walk[2], GUS_L1 + 1); // its entry is beside that of page 0
    e = see(&w, UINT64_C(1) << 30);
    assert_int_equal(reads(&e), 1); // the leaf is in the root; two entries: page 0 or 1 had to go
    assert_int_equal(see(&w, (UINT64_C(1) << 30) + 64 * PAGE).walk[0], 0); // the same page
    assert_int_equal(see(&w, 0).walk[0], GUS_SECOND_TLB);
    uint64_t physical = 0;
    assert_true(gus_translation_address(w.translation, w.iss, 3 * PAGE + 5, &physical));
    assert_int_equal(physical, DRAM_BASE + PAGE * 103 + 5);
    assert_true(gus_translation_address(w.translation, w.iss, (UINT64_C(1) << 30) + 77, &physical));
    assert_int_equal(physical, DRAM_BASE + 77);
    assert_false(gus_translation_address(w.translation, w.iss, UINT64_C(2) << 30, &physical)); // no such entry
    end(&w);
}

static void fences(void **state) {
    (void)state;
    struct world w = world();
    see(&w, 0), see(&w, PAGE);
    gus_translation_flush(w.translation, true, PAGE, false, 0);
    assert_int_equal(see(&w, 0).walk[0], 0);
    struct gus_event e = see(&w, PAGE);
    assert_int_equal(reads(&e), 3); // from both levels
    gus_translation_flush(w.translation, false, 0, true, 2);
    assert_int_equal(see(&w, PAGE).walk[0], 0); // another space
    gus_translation_flush(w.translation, false, 0, true, 1);
    e = see(&w, PAGE);
    assert_int_equal(reads(&e), 3);
    see(&w, 0);
    gus_translation_flush(w.translation, false, 0, false, 0);
    e = see(&w, 0);
    assert_int_equal(reads(&e), 3);
    gus_translation_space(w.translation, UINT64_C(8) << 60 | UINT64_C(2) << 44 | root >> 12);
    e = see(&w, 0); // the other space has no entry yet
    assert_int_equal(reads(&e), 3);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_recently_used),
        cmocka_unit_test(written_back),
        cmocka_unit_test(rows),
        cmocka_unit_test(next_line),
        cmocka_unit_test(second_level),
        cmocka_unit_test(walks),
        cmocka_unit_test(fences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
