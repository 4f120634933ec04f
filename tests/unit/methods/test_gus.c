// The resource model: the worked example of the paper, streams whose bottleneck is known by construction, conservation,
// and that no resource that becomes faster makes a stream slower.
#include "methods/gus/gus.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void row(struct gus_table *t, const char *type, const char *name, const char *value, const char *uses) {
    struct error err = {""};
    if (!gus_table_add(t, type, name, value, uses, &err)) fail_msg("%s", err.text);
}

// ---- Pompougnac et al., figures 4 to 8: twelve independent instructions, six ports, a window of four ----
static const char *const ports[] = {"p0", "p1", "p2", "p3", "p5", "p6"};
static const uint8_t block[] = {1, 0, 5, 1, 0, 2, 3, 5, 2, 0, 5, 4}; // figure 8, column "Port"
enum { PORTS = 6, BLOCK = 12 };

static unsigned cycles_of_example(unsigned accelerated) {
    struct gus_table t = {0};
    struct error err = {""};
    row(&t, "slots", "window", "4", "-");
    for (unsigned i = 0; i < PORTS; i++) {
        row(&t, "rate", ports[i], "1", "-");
        row(&t, "kind", ports[i], "1", ports[i]);
    }
    assert_true(gus_table_finish(&t, &err));
    unsigned faster[GUS_RESOURCES] = {0};
    for (unsigned i = 0; i < PORTS; i++)
        if (accelerated >> i & 1) faster[gus_table_resource(&t, ports[i])] = 100;
    struct gus *g = gus_create(&t, faster, &err);
    assert_non_null(g);
    for (unsigned i = 0; i < BLOCK; i++)
        gus_step(g, &(struct gus_event){.kind = block[i]});
    uint64_t time = gus_time(g);
    gus_destroy(g);
    assert_int_equal(time % GUS_CYCLE, 0);
    return (unsigned)(time / GUS_CYCLE);
}

static void worked_example(void **state) {
    (void)state;
    assert_int_equal(cycles_of_example(0), 4);
    assert_int_equal(cycles_of_example(1 << 1), 3);                            // port 1
    assert_int_equal(cycles_of_example(1 << 5), 4);                            // port 6, though it is never idle
    assert_int_equal(cycles_of_example(1 << 0 | 1 << 2 | 1 << 3 | 1 << 4), 4); // ports 0, 2, 3 and 5
    assert_int_equal(cycles_of_example(0x3f), 3);                              // the window lets go of four a cycle
}

// ---- a core with one of everything ----
static void core(struct gus_table *t) {
    static const char *const rows[][4] = {
        {"rate", "fetch", "1", "-"},         {"rate", "dispatch", "4", "-"},      {"rate", "commit", "4", "-"},
        {"rate", "drain", "1", "-"},         {"rate", "llc", "1", "-"},           {"every", "dram", "10", "-"},
        {"slots", "window", "64", "-"},      {"slots", "buffer", "16", "-"},      {"slots", "stores", "8", "-"},
        {"pool", "mshrs", "4", "-"},         {"queue", "queue", "16", "-"},       {"rate", "ports", "2", "-"},
        {"unit", "divider", "1", "-"},       {"delay", "front", "5", "-"},        {"delay", "redirect", "3", "-"},
        {"delay", "llc.latency", "30", "-"}, {"delay", "row_hit", "100", "-"},    {"delay", "row_miss", "200", "-"},
        {"kind", "nop", "1", "-"},           {"kind", "add", "1", "ports,queue"}, {"kind", "mul", "3", "queue"},
        {"kind", "div", "20", "divider"},    {"kind", "load", "4", "queue"},      {"kind", "store", "1", "queue"},
    };
    struct error err = {""};
    *t = (struct gus_table){0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        row(t, rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
    assert_true(gus_table_finish(t, &err));
}

enum stream { NOPS, ADDS, CHAIN, DIVISIONS, CHASE, MISSES, MEMORY, STORES, BRANCHES, PACKETS, MIXED, STREAMS };
enum { LENGTH = 4000 };

static struct gus_event event(const struct gus_table *t, enum stream stream, uint32_t i) {
    static const char *const kinds[STREAMS] = {"nop",  "add",   "mul", "div", "load", "load",
                                               "load", "store", "nop", "nop", ""};
    static const char *const mixed[] = {"add", "load", "mul", "store", "div"};
    const char *name = stream == MIXED ? mixed[i * 7 % 11 % 5] : kinds[stream];
    struct gus_event e = {.place = i % 8, .kind = (uint16_t)gus_table_kind(t, name)};
    if (stream == CHAIN || stream == CHASE) e.sources[0] = e.target = 5;
    if (stream == CHASE || stream == MISSES || stream == STORES) e.level = GUS_LLC;
    if (stream == MEMORY) e.level = GUS_ROW_HIT;
    if (stream == MIXED) {
        e.sources[0] = (uint8_t)(1 + i * 5 % 13);
        e.target = (uint8_t)(1 + i * 3 % 17);
        e.level = (uint8_t)(i % 29 == 0 ? 1 + i / 29 % 3 : 0);
        e.flags = i % 37 == 0 ? GUS_MISPREDICTED : i % 97 == 0 ? GUS_SERIAL | GUS_FLUSH : 0;
    }
    if (strcmp(name, "load") == 0) e.flags |= GUS_LOAD;
    if (strcmp(name, "store") == 0) e.flags |= GUS_STORE;
    e.word = (uint64_t)(i * 8 + 8);
    e.mask = 0xff;
    if (stream == BRANCHES) e.flags |= GUS_MISPREDICTED | GUS_PACKET;
    if (stream == PACKETS || (stream == MIXED && i % 5 == 0)) e.flags |= GUS_PACKET;
    return e;
}

static uint64_t time_of(const struct gus_table *t, enum stream stream, const unsigned *faster) {
    struct error err = {""};
    struct gus *g = gus_create(t, faster, &err);
    assert_non_null(g);
    assert_true(gus_keep_places(g, 8));
    for (uint32_t i = 0; i < LENGTH; i++) {
        struct gus_event e = event(t, stream, i);
        gus_step(g, &e);
    }
    uint64_t time = gus_time(g), exposed = 0, executions = 0;
    for (unsigned p = 0; p < 8; p++) {
        exposed += gus_places(g)[p].exposed;
        executions += gus_places(g)[p].executions;
    }
    assert_int_equal(exposed, time); // conservation
    assert_int_equal(executions, LENGTH);
    for (unsigned r = 0; r < t->resource_count; r++)
        assert_true(gus_occupancy(g, r) <= 1.01); // what drains after the end counts, too
    gus_destroy(g);
    return time;
}

// The bottleneck of each stream, by construction: of all resources it alone gains at 15 %, and nearly as much.
static void bottlenecks(void **state) {
    static const struct {
        enum stream stream;
        const char *resource;
        double cycles; // an instruction; 0: not known by hand
    } known[] = {
        {ADDS, "ports", 0.5}, {CHAIN, "latency", 3}, {DIVISIONS, "divider", 20}, {MISSES, "mshrs", 7.5},
        {MEMORY, "dram", 0},  {PACKETS, "fetch", 1}, {BRANCHES, "front", 9},
    };
    (void)state;
    struct gus_table t;
    core(&t);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint64_t base = time_of(&t, known[k].stream, NULL);
        double each = (double)base / GUS_CYCLE / LENGTH;
        if (known[k].cycles > 0 && (each < known[k].cycles * 0.999 || each > known[k].cycles * 1.02))
            fail_msg("%s: %f cycles", known[k].resource, each);
        unsigned best = 0;
        uint64_t least = UINT64_MAX;
        for (unsigned r = 0; r < t.resource_count; r++) {
            unsigned faster[GUS_RESOURCES] = {0};
            faster[r] = 15;
            uint64_t time = time_of(&t, known[k].stream, faster);
            if (time < least) least = time, best = r;
        }
        if (strcmp(known[k].resource, "divider") == 0 && strcmp(t.resources[best].name, "latency") == 0)
            continue; // a division is both
        if (strcmp(known[k].resource, "mshrs") == 0 && strcmp(t.resources[best].name, "llc.latency") == 0)
            continue; // Little's law: entries and latency
        if (strcmp(known[k].resource, "dram") == 0 && strcmp(t.resources[best].name, "mshrs") == 0) continue;
        assert_string_equal(t.resources[best].name, known[k].resource);
    }
}

static void dispatch_alone(void **state) { // ... and commit: two in balance, which gain only together
    (void)state;
    struct gus_table t;
    core(&t);
    unsigned faster[GUS_RESOURCES] = {0};
    uint64_t base = time_of(&t, NOPS, NULL);
    faster[gus_table_resource(&t, "dispatch")] = 15;
    assert_true(time_of(&t, NOPS, faster) > base - base / 100);
    faster[gus_table_resource(&t, "commit")] = 15;
    assert_true(time_of(&t, NOPS, faster) < base * 100 / 114);
}

static void monotone(void **state) {
    (void)state;
    struct gus_table t;
    core(&t);
    for (enum stream s = 0; s < STREAMS; s++) {
        for (unsigned r = 0; r < t.resource_count; r++) {
            uint64_t before = UINT64_MAX;
            for (unsigned percent = 0; percent <= 120; percent += percent < 15 ? 1 : 35) {
                unsigned faster[GUS_RESOURCES] = {0};
                faster[r] = percent;
                uint64_t time = time_of(&t, s, faster);
                if (time > before)
                    fail_msg("stream %d is slower with %s %u %% faster", (int)s, t.resources[r].name, percent);
                before = time;
            }
        }
    }
}

static void forwarded(void **state) { // a load waits for the store of its word, and for no other
    (void)state;
    struct gus_table t;
    struct error err = {""};
    core(&t);
    uint64_t times[2];
    for (unsigned same = 0; same < 2; same++) {
        struct gus *g = gus_create(&t, NULL, &err);
        assert_non_null(g);
        gus_step(g, &(struct gus_event){.kind = (uint16_t)gus_table_kind(&t, "div"), .target = 5});
        gus_step(g, &(struct gus_event){.kind = (uint16_t)gus_table_kind(&t, "store"),
                                        .flags = GUS_STORE,
                                        .sources = {5},
                                        .word = 8,
                                        .mask = 0xff});
        gus_step(g, &(struct gus_event){.kind = (uint16_t)gus_table_kind(&t, "load"),
                                        .flags = GUS_LOAD,
                                        .target = 6,
                                        .word = 9 - same,
                                        .mask = 0xff});
        times[same] = gus_time(g);
        gus_destroy(g);
    }
    assert_int_equal(times[1] - times[0], 4 * GUS_CYCLE); // load to use, after the store's end
}

static void refused(void **state) {
    static const char *const bad[][4] = {
        {"rate", "r", "x", "-"},       {"rate", "r", "0", "-"},     {"what", "r", "1", "-"},
        {"kind", "k", "1", "nothing"}, {"rate", "ports", "1", "-"}, {"kind", "k", "1", "front"},
    };
    (void)state;
    struct gus_table t;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {""};
        core(&t);
        assert_false(gus_table_add(&t, bad[i][0], bad[i][1], bad[i][2], bad[i][3], &err));
        assert_true(strlen(err.text) > 10);
    }
}

static void left_out(void **state) { // an option takes its resources with it, from kinds and from what goes with them
    (void)state;
    struct gus_table t = {0};
    struct error err = {""};
    row(&t, "rate", "a", "1", "-");
    row(&t, "rate", "b", "1", "-");
    row(&t, "slots", "c", "2", "-");
    row(&t, "rate", "d", "1", "b");
    row(&t, "option", "two", "1", "a,c");
    row(&t, "option", "off", "0", "b");
    row(&t, "kind", "k", "1", "a,c,d");
    assert_false(gus_table_add(&t, "option", "bad", "1", "nothing", &err));
    assert_true(gus_table_finish(&t, &err));
    assert_int_equal(gus_table_resource(&t, "b"), GUS_NONE); // off from the start
    assert_int_equal(t.resources[gus_table_resource(&t, "d")].with, GUS_NONE);
    assert_int_equal(t.kinds[0].use_count, 3);
    assert_false(gus_table_without(&t, "three", &err));
    assert_non_null(strstr(err.text, "two, off"));
    assert_true(gus_table_without(&t, "two", &err));
    assert_int_equal(t.resource_count, 2); // d, and latency
    assert_int_equal(t.kinds[0].use_count, 1);
    assert_string_equal(t.resources[t.kinds[0].uses[0]].name, "d");
    assert_int_equal(gus_table_size(&t, "two", 1), 0);
    assert_string_equal(t.resources[t.resource_count - 1].name, "latency");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example), cmocka_unit_test(bottlenecks), cmocka_unit_test(dispatch_alone),
        cmocka_unit_test(monotone),       cmocka_unit_test(forwarded),   cmocka_unit_test(refused),
        cmocka_unit_test(left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
