// Time by unit as text, CSV and JSON, whatever the kind.
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/sheet.h"
#include "report/style.h"
#include "report/time_columns.h"
#include "report/units.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 20, TEXT = 2048, WIDEST = 60, LIST = 1024 };

struct by_row {
    struct time_row of; // first: columns of time are found in it
    struct units *units;
    size_t unit;
};

static struct by_row row_of(struct units *u, size_t unit, const struct confidence *sure) {
    struct by_row r = {{.run = u->run, .time = &u->times[unit], .estimated = sure}, u, unit};
    r.of.full = u->times[u->ranked[0]].weight;
    r.of.rows = u->rows + u->first_row[unit];
    r.of.row_count = u->first_row[unit + 1] - u->first_row[unit];
    if (sure) r.of.estimate = confidence_of_number(sure, unit, SPREAD_TIME);
    return r;
}

// What the kind has of its own.
static struct value own_value(const struct by_row *r, const char *column, char *room, size_t size) {
    const struct unit_column *columns = r->units->kind->columns;
    unsigned c = 0;
    while (c < UNIT_COLUMNS && columns[c].key && strcmp(columns[c].key, column) != 0)
        c++;
    if (c == UNIT_COLUMNS || !columns[c].key) return value_text(""); // columns of CSV that only granularities have
    return units_cell(r->units, r->unit, c, room, size);
}

static struct value source_value(const struct unit *x, bool whole, char *room, size_t size) {
    const char *file = !x->file ? "" : whole ? x->file : paths_name(x->file);
    snprintf(room, size, x->file && x->line ? "%s:%u" : "%s", file, x->line);
    return value_text(room);
}

static struct value by_value(const void *row, const char *column, char *room, size_t size) {
    const struct by_row *r = row;
    const struct unit *x = &r->units->list[r->unit];
    struct value v;
    if (time_value(&r->of, column, room, size, &v)) return v;
    if (column_is(column, "granularity")) return value_text(r->units->kind->name);
    if (column_is(column, "hart")) {
        if (r->of.run->harts == 1 || x->place.pc == PROFILE_PC_END)
            return *column == '?' ? value_none() : value_text("");
        units_harts(x, room, size);
        return strchr(room, ' ') ? value_text(room) : value_count(strtoul(room, NULL, 10));
    }
    if (column_is(column, "unit")) return value_text(x->unit);
    if (column_is(column, "name")) return value_text(x->name);
    if (column_is(column, "image")) return value_text(x->image);
    if (column_is(column, "file")) return x->file ? value_text(x->file) : value_none();
    if (column_is(column, "line")) return x->file && x->line ? value_count(x->line) : value_none();
    if (column_is(column, "source")) return source_value(x, true, room, size);
    if (column_is(column, "at")) return source_value(x, false, room, size);
    if (!column_is(column, "label")) return own_value(r, column, room, size);
    const bool whose = report_shows_image(r->of.run, x->image, x->name);
    char behind[128] = "";
    if (whose) snprintf(behind, sizeof behind, " [%.100s]", x->image);
    plain_fit(room, size, x->name, behind);
    return value_text(room);
}

// The keys of the kind's own columns, each after a comma.
static void append_keys(const struct unit_kind *kind, char list[LIST]) {
    for (unsigned c = 0; c < UNIT_COLUMNS && kind->columns[c].key; c++)
        words_append(list, LIST, ",%s", kind->columns[c].key);
}

// ---- text ----
struct wide {
    struct units *units;
    size_t rows;
    char *line, *heading; // LIST and TEXT bytes
};

// A column of the line, as wide as what is in it; none of a column of empty texts.
static void add_column(const struct wide *w, const char *name, const char *heading, bool number) {
    char room[REPORT_SHOWN], shown[VALUE_LONGEST];
    int width = value_letters(heading);
    bool any = false;
    for (size_t i = 0; i < w->rows; i++) {
        const struct by_row row = row_of(w->units, w->units->ranked[i], NULL);
        const struct value v = by_value(&row, name, room, sizeof room);
        const char *text = value_shown(&v, shown);
        if (value_letters(text) > width) width = value_letters(text);
        any = any || *text;
    }
    if (!any) return;
    if (width > WIDEST) width = WIDEST;
    words_append(w->line, LIST, "  {%s:%d}", name, number ? width : -width);
    words_append(w->heading, TEXT, "  %*s", number ? width : -width, heading);
}

// Numbers stand before the unit's name, texts after it.
static void add_own(const struct wide *w, const struct unit_kind *kind, bool numbers) {
    for (const struct unit_column *c = kind->columns; c < kind->columns + UNIT_COLUMNS && c->key; c++)
        if (c->heading && c->number == numbers) add_column(w, c->key, c->heading, numbers);
}

static void print_rows(const struct wide *w, const struct report_options *o, const struct confidence *sure, FILE *out) {
    const struct unit_kind *kind = o->by;
    const struct columns columns = {.text = w->line, .get = by_value};
    snprintf(w->line, LIST, "{share}{interval} {weight:13}  {states:%d}", BAR);
    if (w->units->run->harts > 1) add_column(w, "hart", "hart", true);
    add_own(w, kind, true);
    add_column(w, "label", kind->name, false);
    if (strcmp(kind->name, "line") != 0 && strcmp(kind->name, "file") != 0) add_column(w, "at", "source", false);
    add_own(w, kind, false);
    words_append(w->line, LIST, "  {why}\n");
    style_time_heading(out, o, w->units->run, sure, BAR);
    fprintf(out, "%s  why\n", w->heading);
    for (size_t i = 0; i < w->rows; i++) {
        const struct by_row row = row_of(w->units, w->units->ranked[i], sure);
        columns_text(&columns, o, &row, out);
    }
}

static void by_text(struct units *u, const struct report_options *o, const struct confidence *sure, FILE *out) {
    char line[LIST], heading[TEXT] = "";
    const size_t count = u->count, rows = o->top && o->top < count ? o->top : count;
    style_heading(out, o, o->by->heading, rows, count);
    if (rows) print_rows(&(struct wide){u, rows, line, heading}, o, sure, out);
    if (u->kind->notes) u->kind->notes(u, out);
}

// ---- files ----
// A unit has a row for each state and vector, which they alone distinguish: the other columns are made once. False: no
// memory.
static bool by_csv(struct units *u, const struct report_options *o, FILE *out) {
    char list[LIST] = "name,source,instruction,mode,space,image", *made = NULL;
    const struct columns before = {.csv = "profiler,granularity,unit,", .get = by_value},
                         own = {.csv = "state,events,psv,cycles,", .get = by_value},
                         behind = {.csv = list, .get = by_value};
    const struct profile_row none = {.state = STATE_COUNT}; // of a unit that stands for units with time
    size_t bytes;
    FILE *unit = open_memstream(&made, &bytes);
    append_keys(o->by, list);
    if (u->run->harts > 1) words_append(list, LIST, ",hart");
    csv_run(out, u->run, o);
    columns_csv_heading(&before, out);
    columns_csv_heading(&own, out);
    columns_csv_heading(&behind, out);
    for (size_t i = 0; unit && i < u->count; i++) {
        struct by_row row = row_of(u, u->ranked[i], NULL);
        row.of.time = NULL;
        if (row.of.row_count == 0) row.of.rows = &none;
        rewind(unit);
        columns_csv(&before, &row, unit);
        const size_t first = (size_t)ftell(unit);
        columns_csv(&behind, &row, unit);
        const size_t rest = (size_t)ftell(unit) - first;
        fflush(unit);
        do {
            fwrite(made, 1, first, out);
            columns_csv(&own, &row, out);
            fwrite(made + first, 1, rest, out);
            row.of.rows++;
        } while (row.of.row_count && --row.of.row_count);
    }
    const bool good = unit && fclose(unit) == 0;
    free(made);
    return good;
}

static int by_json(struct units *u, const struct report_options *o, const struct confidence *sure, FILE *out,
                   struct error *err) {
    const struct run *d = u->run;
    char list[LIST] = "unit,name,?file,?line,image,?hart,weight,cycles,share,?deviation,?samples";
    const struct columns columns = {.json = list, .get = by_value};
    cJSON *root = cJSON_CreateObject();
    append_keys(o->by, list);
    words_append(list, LIST, ",why,states,stack");
    json_add_profile(root, d);
    json_add_states(root, d);
    json_add_granularity(root, o->by->name, sure);
    cJSON *array = cJSON_AddArrayToObject(root, "units");
    for (size_t i = 0; i < u->count; i++) {
        const struct by_row row = row_of(u, u->ranked[i], sure);
        cJSON_AddItemToArray(array, columns_json(&columns, &row));
    }
    return json_print(root, d->path, out, err);
}

static int by_units(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct units *u = units_create(d, o->by);
    if (!u) return report_out_of_memory(d->path, err);
    const bool csv = o->format == &format_csv, estimated = d->by_samples && !csv;
    struct confidence *sure = estimated ? confidence_create_by(u, err) : NULL;
    int result = estimated && !sure ? -EINVAL : 0;
    if (result == 0 && csv && !by_csv(u, o, out)) result = report_out_of_memory(d->path, err);
    if (result == 0 && o->format == &format_json) result = by_json(u, o, sure, out, err);
    if (result == 0 && o->format == &format_text) by_text(u, o, sure, out);
    confidence_destroy(sure);
    units_destroy(u);
    return result;
}

// ---- kinds that fill a table ----
static int by_sheet(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct sheet *s = sheet_create();
    int result = s ? o->by->fill(d, o, s, err) : report_out_of_memory(d->path, err);
    if (result == 0 && !sheet_good(s)) result = report_out_of_memory(d->path, err);
    if (result == 0 && o->format == &format_csv) {
        csv_run(out, d, o);
        sheet_write_csv(s, out);
    } else if (result == 0 && o->format == &format_json) {
        cJSON *root = cJSON_CreateObject();
        json_add_profile(root, d);
        json_add_states(root, d);
        json_add_granularity(root, o->by->name, NULL);
        cJSON_AddItemToObject(root, "rows", sheet_json(s));
        result = json_print(root, d->path, out, err);
    } else if (result == 0) {
        const size_t count = sheet_rows(s), rows = o->top && o->top < count ? o->top : count;
        style_heading(out, o, o->by->heading, rows, count);
        sheet_write_text(s, rows, out);
    }
    sheet_destroy(s);
    return result;
}

int report_by(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    return (o->by->write ? o->by->write : o->by->fill ? by_sheet : by_units)(d, o, out, err);
}
