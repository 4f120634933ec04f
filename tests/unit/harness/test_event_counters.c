// tipoff run --count: what a list of events means, which counters it takes, and what is written to them in which order.
#include "csrs.h"
#include "harness/event_counters.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile/published.h"

#define MINH (UINT64_C(1) << 62)
#define SINH (UINT64_C(1) << 61)
#define UINH (UINT64_C(1) << 60)

// A model that keeps what is written: mhpmevent and mcountinhibit are all it knows.
static struct {
    int addr[64];
    uint64_t value[64], cycles;
    unsigned count;
} written;

static int csr_write(struct model *m, int addr, uint64_t value) {
    (void)m;
    written.addr[written.count] = addr;
    written.value[written.count++] = value;
    written.cycles++;
    return 0;
}
static int csr_read(struct model *m, int addr, uint64_t *value) {
    (void)m;
    *value = (uint64_t)addr * 1000;
    return 0;
}
static uint64_t cycles(struct model *m) {
    (void)m;
    return written.cycles;
}
static const struct model_api api = {.csr_read = csr_read, .csr_write = csr_write, .cycles = cycles};

static void test_parse(void **state) {
    (void)state;
    struct event_counters c = {0};
    struct error err;
    assert_int_equal(event_counters_parse(&c, "CYCLES,fl_mb:u,Instructions:ms,ST_LLC:msu", &err), 0);
    assert_int_equal(event_counters_parse(&c, "DR_L1", &err), 0); // a second --count adds
    static const struct {
        const char *name;
        uint64_t select;
    } rows[] = {
        {"CYCLES", 1}, {"FL_MB:u", MINH | SINH | 19}, {"INSTRUCTIONS:ms", UINH | 2}, {"ST_LLC:msu", 24}, {"DR_L1", 16}};
    assert_int_equal(c.count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_string_equal(c.rows[i].name, rows[i].name);
        assert_true(c.rows[i].select == rows[i].select);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {{"CYCLE", "--count CYCLE: no such event: use one of CYCLES, INSTRUCTIONS,"},
                {"CYCLESX", "no such event"},
                {"cycles,,fl_mb", "no such event"},
                {"cycles:", "give modes as letters m"},
                {"cycles:mx", "give modes as letters m"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct event_counters c = {0};
        struct error err = {""};
        assert_int_equal(event_counters_parse(&c, rows[i].text, &err), -EINVAL);
        assert_non_null(strstr(err.text, rows[i].says));
    }
    // All names are in the message, the last one, too.
    struct event_counters c = {0};
    struct error err = {""};
    assert_int_equal(event_counters_parse(&c, "nothing", &err), -EINVAL);
    assert_non_null(strstr(err.text, "ST_LLC"));
    assert_non_null(strstr(err.text, "REPLAYS_PAGE, and the group topdown"));
    // ... however long what was asked for is.
    assert_int_equal(event_counters_parse(&c, "nothing_that_is_thirty_two_or_more_letters", &err), -EINVAL);
    assert_non_null(strstr(err.text, "REPLAYS_PAGE, and the group topdown"));
}

// What other harts do is counted by cores that have others: the others name the remedy.
static void test_coherent(void **state) {
    (void)state;
    struct error err = {""};
    struct machine_config config = {.name = "some", .counters = 4, .sample_counter = 3, .coherent = 1};
    struct event_counters c = {0};
    assert_int_equal(event_counters_parse(&c, "CYCLES,snoops:u", &err), 0);
    assert_true(c.rows[1].select == (MINH | SINH | 32));
    assert_int_equal(event_counters_assign(&c, &config, false, &err), 0);
    config.coherent = 0;
    assert_int_equal(event_counters_assign(&c, &config, false, &err), -EINVAL);
    assert_string_equal(err.text, "--count SNOOPS:u: some has no such event, for its caches are not coherent "
                                  "(harts.coherent = 0): name a configuration whose are, as small2c or tea4c");
}

static void test_assign(void **state) {
    (void)state;
    struct error err = {""};
    struct machine_config config = {.name = "some", .counters = 4, .sample_counter = 5}; // 3 to 6
    struct event_counters c = {.count = 4};
    assert_int_equal(event_counters_assign(&c, &config, false, &err), 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(c.rows[i].counter, 6 - i);
    c.count = 3;
    assert_int_equal(event_counters_assign(&c, &config, true, &err), 0);
    assert_int_equal(c.rows[0].counter, 6);
    assert_int_equal(c.rows[1].counter, 4);
    assert_int_equal(c.rows[2].counter, 3);
    c.count = 4;
    assert_int_equal(event_counters_assign(&c, &config, true, &err), -EINVAL);
    assert_non_null(strstr(err.text, "4 events, but some has 3 counters besides the sampling one"));
    c.count = 5;
    assert_int_equal(event_counters_assign(&c, &config, false, &err), -EINVAL);
    assert_non_null(strstr(err.text, "5 events, but some has 4 counters:"));
}

static void test_start(void **state) {
    (void)state;
    struct error err = {""};
    struct machine_config config = {.counters = 29, .sample_counter = 3};
    struct event_counters c = {0};
    memset(&written, 0, sizeof written);
    assert_int_equal(event_counters_start(&c, &api, NULL, &err), 0);
    assert_int_equal(written.count, 0); // nothing to count, nothing touched
    assert_int_equal(event_counters_parse(&c, "CYCLES,FL_EX:m", &err), 0);
    assert_int_equal(event_counters_assign(&c, &config, false, &err), 0);
    written.cycles = 10;
    assert_int_equal(event_counters_start(&c, &api, NULL, &err), 0);
    static const struct {
        int addr;
        uint64_t value;
    } expected[] = {{CSR_MCOUNTINHIBIT, UINT64_C(3) << 30},
                    {CSR_MHPMEVENT31, 1},
                    {CSR_MHPMEVENT30, SINH | UINH | 20},
                    {CSR_MCOUNTINHIBIT, 0}};
    assert_int_equal(written.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(written.addr[i], expected[i].addr);
        assert_true(written.value[i] == expected[i].value);
    }
    assert_int_equal(c.from_cycle, 14);
    event_counters_read(&c, &api, NULL);
    assert_int_equal(c.rows[0].value, CSR_MHPMCOUNTER31 * 1000);
    assert_int_equal(c.rows[1].value, CSR_MHPMCOUNTER30 * 1000);
    struct results *results = results_create();
    assert_true(results && event_counters_publish(&c, results));
    cJSON *object = published(results);
    const cJSON *counts = cJSON_GetObjectItem(object, "counts");
    assert_int_equal(cJSON_GetObjectItem(counts, "from_cycle")->valuedouble, 14);
    assert_int_equal(cJSON_GetObjectItem(counts, "CYCLES")->valuedouble, CSR_MHPMCOUNTER31 * 1000);
    assert_int_equal(cJSON_GetObjectItem(counts, "FL_EX:m")->valuedouble, CSR_MHPMCOUNTER30 * 1000);
    cJSON_Delete(object);
}

// Ten events, each once; their values are printed for each group, and add up.
static void test_group(void **state) {
    (void)state;
    struct error err = {""};
    struct machine_config config = {.counters = 29, .width = 4};
    struct event_counters c = {0};
    assert_int_equal(event_counters_parse(&c, "INSTRUCTIONS,topdown,TopDown,topdown:u,CYCLES", &err), 0);
    assert_int_equal(c.count, 20);
    assert_int_equal(c.groups, 2);
    assert_string_equal(c.group[1].name, "topdown:u");
    assert_int_equal(event_counters_parse(&c, "topdown:m", &err), -EINVAL); // 30
    assert_non_null(strstr(err.text, "more than 29 events"));
    c = (struct event_counters){0};
    assert_int_equal(event_counters_parse(&c, "topdown", &err), 0);
    assert_int_equal(event_counters_assign(&c, &config, false, &err), 0);
    // CYCLES, INSTRUCTIONS, DISPATCHED, FETCH_LATENCY, FETCH_BANDWIDTH, MEMORY_BOUND, RECOVERY_BRANCH, RECOVERY_CLEAR,
    // BRANCH_REDIRECTS, CLEARS
    static const unsigned values[] = {100, 120, 160, 24, 16, 80, 20, 10, 3, 1};
    for (unsigned i = 0; i < 10; i++)
        c.rows[i].value = values[i];
    struct results *results = results_create();
    assert_true(results && event_counters_publish(&c, results));
    cJSON *object = published(results);
    const cJSON *o = cJSON_GetObjectItem(cJSON_GetObjectItem(object, "count_groups"), "topdown");
    static const struct {
        const char *level, *part;
        double slots;
    } expected[] = {{"bad_speculation", "slots", 70},
                    {"bad_speculation", "mispredictions", 50},
                    {"bad_speculation", "clears", 20},
                    {"frontend", "slots", 40},
                    {"frontend", "latency", 24},
                    {"frontend", "bandwidth", 16},
                    {"backend", "slots", 170},
                    {"backend", "memory", 80},
                    {"backend", "core", 90}};
    assert_true(cJSON_GetObjectItem(o, "slots")->valuedouble == 400);
    assert_true(cJSON_GetObjectItem(o, "retiring")->valuedouble == 120);
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        const cJSON *level = cJSON_GetObjectItem(o, expected[i].level);
        assert_true(cJSON_GetObjectItem(level, expected[i].part)->valuedouble == expected[i].slots);
    }
    cJSON_Delete(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),  cmocka_unit_test(test_refused), cmocka_unit_test(test_coherent),
        cmocka_unit_test(test_assign), cmocka_unit_test(test_start),   cmocka_unit_test(test_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
