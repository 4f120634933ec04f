// Cells are kept as values, and become text for people or for programs when they are written.
#include "report/sheet.h"
#include "base/array.h"
#include "base/plain_text.h"
#include "report/csv.h"
#include "report/json_text.h"
#include "report/value.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64 };
struct sheet {
    const char *names[COLUMNS], *headings[COLUMNS];
    enum sheet_place places[COLUMNS];
    size_t columns, count, capacity;
    struct value *cells;
    bool failed;
};

struct sheet *sheet_create(void) {
    return calloc(1, sizeof(struct sheet));
}

void sheet_destroy(struct sheet *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++) {
        if (s->cells[i].kind == VALUE_TEXT) free(s->cells[i].own);
    }
    free(s->cells);
    free(s);
}

void sheet_column(struct sheet *s, const char *name, const char *heading, enum sheet_place place) {
    if (s->columns == COLUMNS) {
        s->failed = true;
        return;
    }
    s->names[s->columns] = name;
    s->headings[s->columns] = heading;
    s->places[s->columns++] = place;
}

void sheet_add(struct sheet *s, struct value cell) {
    if (s->failed || !array_reserve(&s->cells, &s->capacity, s->count, sizeof *s->cells)) {
        s->failed = true;
    } else {
        s->cells[s->count++] = cell;
    }
}

static bool in_text(enum sheet_place place) {
    return place == SHEET_RIGHT || place == SHEET_LEFT || place == SHEET_TEXT;
}
static bool in_files(enum sheet_place place) {
    return place != SHEET_TEXT;
}

// What no person sees stays as it is: CSV and JSON have ways of their own to write what is not plain.
void sheet_text(struct sheet *s, const char *text) {
    const bool seen = s->columns && in_text(s->places[s->count % s->columns]);
    sheet_add(s, value_none());
    if (s->failed) return;
    struct value *c = &s->cells[s->count - 1];
    c->own = seen ? plain_text(text) : strdup(text);
    c->kind = c->own ? VALUE_TEXT : VALUE_NONE;
    s->failed = !c->own;
}

size_t sheet_rows(const struct sheet *s) {
    return s->columns ? s->count / s->columns : 0;
}

bool sheet_good(const struct sheet *s) {
    return !s->failed;
}

static void write_cell(const char *text, int width, enum sheet_place place, bool last, FILE *out) {
    const int pad = width - value_letters(text);
    fprintf(out, "  %*s%s%*s", place == SHEET_RIGHT ? pad : 0, "", text, place != SHEET_RIGHT && !last ? pad : 0, "");
}

void sheet_write_text(const struct sheet *s, size_t rows, FILE *out) {
    const size_t count = rows < sheet_rows(s) ? rows * s->columns : s->count;
    int widths[COLUMNS];
    size_t last = 0;
    char text[VALUE_LONGEST];
    for (size_t i = 0; i < s->columns; i++) {
        widths[i] = value_letters(s->headings[i]);
        if (in_text(s->places[i])) last = i;
    }
    for (size_t i = 0; s->columns && i < count; i++) {
        const int n = value_letters(value_shown(&s->cells[i], text));
        if (n > widths[i % s->columns]) widths[i % s->columns] = n;
    }
    for (size_t i = 0; i < s->columns; i++)
        if (in_text(s->places[i])) write_cell(s->headings[i], widths[i], s->places[i], i == last, out);
    fputc('\n', out);
    for (size_t i = 0; s->columns && i < count; i++) {
        const size_t column = i % s->columns;
        if (in_text(s->places[column]))
            write_cell(value_shown(&s->cells[i], text), widths[column], s->places[column], column == last, out);
        if (column + 1 == s->columns) fputc('\n', out);
    }
}

void sheet_write_csv(const struct sheet *s, FILE *out) {
    char text[VALUE_LONGEST];
    const char *before = "";
    for (size_t i = 0; i < s->columns; i++) {
        if (!in_files(s->places[i])) continue;
        fprintf(out, "%s%s", before, s->names[i]);
        before = ",";
    }
    fputc('\n', out);
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        if (column == 0) before = "";
        if (in_files(s->places[column])) {
            fputs(before, out);
            csv_text(out, value_plain(&s->cells[i], text));
            before = ",";
        }
        if (column + 1 == s->columns) fputc('\n', out);
    }
}

static void json_cell(const struct value *c, FILE *out) {
    char text[VALUE_LONGEST];
    if (c->kind == VALUE_TEXT || c->kind == VALUE_ADDRESS) {
        json_text_string(out, value_plain(c, text));
    } else {
        fputs(c->kind == VALUE_NONE ? "null" : value_plain(c, text), out);
    }
}

void sheet_write_json(const struct sheet *s, FILE *out) {
    const char *before = "";
    fputc('[', out);
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        if (column == 0) {
            fputs(i ? ",\n{" : "\n{", out);
            before = "";
        }
        if (in_files(s->places[column])) {
            fprintf(out, "%s\"%s\":", before, s->names[column]);
            json_cell(&s->cells[i], out);
            before = ",";
        }
        if (column + 1 == s->columns) fputc('}', out);
    }
    fputc(']', out);
}

cJSON *sheet_json(const struct sheet *s) {
    cJSON *array = cJSON_CreateArray(), *object = NULL;
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        const struct value *c = &s->cells[i];
        if (column == 0) cJSON_AddItemToArray(array, object = cJSON_CreateObject());
        if (in_files(s->places[column]) && !(c->kind == VALUE_NONE && s->places[column] == SHEET_KNOWN))
            cJSON_AddItemToObject(object, s->names[column], value_json(c));
    }
    return array;
}

static void page_cells(const struct sheet *s, size_t column, size_t rows, bool values, FILE *out) {
    char text[VALUE_LONGEST];
    fputc('[', out);
    for (size_t r = 0; r < rows; r++) {
        const struct value *c = &s->cells[r * s->columns + column];
        if (r) fputc(',', out);
        if (!values) {
            json_text_string(out, value_shown(c, text));
        } else if (c->kind >= VALUE_COUNT && c->kind <= VALUE_NUMBER) {
            json_cell(c, out);
        } else {
            fputs("null", out);
        }
    }
    fputc(']', out);
}

void sheet_write_page(const struct sheet *s, size_t rows, FILE *out) {
    const char *before = "";
    if (rows > sheet_rows(s)) rows = sheet_rows(s);
    fputs("\"columns\":[", out);
    for (size_t i = 0; i < s->columns; i++) {
        if (!in_text(s->places[i])) continue;
        fprintf(out, "%s{\"key\":\"%s\",\"heading\":", before, s->names[i]);
        json_text_string(out, s->headings[i]);
        fprintf(out, ",\"right\":%s,\"texts\":", s->places[i] == SHEET_RIGHT ? "true" : "false");
        page_cells(s, i, rows, false, out);
        fputs(",\"values\":", out);
        if (s->places[i] == SHEET_RIGHT) {
            page_cells(s, i, rows, true, out);
        } else {
            fputs("null", out);
        }
        fputc('}', out);
        before = ",\n";
    }
    fputc(']', out);
}
