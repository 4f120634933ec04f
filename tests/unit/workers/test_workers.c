// Requests by text, and what each row of the registry is shown: what it asked for and nothing else.
#include "trace/tracer.h"
#include "workers/workers.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void refused(const char *first, const char *text, const char *words) {
    struct error err = {""};
    struct worker_requests *r = worker_requests_create();
    if (first) assert_int_equal(worker_requests_parse(r, first, &err), 0);
    assert_int_equal(worker_requests_parse(r, text, &err), -EINVAL);
    if (!strstr(err.text, words)) fail_msg("%s: '%s' lacks '%s'", text, err.text, words);
    if (strchr(err.text, '\n')) fail_msg("%s: more than one line", text);
    worker_requests_destroy(r);
}

static void test_refused(void **unused) {
    (void)unused;
    refused(NULL, "nosuch", "worker 'nosuch': no such worker: use one of watchdog, ");
    refused(NULL, "", "no such worker");
    refused(NULL, "csv", "write csv:file=PATH");
    refused(NULL, "csv:file=", "file= has no value");
    refused(NULL, "csv:file", "'file' is not KEY=VALUE");
    refused(NULL, "csv:file=x,", "'' is not KEY=VALUE");
    refused(NULL, "csv:path=x", "has no key 'path': use on, file, from, to");
    refused(NULL, "watchdog:limit=few", "give a number from 1000 to");
    refused(NULL, "watchdog:limit=-5000", "give a number");
    refused(NULL, "watchdog:limit=999", "give a number from 1000 to");
    refused(NULL, "rob-head:on=perhaps", "say yes or no");
    refused("watchdog", "watchdog:limit=5000", "named twice");
    refused("rob-head", "head", "worker rob-head is named twice");
}

static void test_parsed(void **unused) {
    struct error err = {""};
    struct worker_requests *r = worker_requests_create();
    (void)unused;
    assert_int_equal(worker_requests_parse(r, "csv:file=a,from=10", &err), 0);
    assert_int_equal(worker_requests_parse(r, "csv:file=b,to=main", &err), 0);
    assert_int_equal(worker_requests_parse(r, "watchdog:limit=0x2000", &err), 0);
    assert_int_equal(worker_requests_parse(r, "rob-head:on=no", &err), 0);
    assert_int_equal(worker_requests_add(r, "kanata", "c", NULL, "7", &err), 0);
    assert_int_equal(worker_requests_count(r), 5);
    assert_string_equal(worker_requests_at(r, 0)->values[1].text, "10");
    assert_null(worker_requests_at(r, 1)->values[1].text);
    assert_int_equal(worker_requests_at(r, 2)->values[0].number, 0x2000);
    assert_true(worker_requests_at(r, 3)->off);
    assert_string_equal(worker_requests_file(r, 0), "a");
    assert_string_equal(worker_requests_file(r, 1), "b");
    assert_string_equal(worker_requests_file(r, 2), "c");
    assert_null(worker_requests_file(r, 3));
    assert_int_equal(worker_requests_value(r, "watchdog", "limit")->number, 0x2000);
    assert_null(worker_requests_value(r, "watchdog", "none"));
    assert_null(worker_requests_value(r, "rob-head", "on")); // taken out
    assert_null(worker_requests_value(r, "collections", "source"));
    assert_int_equal(worker_requests_parse(r, "collections:lbr=11,source=unit", &err), 0);
    assert_string_equal(worker_requests_value(r, "collections", "source")->text, "unit");
    assert_int_equal(worker_requests_value(r, "collections", "depth")->number, 16); // its standard
    worker_requests_destroy(r);
}

// A former name means its worker of today, with its keys, and the request says which former name it used; no former
// name is that of a worker of today, or stands twice.
static void test_former_names(void **unused) {
    struct error err = {""};
    (void)unused;
    for (size_t i = 0; i < worker_alias_count; i++) {
        struct worker_requests *r = worker_requests_create();
        char text[64];
        snprintf(text, sizeof text, "%s:on=no", worker_aliases[i].former);
        if (worker_requests_parse(r, text, &err) < 0) fail_msg("%s: %s", text, err.text);
        assert_string_equal(worker_requests_at(r, 0)->ops->name, worker_aliases[i].name);
        assert_string_equal(worker_requests_at(r, 0)->former, worker_aliases[i].former);
        assert_true(worker_requests_at(r, 0)->off);
        worker_requests_destroy(r);
        for (size_t k = 0; k < worker_registry_count; k++)
            assert_string_not_equal(worker_registry[k]->name, worker_aliases[i].former);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(worker_aliases[k].former, worker_aliases[i].former);
    }
    struct worker_requests *r = worker_requests_create();
    assert_int_equal(worker_requests_parse(r, "rob-head:on=no", &err), 0);
    assert_null(worker_requests_at(r, 0)->former);
    worker_requests_destroy(r);
}

// Every row says its name, its job in a line, and can be made and unmade; keys have a text, numbers a standard in
// range.
static void test_rows(void **unused) {
    (void)unused;
    for (size_t i = 0; i < worker_registry_count; i++) {
        const struct worker_ops *ops = worker_registry[i];
        assert_true(ops->name && *ops->name && ops->text && !strchr(ops->text, '\n'));
        assert_non_null(ops->create);
        assert_non_null(ops->destroy);
        if (ops->memory) assert_true(ops->needs & WORKER_MEMORY);
        for (size_t k = 0; k < WORKER_KEYS && ops->keys[k].name; k++) {
            assert_non_null(ops->keys[k].text);
            if (ops->keys[k].kind > WORKER_PRIME || !ops->keys[k].standard) continue; // it may be left out
            uint64_t number = strtoull(ops->keys[k].standard, NULL, 0);
            assert_true(number >= ops->keys[k].low && number <= ops->keys[k].high);
        }
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(worker_registry[j]->name, ops->name);
    }
}

static const struct worker_ops *row(const char *name) {
    for (size_t i = 0; i < worker_registry_count; i++) {
        if (strcmp(worker_registry[i]->name, name) == 0) return worker_registry[i];
    }
    fail_msg("no row %s", name);
    return NULL;
}

// What counts from where time begins counts up to where it ends; but checks go on, and profilers get no sample
// after it.
static void test_ends(void **unused) {
    (void)unused;
    for (size_t i = 0; i < worker_registry_count; i++) {
        const struct worker_ops *ops = worker_registry[i];
        const bool goes_on = ops == row("lockstep") || ops == row("profilers");
        if (ops->begin && !ops->end && !goes_on)
            fail_msg("%s begins with a region, and does not end with it", ops->name);
        if (ops->end) assert_non_null(ops->begin);
    }
}

static void test_needs(void **unused) { // who sees the hardware's answer, and who the ISS
    (void)unused;
    for (size_t i = 0; i < worker_registry_count; i++) {
        const struct worker_ops *ops = worker_registry[i];
        assert_int_equal((ops->needs & DPI_SELECT) != 0, strcmp(ops->name, "oracle") == 0);
    }
    assert_int_equal(row("profilers")->needs, DPI_BUNDLE);
    assert_int_equal(row("stalls")->needs, DPI_BUNDLE);
    assert_int_equal(row("csv")->needs, DPI_BUNDLE);
}

static struct workers *make(bool oracle, const char *const *texts, struct error *err) {
    struct worker_requests *r = worker_requests_create();
    for (; texts && *texts; texts++)
        assert_int_equal(worker_requests_parse(r, *texts, err), 0);
    const struct workers_options options = {
        .run = {.width = 2, .rob_entries = 8}, .command = "tipoff run x", .oracle = oracle, .requests = r};
    struct workers *w = workers_create(&options, err);
    worker_requests_destroy(r);
    return w;
}

static void test_set(void **unused) {
    struct error err = {""};
    (void)unused;
    struct workers *w = make(true, (const char *const[]){"stalls:on=no", NULL}, &err);
    assert_non_null(w);
    assert_true(workers_have(w, "oracle") && workers_have(w, "profilers") && workers_have(w, "events"));
    assert_false(workers_have(w, "stalls") || workers_have(w, "lockstep") || workers_have(w, "rob-head"));
    assert_int_equal(workers_dpi_options(w), DPI_BUNDLE | DPI_SELECT);
    assert_false(workers_want_memory(w));
    workers_destroy(w);
    assert_null(make(true, (const char *const[]){"rob-head", NULL}, &err)); // without lockstep
    assert_non_null(strstr(err.text, "worker rob-head needs worker lockstep"));
}

static void test_nothing_touched(void **unused) { // a bad request after a good one that would make a file
    struct error err = {""};
    char path[] = "/tmp/test_workers_XXXXXX", text[64];
    (void)unused;
    close(mkstemp(path));
    unlink(path);
    snprintf(text, sizeof text, "csv:file=%s", path);
    assert_null(make(false, (const char *const[]){text, "bin:file=/tmp/x,from=12x", NULL}, &err));
    assert_non_null(strstr(err.text, "'12x': not a cycle"));
    assert_int_equal(access(path, F_OK), -1);
}

static void test_several_tracers(void **unused) {
    struct error err = {""};
    char paths[2][32] = {"/tmp/test_workers_XXXXXX", "/tmp/test_workers_XXXXXX"}, texts[2][64];
    static struct trace_cycle cycle = {.bundle = {.rob_empty = true}};
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        close(mkstemp(paths[i]));
        snprintf(texts[i], sizeof texts[i], "csv:file=%s,from=%u", paths[i], 10 * i);
    }
    struct workers *w = make(false, (const char *const[]){texts[0], texts[1], NULL}, &err);
    assert_non_null(w);
    for (cycle.cycle = 0; cycle.cycle < 15; cycle.cycle++)
        assert_int_equal(workers_cycle(w, &cycle, 1, &err), 0);
    assert_int_equal(workers_finish(w, 15, &err), 0);
    workers_destroy(w);
    for (unsigned i = 0; i < 2; i++) {
        unsigned lines = 0;
        FILE *file = fopen(paths[i], "r");
        for (int c; (c = fgetc(file)) != EOF;)
            lines += c == '\n';
        fclose(file);
        unlink(paths[i]);
        assert_int_equal(lines, 1 + (i ? 5 : 15));
    }
}

// A row of the test's own, which counts the cycles shown to it.
static void *counter_create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run, (void)values, (void)err;
    return calloc(1, sizeof(unsigned));
}

static int counter_cycle(void *state, const struct worker_view *view, struct error *err) {
    (void)view, (void)err;
    ++*(unsigned *)state;
    return 0;
}

static void counter_checked(void *state, char *text, size_t size) {
    snprintf(text, size, "%u", *(unsigned *)state);
}

static void shown(bool samples, const struct worker_ops *ops, const char *expected) {
    static struct trace_cycle cycle = {.bundle = {.valid = 1}};
    const struct worker_ops *const rows[] = {ops, NULL};
    const struct workers_options options = {.run = {.width = 2, .rob_entries = 8},
                                            .command = "tipoff run x",
                                            .oracle = true,
                                            .samples = samples,
                                            .rows = rows};
    struct error err = {""};
    char text[16] = "";
    struct workers *w = workers_create(&options, &err);
    assert_non_null(w);
    for (cycle.cycle = 0; cycle.cycle < 6; cycle.cycle++) { // two of them with a commit
        cycle.bundle.commit = cycle.cycle % 3 == 2;
        assert_int_equal(workers_cycle(w, &cycle, 1, &err), 0);
    }
    FILE *out = fmemopen(text, sizeof text, "w");
    workers_print_checked(w, out);
    fclose(out);
    assert_string_equal(text, expected);
    workers_destroy(w);
}

static void test_shown(void **unused) { // which cycles a worker sees
    struct worker_ops ops = {.name = "counter",
                             .text = "counts",
                             .needs = DPI_BUNDLE,
                             .standard = WORKER_WITH_ORACLE,
                             .create = counter_create,
                             .cycle = counter_cycle,
                             .checked = counter_checked,
                             .destroy = free};
    (void)unused;
    shown(false, &ops, "6");
    ops.leaving_only = true;
    shown(false, &ops, "2");
    ops.samples_only = true;
    shown(false, &ops, "0");
    shown(true, &ops, "2");
    ops.leaving_only = false;
    shown(true, &ops, "6");
}

static int differs(void *state, const struct worker_view *view, struct error *err) {
    (void)state, (void)view;
    error_set(err, "another value");
    return -EBADMSG;
}

static void explained(bool no_waves, const char *name, const char *begins, const char *expected) {
    static const struct worker_ops ops = {.name = "counter",
                                          .text = "finds a difference",
                                          .needs = DPI_BUNDLE,
                                          .standard = WORKER_WITH_ORACLE,
                                          .create = counter_create,
                                          .cycle = differs,
                                          .destroy = free};
    static const struct worker_ops *const rows[] = {&ops, NULL};
    const struct workers_options options = {.run = {.width = 2, .rob_entries = 8},
                                            .name = name,
                                            .command = "tipoff run x",
                                            .no_waves = no_waves,
                                            .oracle = true,
                                            .rows = rows};
    const struct trace_cycle cycle = {.cycle = 500, .bundle = {.valid = 1, .commit = 1}};
    struct error err = {""};
    char text[1024] = "";
    struct workers *w = workers_create(&options, &err);
    assert_non_null(w);
    assert_int_equal(workers_cycle(w, &cycle, 1, &err), -EBADMSG);
    FILE *out = fmemopen(text, sizeof text, "w");
    workers_explain(w, out);
    fclose(out);
    assert_ptr_equal(strstr(text, begins), text);
    const size_t length = strlen(text), tail = strlen(expected);
    assert_true(length >= tail);
    assert_string_equal(text + length - tail, expected);
    workers_destroy(w);
}

static void test_explained(void **unused) { // what runs again is a command that this model can carry out
    (void)unused;
    explained(false, NULL, "The last bundles",
              "Waveforms around it: tipoff run x --fst difference.fst --fst-from 300 --fst-to 520\n");
    explained(true, "core 3: ", "core 3: The last bundles", "\ncore 3: The same again: tipoff run x\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_parsed),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_nothing_touched),
        cmocka_unit_test(test_several_tracers),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_explained),
        cmocka_unit_test(test_former_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
