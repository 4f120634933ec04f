// Cells are kept as values, and become text for people or for programs when they are written.
#include "report/sheet.h"
#include "base/array.h"
#include "base/plain_text.h"
#include "report/csv.h"
#include "report/json_text.h"
#include "report/style.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64, LONGEST = 48 };
enum kind { TEXT, COUNT, REAL, CYCLES, SHARE, NUMBER, ADDRESS, NONE };
struct cell {
    enum kind kind;
    unsigned with; // REAL: decimals; CYCLES: units of a cycle
    union {
        char *text;
        uint64_t count;
        double real;
    };
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
    for (size_t i = 0; i < s->count; i++) {
        if (s->cells[i].kind == TEXT) free(s->cells[i].text);
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

static void add(struct sheet *s, struct cell cell) {
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
    add(s, (struct cell){.kind = NONE});
    if (s->failed) return;
    struct cell *c = &s->cells[s->count - 1];
    c->text = seen ? plain_text(text) : strdup(text);
    c->kind = c->text ? TEXT : NONE;
    s->failed = !c->text;
}

void sheet_count(struct sheet *s, uint64_t value) {
    add(s, (struct cell){.kind = COUNT, .count = value});
}

void sheet_real(struct sheet *s, double value, int decimals) {
    add(s, (struct cell){.kind = isfinite(value) ? REAL : NONE, .with = (unsigned)decimals, .real = value});
}

void sheet_cycles(struct sheet *s, uint64_t weight, uint32_t units) {
    add(s, (struct cell){.kind = CYCLES, .with = units, .count = weight});
}

void sheet_share(struct sheet *s, uint64_t part, uint64_t whole) {
    add(s, (struct cell){.kind = whole ? SHARE : NONE, .real = (double)part / (double)whole});
}

void sheet_number(struct sheet *s, double value) {
    add(s, (struct cell){.kind = isfinite(value) ? NUMBER : NONE, .real = value});
}

void sheet_address(struct sheet *s, uint64_t address) {
    add(s, (struct cell){.kind = ADDRESS, .count = address});
}

void sheet_none(struct sheet *s) {
    add(s, (struct cell){.kind = NONE});
}

size_t sheet_rows(const struct sheet *s) {
    return s->columns ? s->count / s->columns : 0;
}

bool sheet_good(const struct sheet *s) {
    return !s->failed;
}

// As people read it.
static const char *shown(const struct cell *c, char text[LONGEST]) {
    switch (c->kind) {
    case TEXT: return c->text;
    case COUNT: snprintf(text, LONGEST, "%" PRIu64, c->count); break;
    case REAL: snprintf(text, LONGEST, "%.*f", (int)c->with, c->real); break;
    case CYCLES: return style_number((c->count + c->with / 2) / c->with, text);
    case SHARE: snprintf(text, LONGEST, "%.1f %%", 100 * c->real); break;
    case NUMBER: snprintf(text, LONGEST, "%.3f", c->real); break;
    case ADDRESS: snprintf(text, LONGEST, "0x%08" PRIx64, c->count); break;
    case NONE: return "-";
    }
    return text;
}

// As programs read it: exact, in the units of the file. "": nothing is known.
static const char *plain(const struct cell *c, char text[LONGEST]) {
    switch (c->kind) {
    case CYCLES: snprintf(text, LONGEST, "%" PRIu64, c->count); return text;
    case SHARE:
    case NUMBER: snprintf(text, LONGEST, "%.17g", c->real); return text;
    case NONE: return "";
    default: return shown(c, text);
    }
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
    fprintf(out, "  %*s%s%*s", place == SHEET_RIGHT ? pad : 0, "", text, place != SHEET_RIGHT && !last ? pad : 0, "");
}

void sheet_write_text(const struct sheet *s, size_t rows, FILE *out) {
    const size_t count = rows < sheet_rows(s) ? rows * s->columns : s->count;
    int widths[COLUMNS];
    size_t last = 0;
    char text[LONGEST];
    for (size_t i = 0; i < s->columns; i++) {
        widths[i] = letters(s->headings[i]);
        if (in_text(s->places[i])) last = i;
    }
    for (size_t i = 0; s->columns && i < count; i++) {
        const int n = letters(shown(&s->cells[i], text));
        if (n > widths[i % s->columns]) widths[i % s->columns] = n;
    }
    for (size_t i = 0; i < s->columns; i++)
        if (in_text(s->places[i])) write_cell(s->headings[i], widths[i], s->places[i], i == last, out);
    fputc('\n', out);
    for (size_t i = 0; s->columns && i < count; i++) {
        const size_t column = i % s->columns;
        if (in_text(s->places[column]))
            write_cell(shown(&s->cells[i], text), widths[column], s->places[column], column == last, out);
        if (column + 1 == s->columns) fputc('\n', out);
    }
}

void sheet_write_csv(const struct sheet *s, FILE *out) {
    char text[LONGEST];
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
            csv_text(out, plain(&s->cells[i], text));
            before = ",";
        }
        if (column + 1 == s->columns) fputc('\n', out);
    }
}

static void json_cell(const struct cell *c, FILE *out) {
    char text[LONGEST];
    if (c->kind == TEXT || c->kind == ADDRESS) {
        json_text_string(out, plain(c, text));
    } else {
        fputs(c->kind == NONE ? "null" : plain(c, text), out);
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

static cJSON *item_of(const struct cell *c) {
    char text[LONGEST];
    switch (c->kind) {
    case TEXT:
    case ADDRESS: return cJSON_CreateString(plain(c, text));
    case SHARE:
    case NUMBER: return cJSON_CreateNumber(c->real);
    case NONE: return cJSON_CreateNull();
    default: return cJSON_CreateRaw(plain(c, text));
    }
}

cJSON *sheet_json(const struct sheet *s) {
    cJSON *array = cJSON_CreateArray(), *object = NULL;
    for (size_t i = 0; s->columns && i < s->count; i++) {
        const size_t column = i % s->columns;
        const struct cell *c = &s->cells[i];
        if (column == 0) cJSON_AddItemToArray(array, object = cJSON_CreateObject());
        if (in_files(s->places[column]) && !(c->kind == NONE && s->places[column] == SHEET_KNOWN))
            cJSON_AddItemToObject(object, s->names[column], item_of(c));
    }
    return array;
}
