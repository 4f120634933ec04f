// What of a run is measured: which cycle begins and ends it, in which stage that leaves the run, and what is due then.
// And where waveforms begin and end, and what a search finds.
#include "harness/region.h"
#include "harness/search.h"
#include "harness/waveforms.h"
#include "memory_map.h"
#include "profile/place.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct commit_bundle empty = {.rob_empty = 1};
static const struct commit_bundle rom = {
    .valid = 1, .commit = 1, .first = 1, .priv = MODE_MACHINE, .pc = {BOOTROM_BASE, 0}};
static const struct commit_bundle waits = {.valid = 1, .priv = MODE_MACHINE, .pc = {DRAM_BASE, 0}};
static const struct commit_bundle two = {.valid = 3, .commit = 3, .first = 3, .pc = {DRAM_BASE, DRAM_BASE + 4}};

static struct region *make(struct region_options o) {
    struct error err;
    struct region *r = region_create(&o, NULL, &err);
    assert_non_null(r);
    return r;
}

static void test_whole_run(void **state) {
    (void)state;
    struct region *r = make((struct region_options){0});
    assert_int_equal(region_stage(r), REGION_COUNTS);
    assert_false(region_watches(r) || region_limited(r));
    assert_true(region_counts(r) && region_due(r) == REGION_EDGES); // it is set going with the model
    assert_int_equal(region_between(r, 0), 0);
    assert_int_equal(region_next(r, 5, 100), 100);
    region_destroy(r);
}

// A checkpoint's own code does not count, nor does an empty ROB after it; the first cycle of the program does.
static void test_loads(void **state) {
    (void)state;
    struct region *r = make((struct region_options){.loads = true});
    assert_true(region_watches(r) && region_stage(r) == REGION_LOADS);
    assert_int_equal(region_between(r, 3), 0);
    assert_int_equal(region_cycle(r, 3, &rom), 0);
    assert_int_equal(region_cycle(r, 4, &empty), 0);
    assert_int_equal(region_stage(r), REGION_LOADS);
    assert_int_equal(region_cycle(r, 5, &waits), REGION_ENTERS | REGION_BEGINS);
    assert_false(region_watches(r) || region_counts(r));
    assert_int_equal(region_due(r), REGION_BEGIN);
    assert_int_equal(region_edge(r, REGION_BEGIN)->cycle, 5);
    region_done(r);
    assert_true(region_counts(r) && region_due(r) == REGION_EDGES);
    region_destroy(r);
}

// A number of instructions, and the cycle after: what commits in it is reported.
static void test_warmup(void **state) {
    (void)state;
    struct region *r = make((struct region_options){.warmup = 3});
    assert_int_equal(region_stage(r), REGION_WAITS);
    assert_int_equal(region_cycle(r, 0, &two), 0);
    assert_int_equal(region_cycle(r, 1, &two), 0); // the fourth is not thrown away
    assert_int_equal(region_warmed(r), 4);
    assert_int_equal(region_cycle(r, 2, &two), REGION_BEGINS);
    assert_int_equal(region_edge(r, REGION_BEGIN)->committed, 2);
    assert_int_equal(region_warmed(r), 4);
    region_destroy(r);
}

static void test_from_to(void **state) {
    (void)state;
    struct region *r = make((struct region_options){.from = "10", .to = "20"});
    assert_int_equal(region_next(r, 0, 100), 10); // the model stops before either
    assert_int_equal(region_next(r, 0, 7), 7);
    assert_int_equal(region_cycle(r, 9, &two), 0);
    assert_int_equal(region_between(r, 10), REGION_BEGINS); // whether cycle 10 is emitted or not
    assert_int_equal(region_edge(r, REGION_BEGIN)->committed, 0);
    assert_int_equal(region_next(r, 10, 100), 20);
    region_done(r);
    assert_int_equal(region_cycle(r, 25, &waits), REGION_ENDS); // it runs over: the first cycle that it sees
    assert_true(region_stage(r) == REGION_OVER && region_due(r) == REGION_END && region_watches(r));
    assert_int_equal(region_edge(r, REGION_END)->cycle, 25);
    region_done(r);
    assert_int_equal(region_cycle(r, 26, &two), 0); // an instruction leaves
    assert_true(region_stage(r) == REGION_CLOSED && !region_watches(r) && region_due(r) == REGION_EDGES);
    region_destroy(r);
}

// Both edges in one cycle, which also closes it: they are due one after the other.
static void test_empty(void **state) {
    (void)state;
    struct region *r = make((struct region_options){.from = "10", .to = "10"});
    assert_int_equal(region_cycle(r, 10, &two), REGION_BEGINS | REGION_ENDS);
    assert_int_equal(region_stage(r), REGION_CLOSED);
    assert_int_equal(region_due(r), REGION_BEGIN);
    region_done(r);
    assert_int_equal(region_due(r), REGION_END);
    region_done(r);
    assert_int_equal(region_due(r), REGION_EDGES);
    region_done(r); // nothing
    assert_int_equal(region_due(r), REGION_EDGES);
    region_destroy(r);
}

// By an address: the cycle in which it commits is the first, and the first that is no more measured.
static void test_places(void **state) {
    (void)state;
    struct commit_bundle b = two;
    struct region *r = make((struct region_options){.from = "0x100:2", .to = "0x200"});
    b.pc[1] = 0x100;
    assert_int_equal(region_cycle(r, 1, &b), 0);
    assert_int_equal(region_next(r, 1, 50), 50); // not known
    assert_int_equal(region_cycle(r, 2, &b), REGION_BEGINS);
    b.pc[0] = 0x200;
    assert_int_equal(region_cycle(r, 8, &b), REGION_ENDS);
    region_destroy(r);
    struct error err = {""};
    assert_null(region_create(&(struct region_options){.from = "20", .to = "10"}, NULL, &err));
    assert_non_null(strstr(err.text, "--sample-from 20 is after --sample-to 10"));
}

// ---- waveforms ----
static struct {
    unsigned opened, closed;
    int fault;
} written;

static int dump_open(struct model *m, const char *path) {
    (void)m;
    (void)path;
    written.opened++;
    return written.fault;
}
static int dump_close(struct model *m) {
    (void)m;
    written.closed++;
    return written.fault;
}
static int dump_fault(const struct model *m) {
    (void)m;
    return written.fault;
}
static const struct model_api api = {.dump_open = dump_open, .dump_close = dump_close, .dump_fault = dump_fault};

static void test_waveforms(void **state) {
    (void)state;
    struct error err = {""};
    struct waveforms_options o = {.path = "/nonexistent/w.fst", .from = "10", .to = "20"};
    struct waveforms *w = waveforms_create(&o, NULL, &err);
    memset(&written, 0, sizeof written);
    assert_false(waveforms_watch(w));
    assert_int_equal(waveforms_next(w, 0, 100), 10);
    assert_int_equal(waveforms_next(w, 10, 100), 21); // the last one is included
    assert_true(waveforms_turn(w, &api, NULL, 9, &err) && waveforms_look(w, &api, NULL, &err) && !written.opened);
    assert_true(waveforms_turn(w, &api, NULL, 10, &err) && waveforms_turn(w, &api, NULL, 15, &err));
    assert_int_equal(written.opened, 1);
    written.fault = -28; // the disk is full
    assert_false(waveforms_look(w, &api, NULL, &err));
    assert_non_null(strstr(err.text, "/nonexistent/w.fst: cannot write waveforms: No space left"));
    assert_false(waveforms_turn(w, &api, NULL, 21, &err));
    assert_true(waveforms_finish(w, &api, NULL, &err)); // it is closed already
    assert_int_equal(written.closed, 1);
    waveforms_destroy(w);
    o = (struct waveforms_options){.path = "w", .from = "sample:2"};
    assert_null(waveforms_create(&o, NULL, &err));
    assert_non_null(strstr(err.text, "--fst-from and --fst-to: name a sample, but the run takes none"));
    o.samples = true;
    w = waveforms_create(&o, NULL, &err);
    assert_true(waveforms_sample(w, 30) && waveforms_sample(w, 40)); // the second one is it
    assert_int_equal(waveforms_next(w, 40, 100), 41);
    waveforms_destroy(w);
}

// ---- several harts ----
// Two harts: what both commit counts, and both begin and end in the cycle that they agree on, whoever reached the sum.
static void test_together(void **state) {
    (void)state;
    const struct region_options o = {.warmup = 5, .to = "0x80000004", .together = true};
    struct region *harts[2] = {make(o), make(o)};
    const struct {
        const struct commit_bundle *of[2];
        bool begins, ends;                        // in the next cycle
    } cycles[] = {{{&two, &waits}, false, false}, // 2 instructions, the place among them: before the region
                  {{&two, &empty}, false, false}, // 4
                  {{&waits, &two}, true, false},  // 6
                  {{&waits, &empty}, false, false}, {{&empty, &two}, false, true}, // the next one at the place
                  {{&two, &two}, false, false}};
    uint64_t begun = 0, ended = 0;
    for (uint64_t cycle = 0; cycle < sizeof cycles / sizeof *cycles; cycle++) {
        struct region_share all = {0};
        for (unsigned i = 0; i < 2; i++) {
            unsigned met = region_between(harts[i], cycle);
            assert_int_equal(met & REGION_BEGINS, cycle && cycles[cycle - 1].begins ? REGION_BEGINS : 0);
            assert_int_equal(met & REGION_ENDS, cycle && cycles[cycle - 1].ends ? REGION_ENDS : 0);
            if (met & REGION_BEGINS) begun = cycle;
            if (met & REGION_ENDS) ended = cycle;
            assert_int_equal(region_cycle(harts[i], cycle, cycles[cycle].of[i]) & (REGION_BEGINS | REGION_ENDS), 0);
            region_add_share(harts[i], &all);
        }
        for (unsigned i = 0; i < 2; i++)
            region_agree(harts[i], &all, cycle + 1);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(region_edge(harts[i], REGION_BEGIN)->cycle, begun);
        assert_int_equal(region_edge(harts[i], REGION_END)->cycle, ended);
        assert_false(region_is_open(harts[i]));
        assert_int_equal(region_warmed(harts[i]), 6);
        region_destroy(harts[i]);
    }
    assert_true(begun == 3 && ended == 5);
}

// An execution in the warm-up is not the next one in the region.
static void test_warmup_to(void **state) {
    (void)state;
    struct region *r = make((struct region_options){.warmup = 2, .to = "0x80000004"});
    assert_int_equal(region_cycle(r, 1, &two), 0);
    assert_int_equal(region_cycle(r, 2, &waits), REGION_BEGINS);
    assert_int_equal(region_cycle(r, 3, &two), REGION_ENDS);
    assert_int_equal(region_edge(r, REGION_END)->cycle, 3);
    region_destroy(r);
}

// ---- searches ----
static void test_search(void **state) {
    (void)state;
    struct error err = {""};
    struct simulation_search wanted = {.at = "0x100@sample:2"};
    assert_null(search_create(&wanted, false, NULL, &err));
    assert_non_null(strstr(err.text, "0x100@sample:2: names a sample, but the run takes none"));
    struct search *s = search_create(&wanted, true, NULL, &err);
    struct sample_record record = {.cycle = 7, .sample = {.valid = 2, .addr = {0, 0x100}}};
    assert_false(search_watches(s));
    assert_false(search_record(s, &record));
    record.cycle = 8, record.sample.valid = 1; // lane 1 names nothing
    assert_false(search_record(s, &record));
    record.cycle = 9, record.sample.valid = 3;
    assert_true(search_record(s, &record) && search_found(s) && wanted.cycle == 9);
    record.cycle = 10;
    assert_false(search_record(s, &record)); // once
    assert_int_equal(wanted.cycle, 9);
    search_destroy(s);
    wanted = (struct simulation_search){.at = "0x80000004"};
    s = search_create(&wanted, false, NULL, &err);
    assert_true(search_watches(s) && !search_cycle(s, 3, &waits) && search_cycle(s, 4, &two));
    assert_true(wanted.found && wanted.cycle == 4 && !search_watches(s));
    search_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_run), cmocka_unit_test(test_loads),
                                       cmocka_unit_test(test_warmup),    cmocka_unit_test(test_from_to),
                                       cmocka_unit_test(test_empty),     cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_together),  cmocka_unit_test(test_warmup_to),
                                       cmocka_unit_test(test_waveforms), cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
