// The registry of formats: a name each, in the order of --help. Tables first.
#include "report/formats.h"
#include "report/words.h"
#include <string.h>

#define FORMATS(row)                                                                                                   \
    row(text) row(csv) row(json) row(folded) row(flamegraph) row(html) row(callgrind) row(gecko) row(perf_data)        \
        row(perf_script) row(pprof) row(speedscope) row(vcd)

#define DECLARED(name) extern const struct report_format format_##name;
#define LISTED(name) &format_##name,
FORMATS(DECLARED)
static const struct report_format *const formats[] = {FORMATS(LISTED)};

const struct report_format format_text = {.name = "text"};
const struct report_format format_csv = {.name = "csv"};
const struct report_format format_json = {.name = "json"};

size_t report_format_count(void) {
    return sizeof(formats) / sizeof(formats[0]);
}

const struct report_format *report_format_at(size_t i) {
    return formats[i];
}

const char *report_format_name(const struct report_format *format) {
    return format->name;
}

static bool is_of(enum report_of of, const struct report_format *format) {
    return of == REPORT_OF_ONE || !format->write || (of == REPORT_OF_TWO && format->two);
}

const struct report_format *report_format_find(enum report_of of, const char *name) {
    for (size_t i = 0; i < report_format_count(); i++) {
        if (is_of(of, formats[i]) && strcmp(formats[i]->name, name) == 0) return formats[i];
    }
    return NULL;
}

void report_format_names(enum report_of of, char *text, size_t size) {
    *text = '\0';
    for (size_t i = 0; i < report_format_count(); i++) {
        if (is_of(of, formats[i])) words_append(text, size, "%s%s", *text ? ", " : "", formats[i]->name);
    }
}

bool report_format_is_of(enum report_of of, const struct report_format *format, struct error *err) {
    char names[64];
    if (!format || is_of(of, format)) return true;
    report_format_names(of, names, sizeof names);
    error_set(err, "--format %s: not for several files; these formats are: %s", format->name, names);
    return false;
}
