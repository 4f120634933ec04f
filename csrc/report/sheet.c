// Cells are kept as text; numbers are marked as such.
#include "report/sheet.h"
#include "base/array.h"
#include "base/plain_text.h"
#include "report/csv.h"
#include "report/json_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64, LONGEST = 48 };
enum kind { TEXT, NUMBER, NONE };
struct cell {
    char *text;
    enum kind kind;
};
struct sheet {
    const char *names[COLUMNS], *headings[COLUMNS];
    enum sheet_place places[COLUMNS];
    size_t columns, count, capacity;
    struct cell *cells;
    bool failed;
};

struct sheet *sheet_create(void) {
    return calloc(1, sizeof(struct sheet));
}

void sheet_destroy(struct sheet *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++)
        free(s->cells[i].text);
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

static void add(struct sheet *s, const char *text, enum kind kind) {
    if (s->failed || !array_reserve(&s->cells, &s->capacity, s->count, sizeof *s->cells)) {
        s->failed = true;
        return;
    }
    s->cells[s->count] = (struct cell){plain_text(text), kind};
    s->failed = !s->cells[s->count++].text;
}

void sheet_text(struct sheet *s, const char *text) {
    add(s, text, TEXT);
}

void sheet_count(struct sheet *s, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    add(s, text, NUMBER);
}

void sheet_real(struct sheet *s, double value, int decimals) {
    char text[LONGEST];
    snprintf(text, sizeof text, "%.*f", decimals, value);
    add(s, isfinite(value) ? text : "", isfinite(value) ? NUMBER : NONE);
}

void sheet_none(struct sheet *s) {
    add(s, "", NONE);
}

bool sheet_good(const struct sheet *s) {
    return !s->failed;
}

static const char *shown(const struct cell *c) {
    return c->kind == NONE ? "-" : c->text;
}

// Letters, not bytes: symbols may be any UTF-8.
static int letters(const char *text) {
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void write_cell(const char *text, int width, enum sheet_place place, bool last, FILE *out) {
    const int pad = width - letters(text);
    fprintf(out, "  %*s%s%*s", place == SHEET_RIGHT ? pad : 0, "", text, place == SHEET_LEFT && !last ? pad : 0, "");
}

void sheet_write_text(const struct sheet *s, FILE *out) {
    int widths[COLUMNS];
    size_t last = 0;
    for (size_t i = 0; i < s->columns; i++) {
        widths[i] = letters(s->headings[i]);
        if (s->places[i] != SHEET_FILES) last = i;
    }
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const int n = letters(shown(&s->cells[i]));
        if (n > widths[i % s->columns]) widths[i % s->columns] = n;
    }
    for (size_t i = 0; i < s->columns; i++)
        if (s->places[i] != SHEET_FILES) write_cell(s->headings[i], widths[i], s->places[i], i == last, out);
    fputc('\n', out);
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        if (s->places[column] != SHEET_FILES)
            write_cell(shown(&s->cells[i]), widths[column], s->places[column], column == last, out);
        if (column + 1 == s->columns) fputc('\n', out);
    }
}

void sheet_write_csv(const struct sheet *s, FILE *out) {
    for (size_t i = 0; i < s->columns; i++)
        fprintf(out, "%s%s", i ? "," : "", s->names[i]);
    fputc('\n', out);
    for (size_t i = 0; s->columns && i < s->count; i++) {
        if (i % s->columns) fputc(',', out);
        csv_text(out, s->cells[i].text);
        if ((i + 1) % s->columns == 0) fputc('\n', out);
    }
}

void sheet_write_json(const struct sheet *s, FILE *out) {
    fputc('[', out);
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        fprintf(out, "%s\"%s\":", column ? "," : i ? ",\n{" : "\n{", s->names[column]);
        if (s->cells[i].kind == TEXT) {
            json_text_string(out, s->cells[i].text);
        } else {
            fputs(s->cells[i].kind == NONE ? "null" : s->cells[i].text, out);
        }
        if (column + 1 == s->columns) fputc('}', out);
    }
    fputc(']', out);
}
