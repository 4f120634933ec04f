// The formats of reports: a row each, with the function that writes each view, or NULL.
#include "report/formats.h"
#include "report/run.h"
#include "report/units.h"
#include <string.h>

static const struct report_format_row rows[] = {
    [REPORT_TEXT] = {"text", .runs = true,
                     .write = {[REPORT_PROFILE] = report_text,
                               [REPORT_STACKS] = report_text,
                               [REPORT_BY] = report_text,
                               [REPORT_CALLS] = report_calls}},
    [REPORT_CSV] = {"csv", .runs = true,
                    .write = {[REPORT_PROFILE] = report_csv,
                              [REPORT_STACKS] = report_stacks_csv,
                              [REPORT_BY] = report_by_csv,
                              [REPORT_CALLS] = report_calls}},
    [REPORT_JSON] = {"json", .runs = true,
                     .write = {[REPORT_PROFILE] = report_json,
                               [REPORT_STACKS] = report_stacks_json,
                               [REPORT_BY] = report_by_json,
                               [REPORT_CALLS] = report_calls}},
    [REPORT_FOLDED] = {"folded", .write = {[REPORT_PROFILE] = report_folded}},
    [REPORT_FLAMEGRAPH] = {"flamegraph", .write = {[REPORT_PROFILE] = report_flamegraph}},
    [REPORT_HTML] = {"html", .write = {[REPORT_PROFILE] = report_html}},
    [REPORT_CALLGRIND] = {"callgrind", .write = {[REPORT_PROFILE] = report_callgrind}},
    [REPORT_GECKO] = {"gecko", .write = {[REPORT_PROFILE] = report_gecko}},
    [REPORT_PERF_SCRIPT] = {"perf-script", .write = {[REPORT_PROFILE] = report_perf_script}},
    [REPORT_PPROF] = {"pprof", .write = {[REPORT_PROFILE] = report_pprof}},
    [REPORT_SPEEDSCOPE] = {"speedscope", .write = {[REPORT_PROFILE] = report_speedscope}},
    [REPORT_VCD] = {"vcd", .write = {[REPORT_PROFILE] = report_vcd}},
};
enum { COUNT = sizeof rows / sizeof *rows };

const struct report_format_row *report_format_row(enum report_format format) {
    return &rows[format];
}

static bool has(const struct report_format_row *row, enum report_view view) {
    return view == REPORT_RUNS ? row->runs : row->write[view] != NULL;
}

bool report_format_find(enum report_view view, const char *name, enum report_format *format) {
    for (int f = 0; f < COUNT; f++) {
        if (!has(&rows[f], view) || strcmp(rows[f].name, name) != 0) continue;
        *format = (enum report_format)f;
        return true;
    }
    return false;
}

void report_format_names(enum report_view view, char *text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (int f = 0; f < COUNT && used < size; f++) {
        if (has(&rows[f], view))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", rows[f].name);
    }
}

bool report_format_of_runs(enum report_format format, struct error *err) {
    char names[64];
    if (rows[format].runs) return true;
    report_format_names(REPORT_RUNS, names, sizeof names);
    error_set(err, "--format %s: not of several files, of which there are %s", rows[format].name, names);
    return false;
}
