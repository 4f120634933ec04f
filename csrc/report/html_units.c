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

static uint32_t cell_number(struct units *u, size_t unit, unsigned column, struct string_table *strings) {
    char text[TEXT], number[VALUE_LONGEST];
    const struct value v = units_cell(u, unit, column, text, sizeof text);
    return string_table_number(strings, v.kind == VALUE_NONE ? "-" : value_plain(&v, number));
}

static void write_cells(struct units *u, const struct unit_kind *kind, struct string_table *strings, FILE *out) {
    fputs("\"cells\":[", out);
    for (unsigned c = 0; c < UNIT_COLUMNS && kind->columns[c].key; c++) {
        fputs(c ? ",\n[" : "[", out);
        for (size_t i = 0; i < u->count; i++)
            fprintf(out, i ? ",%u" : "%u", cell_number(u, i, c, strings));
        fputc(']', out);
    }
    fputs("],", out);
}

static uint32_t file_number(const struct run *d, const struct unit *x, struct string_table *strings) {
    unsigned line;
    return x->file ? html_source_number(d, strings, x->place, &line) : STRING_NONE;
}

static void write_texts(struct units *u, const struct html_functions *f, struct string_table *strings, FILE *out) {
    const struct run *d = u->run;
    const size_t count = u->count;
    JSON_COLUMN(out, "\"name\"", i, count, string_table_number(strings, u->list[i].name));
    JSON_COLUMN(out, ",\"function\"", i, count, number_or_none(html_functions_find(f, d, u->list[i].place).function));
    JSON_COLUMN(out, ",\"file\"", i, count, number_or_none(file_number(d, &u->list[i], strings)));
    JSON_COLUMN(out, ",\"line\"", i, count, u->list[i].line);
    fputc(',', out);
}

static bool write_deviations(struct units *u, FILE *out, struct error *err) {
    struct confidence *sure = u->run->by_samples ? confidence_create_by(u, err) : NULL;
    JSON_EACH(out, ",\"deviation\"", i, sure ? u->count : 0, "%.9g",
              confidence_of_number(sure, i, SPREAD_TIME).deviation);
    fputc('}', out);
    const bool good = sure || !u->run->by_samples;
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
        JSON_COLUMN(out, "\"rows\"", i, d->row_count, (int)units_find(u, row_place(&d->rows[i]))); // UNIT_NONE: -1
        good = write_deviations(u, out, err);
        units_destroy(u);
    }
    fputs("],\n", out);
    return good;
}
