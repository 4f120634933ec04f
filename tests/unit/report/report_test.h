// What tests of reports share: a folder with a program, the header of a sample file made by hand, a report in memory,
// and words looked for in it. Included behind cmocka.h.
#ifndef TIPOFF_TESTS_REPORT_TEST_H
#define TIPOFF_TESTS_REPORT_TEST_H

#include "report/report.h"
#include "results.h"
#include "samples/samples.h"
#include "tests/unit/analysis/tiny.h"
#include <stdlib.h>
#include <string.h>

enum { REPORT_TEST_PATH = 64 }; // bytes of a path below

// Makes a folder of `folder`, which ends with XXXXXX, and tiny.S in it with these flags of the compiler: *elf is its
// path, *tips where a sample file goes. Removed by report_test_end with all that has come into it.
static inline bool report_test_begin(char *folder, char *elf, char *tips, const char *flags) {
    if (!mkdtemp(folder)) return false;
    snprintf(elf, REPORT_TEST_PATH, "%s/tiny.elf", folder);
    snprintf(tips, REPORT_TEST_PATH, "%s/a.tips", folder);
    return tiny_build(elf, flags);
}

static inline int report_test_end(const char *folder) {
    char command[REPORT_TEST_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// What the run took, as its only result. False: it cannot be written.
static inline bool report_test_totals(struct samples_writer *w, uint64_t cycles, uint64_t instructions) {
    struct results *r = results_create();
    const bool good = r && results_add_run_totals(r, &(struct run_totals){cycles, instructions, 0, 0}) &&
                      samples_add_results(w, r, 0, NULL) == 0;
    results_destroy(r);
    return good;
}

// Of the program `elf`, a core of width 4 and a period of 10 cycles, with all events; time in 1/12 cycle.
static inline struct samples_header report_test_header(const char *elf) {
    static const char *const events[] = {EVENT_NAMES};
    struct samples_header h = {.clock_mhz = 1000,
                               .width = 4,
                               .units = 12,
                               .sampling.period = 10,
                               .sampling.seed = 1,
                               .event_count = EVENT_COUNT,
                               .config = "test4",
                               .command = "tipoff run it"};
    for (int i = 0; i < EVENT_COUNT; i++)
        strcpy(h.events[i], events[i]);
    snprintf(h.program, sizeof h.program, "%s", elf);
    return h;
}

// What report_write says; free() it. *result is its result.
static inline char *report_test_try(const char *path, const struct report_options *o, int *result, struct error *err) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    err->text[0] = '\0';
    *result = report_write(path, o, out, err);
    fclose(out);
    return text;
}

// ... which has to go well.
static inline char *report_test_write(const char *path, const struct report_options *o) {
    struct error err;
    int result;
    char *text = report_test_try(path, o, &result, &err);
    if (result || err.text[0]) fail_msg("%s", err.text);
    return text;
}

static inline void report_test_expect(const char *text, const char *const *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!strstr(text, expected[i])) fail_msg("not found: '%s' in:\n%s", expected[i], text);
    }
}

#endif
