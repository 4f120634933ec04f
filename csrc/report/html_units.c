// Loops and basic blocks of the HTML report (report/units.h): their texts and counts, and which of them each row of the
// profile is in.
#include "report/confidence.h"
#include "report/html_document.h"
#include "report/units.h"
#include "report/words.h"
#include <stdlib.h>

enum { TEXT = REPORT_WHOLE };
static const char *const kinds[] = {"loop", "block"};

static void write_columns(const struct unit_kind *kind, FILE *out) {
    fputs("\"columns\":[", out);
    for (unsigned c = 0; c < UNIT_COLUMNS && kind->columns[c].key; c++) {
        const char *heading = kind->columns[c].heading;
        fprintf(out, "%s{\"key\":\"%s\",\"heading\":\"%s\",\"number\":%s}", c ? "," : "", kind->columns[c].key,
                heading ? heading : "", kind->columns[c].number ? "true" : "false");
    }
    fputs("],", out);
}

static void write_cells(struct units *u, const struct unit_kind *kind, struct string_table *strings, FILE *out) {
    char text[TEXT];
    fputs("\"cells\":[", out);
    for (unsigned c = 0; c < UNIT_COLUMNS && kind->columns[c].key; c++) {
        fputs(c ? ",\n[" : "[", out);
        for (size_t i = 0; i < units_count(u); i++) {
            units_cell(u, i, c, text, sizeof text);
            fprintf(out, i ? ",%u" : "%u", string_table_number(strings, text));
        }
        fputc(']', out);
    }
    fputs("],", out);
}

static void write_texts(struct units *u, const struct html_functions *f, struct string_table *strings, FILE *out) {
    const struct run *d = units_data(u);
    unsigned line;
    fputs("\"name\":[", out);
    for (size_t i = 0; i < units_count(u); i++)
        fprintf(out, i ? ",%u" : "%u", string_table_number(strings, units_unit(u, i)->name));
    fputs("],\"function\":[", out);
    for (size_t i = 0; i < units_count(u); i++) {
        const uint32_t function = html_functions_find(f, d, units_unit(u, i)->place).function;
        fprintf(out, i ? ",%d" : "%d", function == HTML_NONE ? -1 : (int)function);
    }
    fputs("],\"file\":[", out);
    for (size_t i = 0; i < units_count(u); i++) {
        const struct unit *x = units_unit(u, i);
        const uint32_t file = x->file ? html_source_number(d, strings, x->place, &line) : STRING_NONE;
        fprintf(out, i ? ",%d" : "%d", file == STRING_NONE ? -1 : (int)file);
    }
    fputs("],\"line\":[", out);
    for (size_t i = 0; i < units_count(u); i++)
        fprintf(out, i ? ",%u" : "%u", units_unit(u, i)->line);
    fputs("],", out);
}

static void write_rows(struct units *u, FILE *out) {
    const struct run *d = units_data(u);
    fputs("\"rows\":[", out);
    for (size_t i = 0; i < d->row_count; i++) {
        const struct place place = row_place(&d->rows[i]);
        const size_t unit = units_find(u, place);
        fprintf(out, i ? ",%d" : "%d", unit == UNIT_NONE ? -1 : (int)unit);
    }
    fputs("],", out);
}

static bool write_deviations(struct units *u, FILE *out, struct error *err) {
    fputs("\"deviation\":[", out);
    struct confidence *sure = units_data(u)->by_samples ? confidence_create_by(u, err) : NULL;
    for (size_t i = 0; sure && i < units_count(u); i++)
        fprintf(out, i ? ",%.9g" : "%.9g", confidence_of_number(sure, i, SPREAD_TIME).deviation);
    fputs("]}", out);
    const bool good = sure || !units_data(u)->by_samples;
    confidence_destroy(sure);
    return good;
}

bool html_units_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out,
                      struct error *err) {
    bool good = true;
    fputs("\"units\":[", out);
    for (size_t k = 0; good && k < sizeof kinds / sizeof *kinds; k++) {
        const struct unit_kind *kind = unit_kind_find(kinds[k]);
        struct units *u = units_create(d, kind);
        if (!u) return false;
        fprintf(out, "%s{\"kind\":\"%s\",", k ? ",\n" : "", kind->name);
        write_columns(kind, out);
        write_texts(u, f, strings, out);
        write_cells(u, kind, strings, out);
        write_rows(u, out);
        good = write_deviations(u, out, err);
        units_destroy(u);
    }
    fputs("],\n", out);
    return good;
}
