// What tests of reports share: the header of a sample file made by hand, a report in memory, and words looked for in
// it. Included behind cmocka.h.
#ifndef TIPOFF_TESTS_REPORT_TEST_H
#define TIPOFF_TESTS_REPORT_TEST_H

#include "report/report.h"
#include <stdlib.h>
#include <string.h>

// Of the program `elf`, a core of width 4 and a period of 10 cycles, with all events; time in 1/12 cycle.
static inline struct samples_header report_test_header(const char *elf) {
    static const char *const events[] = {EVENT_NAMES};
    struct samples_header h = {.clock_mhz = 1000,
                               .width = 4,
                               .units = 12,
                               .period = 10,
                               .seed = 1,
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
