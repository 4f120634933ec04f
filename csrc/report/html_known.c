// What the HTML report is given beside the rows, of the run as a whole: how exact the times of functions and
// instructions are, and why an instruction takes time by all that the run's statistics know.
#include "report/confidence.h"
#include "report/html_document.h"
#include "report/reasons.h"
#include "report/words.h"
#include <stdlib.h>

enum { TEXT = REPORT_WHOLE };

static void write_deviation(const struct confidence *sure, struct place place, size_t i, FILE *out) {
    if (i) fputc(',', out);
    fprintf(out, "%.9g", confidence_of(sure, place, SPREAD_TIME).deviation);
}

static bool write_functions(const struct html_functions *f, const struct run *d, FILE *out, struct error *err) {
    const struct confidence *sure = run_confidence(d, BY_FUNCTION, err);
    if (!sure) return false;
    for (size_t i = 0; i < f->count; i++)
        write_deviation(sure, f->places[i], i, out);
    return true;
}

static bool write_deviations(const struct run *d, const struct unit_time *units, size_t count, FILE *out,
                             struct error *err) {
    const struct confidence *sure = run_confidence(d, BY_INSTRUCTION, err);
    if (!sure) return false;
    for (size_t i = 0; i < count; i++)
        write_deviation(sure, units[i].place, i, out);
    return true;
}

static void write_slots(const struct html_functions *f, const struct run *d, const struct unit_time *units,
                        size_t count, FILE *out) {
    fputs("\"function\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%u" : "%u", html_functions_find(f, d, units[i].place).function);
    fputs("],\"instruction\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, i ? ",%u" : "%u", html_functions_find(f, d, units[i].place).instruction);
    fputs("],\"why\":[", out);
}

bool html_known_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out,
                      struct error *err) {
    size_t count;
    char text[TEXT];
    const struct unit_time *units = run_units(d, BY_INSTRUCTION, &count);
    bool good = units || !count;
    fputs("\"known\":{\"functions\":[", out);
    if (good && d->by_samples) good = write_functions(f, d, out, err);
    fputs("],\"instructions\":{", out);
    if (good) write_slots(f, d, units, count, out);
    for (size_t i = 0; good && i < count; i++) {
        reasons_of_instruction(d, &units[i], text, sizeof text);
        fprintf(out, i ? ",%u" : "%u", string_table_number(strings, text));
    }
    fputs("],\"deviation\":[", out);
    if (good && d->by_samples && count) good = write_deviations(d, units, count, out, err);
    fputs("]}},\n", out);
    return good;
}
