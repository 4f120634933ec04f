// What the HTML report is given beside the rows, of the run as a whole: how exact the times of functions and
// instructions are, and why an instruction takes time by all that the run's statistics know.
#include "report/confidence.h"
#include "report/html_document.h"
#include "report/reasons.h"
#include "report/words.h"

static bool write_functions(const struct html_functions *f, const struct run *d, FILE *out, struct error *err) {
    const struct confidence *sure = d->by_samples ? run_confidence(d, BY_FUNCTION, err) : NULL;
    JSON_EACH(out, "\"functions\"", i, sure ? f->count : 0, "%.9g",
              confidence_of(sure, f->places[i], SPREAD_TIME).deviation);
    return sure || !d->by_samples;
}

static uint32_t why(const struct run *d, const struct unit_time *unit, struct string_table *strings) {
    char text[REPORT_WHOLE];
    reasons_of_instruction(d, unit, text, sizeof text);
    return string_table_number(strings, text);
}

bool html_known_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out,
                      struct error *err) {
    size_t count;
    const struct unit_time *units = run_units(d, BY_INSTRUCTION, &count);
    const bool estimated = d->by_samples && count;
    fputs("\"known\":{", out);
    if ((!units && count) || !write_functions(f, d, out, err)) return false;
    const struct confidence *sure = estimated ? run_confidence(d, BY_INSTRUCTION, err) : NULL;
    if (estimated && !sure) return false;
    JSON_COLUMN(out, ",\"instructions\":{\"function\"", i, count, html_functions_find(f, d, units[i].place).function);
    JSON_COLUMN(out, ",\"instruction\"", i, count, html_functions_find(f, d, units[i].place).instruction);
    JSON_COLUMN(out, ",\"why\"", i, count, why(d, &units[i], strings));
    JSON_EACH(out, ",\"deviation\"", i, sure ? count : 0, "%.9g",
              confidence_of(sure, units[i].place, SPREAD_TIME).deviation);
    fputs("}},\n", out);
    return true;
}
