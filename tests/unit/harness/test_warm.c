// Caches filled by last accesses: levels and L1 caches as a replay of all accesses leaves them, refused once a request
// has come; and what a model's L1 data cache then holds is what it was given.
#include "base/elf.h"
#include "harness/model_load.h"
#include "harness/warm.h"
#include "memory_map.h"
#include "trace/dpi.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LINE(n) (DRAM_BASE / 64 + (uint64_t)(n))
// L1: 16 sets of 2 ways; LLC: 64 KiB of 4 ways, 256 sets.
static const struct machine_config config = {.name = "hand",
                                             .width = 2,
                                             .clock_mhz = 2000,
                                             .l1i = {16, 2},
                                             .l1d = {16, 2},
                                             .llc = {.kib = 64, .ways = 4, .mshrs = 2, .latency = 10},
                                             .dram = {.mhz = 1000,
                                                      .mb_per_s = 16000,
                                                      .ranks = 1,
                                                      .banks = 8,
                                                      .row_bytes = 8192,
                                                      .tcas = 14,
                                                      .trcd = 10,
                                                      .trp = 12,
                                                      .age_limit = 1000,
                                                      .write_queue = 8,
                                                      .latency = 6}};
static struct error err;

static struct warm *filled(struct memory *m, bool l1, const struct last_access *all, size_t count) {
    struct warm *w = warm_create(&config, 1, l1, &err);
    assert_non_null(w);
    const struct last_accesses list = {(struct last_access *)all, count};
    assert_true(warm_replay(w, &list, m, &err));
    return w;
}

// The cycle in which a read of the line is answered, and whether by the LLC.
static bool reads_from_llc(struct memory *m, uint64_t line) {
    const struct memory_response *r = NULL;
    memory_read(m, 1, 0, line * 64);
    for (int i = 0; i < 1000 && !r; i++) {
        memory_tick(m);
        r = memory_response(m, 1);
    }
    assert_non_null(r);
    return !r->llc_miss;
}

// Five lines of one LLC set, whose ways are four: the oldest has gone; another hart's are not looked at.
static void test_llc(void **state) {
    (void)state;
    const struct last_access all[] = {{LINE(0), 0, LAST_READ},     {LINE(256), 0, LAST_WRITE},
                                      {LINE(512), 0, LAST_FETCH},  {LINE(768), 0, LAST_READ},
                                      {LINE(1024), 0, LAST_FETCH}, {LINE(2048), 1, LAST_READ}};
    for (int line = 0; line < 6; line++) {
        struct memory *m = memory_create(&config, DRAM_BYTES, NULL, &err);
        struct warm *w = filled(m, false, all, 6);
        assert_int_equal(warm_left(w, 0), 0); // memory alone
        assert_int_equal(reads_from_llc(m, all[line].line), line >= 1 && line < 5);
        assert_int_equal(memory_counts(m).llc.reads, 1); // what filled it does not count
        warm_destroy(w);
        memory_destroy(m);
    }
}

// A row that an access has opened is open: the read of its neighbour is a row hit.
static void test_row(void **state) {
    (void)state;
    const struct last_access one = {LINE(0), 0, LAST_READ};
    struct memory *m = memory_create(&config, DRAM_BYTES, NULL, &err);
    struct warm *w = filled(m, false, &one, 1);
    assert_false(reads_from_llc(m, LINE(1)));
    assert_int_equal(memory_counts(m).dram.row_hits, 1);
    warm_destroy(w);
    memory_destroy(m);
}

static void test_refused_while_open(void **state) {
    (void)state;
    const struct last_access one = {LINE(0), 0, LAST_READ};
    const struct last_accesses list = {(struct last_access *)&one, 1};
    struct memory *m = memory_create(&config, DRAM_BYTES, NULL, &err);
    struct warm *w = warm_create(&config, 1, true, &err);
    memory_read(m, 1, 0, LINE(5) * 64);
    assert_false(memory_warm(m, LINE(0), false));
    assert_false(warm_replay(w, &list, m, &err));
    assert_non_null(strstr(err.text, "before the first request"));
    warm_destroy(w);
    memory_destroy(m);
}

// By hand, of one set of two ways: what was read last stays, what was written there is dirty, the victim goes to the
// LLC, and the ways count as used as in dcache_victim.sv.
static void test_l1(void **state) {
    (void)state;
    const struct last_access all[] = {{LINE(16), 0, LAST_WRITE}, {LINE(32), 0, LAST_WRITE}, {LINE(48), 0, LAST_READ},
                                      {LINE(32), 0, LAST_READ},  {LINE(17), 0, LAST_FETCH}, {LINE(33), 0, LAST_FETCH},
                                      {LINE(49), 0, LAST_FETCH}};
    struct memory *m = memory_create(&config, DRAM_BYTES, NULL, &err);
    struct warm *w = filled(m, true, all, 7);
    const struct {
        uint64_t line;
        uint32_t place;
    } expected[] = {{LINE(48), 0 | WARM_OWNED | 2u << WARM_USED},
                    {LINE(32), 1 | WARM_DIRTY | WARM_OWNED | 2u << WARM_USED},
                    {LINE(49), 0 | WARM_INSN},
                    {LINE(33), 1 | WARM_INSN}};
    assert_int_equal(warm_left(w, 0), 4);
    for (int i = 0; i < 4; i++) {
        uint64_t line;
        const uint32_t place = warm_take(w, 0, &line), shown = i < 2 ? UINT32_MAX : (1u << WARM_USED) - 1;
        assert_int_equal(line, expected[i].line);
        assert_int_equal(place & shown, expected[i].place);
    }
    assert_int_equal(warm_left(w, 0), 0);
    assert_true(reads_from_llc(m, LINE(16)));
    warm_destroy(w);
    memory_destroy(m);
}

// Random accesses of three harts to a few lines that all fit: who holds one has accessed it after all writes of others;
// alone it owns it, dirty if it wrote it; else it is shared, and clean.
enum { HARTS = 3, LINES = 6, ACCESSES = 40 };
struct lasts {
    unsigned any[HARTS][LINES], write[HARTS][LINES]; // when, from 1 on; 0: never
};

static bool should_hold(const struct lasts *l, unsigned hart, unsigned line) {
    for (unsigned i = 0; i < HARTS; i++)
        if (i != hart && l->any[hart][line] <= l->write[i][line]) return false;
    return l->any[hart][line] != 0;
}

static uint32_t should_be(const struct lasts *l, unsigned hart, unsigned line) {
    unsigned holders = 0;
    for (unsigned i = 0; i < HARTS; i++)
        holders += should_hold(l, i, line);
    return holders > 1 ? 0 : WARM_OWNED | (l->write[hart][line] ? WARM_DIRTY : 0);
}

static void check_hart(struct warm *w, unsigned hart, const struct lasts *l, unsigned seed) {
    bool held[LINES] = {false};
    for (unsigned left = warm_left(w, hart); left; left--) {
        uint64_t line;
        const uint32_t place = warm_take(w, hart, &line);
        if (place == WARM_NONE) continue;
        const unsigned number = (unsigned)(line - LINE(0));
        held[number] = true;
        if ((place & (WARM_OWNED | WARM_DIRTY)) != should_be(l, hart, number))
            fail_msg("seed %u: hart %u has line %u as %x", seed, hart, number, place);
    }
    for (unsigned i = 0; i < LINES; i++)
        if (held[i] != should_hold(l, hart, i)) fail_msg("seed %u: hart %u and line %u", seed, hart, i);
}

static void test_harts(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        struct last_access all[ACCESSES];
        struct lasts l = {{{0}}, {{0}}};
        const unsigned count = seed % ACCESSES + 1;
        srand(seed);
        for (unsigned i = 0; i < count; i++) {
            const unsigned hart = (unsigned)rand() % HARTS, line = (unsigned)rand() % LINES;
            const bool writes = rand() % 3 == 0;
            all[i] = (struct last_access){LINE(line), (uint8_t)hart, writes ? LAST_WRITE : LAST_READ};
            l.any[hart][line] = i + 1;
            if (writes) l.write[hart][line] = i + 1;
        }
        struct memory *m = memory_create(&config, DRAM_BYTES, NULL, &err);
        struct warm *w = warm_create(&config, HARTS, true, &err);
        const struct last_accesses list = {all, count};
        assert_true(warm_replay(w, &list, m, &err));
        for (unsigned hart = 1; hart < HARTS; hart++)
            assert_int_equal(warm_left(w, hart), warm_left(w, 0)); // each takes a cycle of all harts' resets
        for (unsigned hart = 0; hart < HARTS; hart++)
            check_hart(w, hart, &l, seed);
        warm_destroy(w);
        memory_destroy(m);
    }
}

// ---- a model: all of its L1 data cache, dirty ----
struct given {
    struct machine_config config;
    unsigned next, emitted;
    bool seen[1024];
};

static uint64_t word_of(uint64_t addr, unsigned i) {
    return (addr + 8 * i) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t line_of(const struct given *g, unsigned number) {
    return LINE(number * 5 * g->config.l1d.sets + number / g->config.l1d.ways);
}

static uint32_t give(void *context, uint64_t *addr, uint64_t data[8]) {
    struct given *g = context;
    const unsigned number = g->next++;
    *addr = line_of(g, number) * 64;
    for (unsigned i = 0; i < 8; i++)
        data[i] = word_of(*addr, i);
    return number % g->config.l1d.ways | WARM_DIRTY;
}

static void take_dirty(void *context, uint64_t addr, const uint64_t data[8]) {
    struct given *g = context;
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(data[i], word_of(addr, i));
    for (unsigned i = 0; i < g->next; i++)
        if (line_of(g, i) * 64 == addr) {
            assert_false(g->seen[i]);
            g->seen[i] = true;
            g->emitted++;
        }
}

static uint32_t tick(void *context, uint64_t *mtime) { // no port is ready
    (void)context;
    *mtime = 0;
    return 0;
}

static void pass_over(void *context, const struct trace_cycle *cycle) {
    (void)context;
    (void)cycle;
}

// Valid from the first cycle after reset on.
static void test_model(void **state) {
    const char *path = *state;
    char name[256], model[256];
    struct given g = {.next = 0};
    snprintf(name, sizeof name, "%s/gen/config.json", path);
    snprintf(model, sizeof model, "%s/model.so", path);
    assert_int_equal(machine_config_load(&g.config, name, &err), 0);
    const struct model_api *api = model_load(model, &g.config, &err);
    assert_non_null(api);
    const unsigned lines = g.config.l1d.sets * g.config.l1d.ways;
    assert_true(lines <= sizeof g.seen / sizeof *g.seen);
    const struct dpi_client client = {.context = &g,
                                      .warm_lines = lines,
                                      .warm_line = give,
                                      .dirty_line = take_dirty,
                                      .tick = tick,
                                      .cycle = pass_over};
    struct dpi *d = dpi_create(&client, &err);
    dpi_enter(d);
    struct model *m = api->create(false, 1);
    assert_non_null(m);
    assert_int_equal(g.next, lines);
    const int stop = 0;
    assert_int_equal(api->run(m, 1, &stop), 1);
    api->emit_dirty(m);
    assert_int_equal(g.emitted, lines);
    assert_false(api->failed(m));
    api->destroy(m);
    dpi_destroy(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_llc),
                                       cmocka_unit_test(test_row),
                                       cmocka_unit_test(test_refused_while_open),
                                       cmocka_unit_test(test_l1),
                                       cmocka_unit_test(test_harts),
                                       cmocka_unit_test_prestate(test_model, TIPOFF_ROOT "/build/small2"),
                                       cmocka_unit_test_prestate(test_model, TIPOFF_ROOT "/build/narrow1")};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
