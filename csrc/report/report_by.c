// Time by unit as text, CSV and JSON, whatever the kind.
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/sheet.h"
#include "report/style.h"
#include "report/units.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 20, TEXT = 2048, WIDEST = 60 };

static unsigned column_count(const struct unit_kind *kind) {
    unsigned count = 0;
    while (count < UNIT_COLUMNS && kind->columns[count].key)
        count++;
    return count;
}

static void place_text(const struct unit *unit, bool whole, char *text, size_t size) {
    *text = '\0';
    if (!unit->file) return;
    const char *file = whole ? unit->file : paths_name(unit->file);
    if (unit->line) {
        snprintf(text, size, "%s:%u", file, unit->line);
    } else {
        snprintf(text, size, "%s", file);
    }
}

// ---- text ----
// What the columns of a row say: the kind's own, then the name and the source.
static void cell(struct units *u, const struct unit_kind *kind, size_t unit, unsigned column, char *text, size_t size) {
    const unsigned count = column_count(kind);
    const struct unit *x = units_unit(u, unit);
    if (column < count) {
        units_cell(u, unit, column, text, size);
        if (strspn(text, "0123456789") == strlen(text) && *text) {
            char n[32];
            snprintf(text, size, "%s", style_number(strtoull(text, NULL, 10), n));
        }
    } else if (column == count) {
        const bool told = *x->image && report_has_modes(units_data(u)) && strcmp(x->image, x->name) != 0;
        char behind[128] = "";
        if (told) snprintf(behind, sizeof behind, " [%.100s]", x->image);
        plain_fit(text, size < REPORT_SHOWN ? size : REPORT_SHOWN, x->name, behind);
    } else {
        place_text(x, false, text, size);
    }
}

static const char *heading_of(const struct unit_kind *kind, unsigned column) {
    const unsigned count = column_count(kind);
    return column < count ? kind->columns[column].heading : column == count ? kind->name : "source";
}

// Numbers stand before the unit's name, texts behind it.
static size_t order_of(const struct unit_kind *kind, unsigned order[UNIT_COLUMNS + 2]) {
    const unsigned count = column_count(kind);
    size_t used = 0;
    for (unsigned c = 0; c < count; c++) {
        if (kind->columns[c].heading && kind->columns[c].number) order[used++] = c;
    }
    order[used++] = count;
    if (strcmp(kind->name, "line") != 0 && strcmp(kind->name, "file") != 0) order[used++] = count + 1;
    for (unsigned c = 0; c < count; c++) {
        if (kind->columns[c].heading && !kind->columns[c].number) order[used++] = c;
    }
    return used;
}

static int text_width(const char *text) { // in characters of UTF-8
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static void print_rows(struct units *u, const struct unit_kind *kind, const struct report_options *o, size_t rows,
                       const struct confidence *sure, FILE *out) {
    const struct run *d = units_data(u);
    unsigned order[UNIT_COLUMNS + 2];
    const size_t columns = order_of(kind, order);
    int widths[UNIT_COLUMNS + 2] = {0};
    char text[TEXT], why[TEXT], n[32];
    const uint64_t full = units_time(u, units_ranked(u, 0))->weight;
    bool any[UNIT_COLUMNS + 2] = {false};
    for (size_t c = 0; c < columns; c++) {
        for (size_t i = 0; i < rows; i++) {
            cell(u, kind, units_ranked(u, i), order[c], text, sizeof text);
            any[c] = any[c] || *text;
            if (text_width(text) > widths[c]) widths[c] = text_width(text);
        }
        if (text_width(heading_of(kind, order[c])) > widths[c]) widths[c] = text_width(heading_of(kind, order[c]));
        if (widths[c] > WIDEST) widths[c] = WIDEST;
    }
    for (size_t i = 0; i <= rows; i++) { // the heading first
        const size_t unit = i ? units_ranked(u, i - 1) : 0;
        const struct unit_time *time = units_time(u, unit);
        if (i == 0) {
            fputs("   share", out);
            if (sure) style_interval_heading(out, o);
            fprintf(out, "        cycles  %-*s", BAR, "time by state");
        } else {
            style_share(out, o, time->weight, d->total);
            if (sure) {
                const struct estimate estimate = confidence_of_number(sure, unit, SPREAD_TIME);
                style_interval(out, o, &estimate, (double)d->total / d->header->units);
            }
            fprintf(out, " %13s  ", style_number((time->weight + d->header->units / 2) / d->header->units, n));
            style_bar(out, o, time->states, full, BAR);
        }
        for (size_t c = 0; c < columns; c++) {
            if (!any[c]) continue;
            const bool number = order[c] < column_count(kind) && kind->columns[order[c]].number;
            if (i == 0) {
                snprintf(text, sizeof text, "%s", heading_of(kind, order[c]));
            } else {
                cell(u, kind, unit, order[c], text, sizeof text);
            }
            const int pad = widths[c] - text_width(text);
            fprintf(out, "  %*s%s%*s", number && pad > 0 ? pad : 0, "", text, !number && pad > 0 ? pad : 0, "");
        }
        report_why(d, time, why, sizeof why);
        fprintf(out, "  %s\n", i ? time->weight ? why : "" : "why");
    }
}

static int by_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct units *u = units_create(d, o->by);
    if (!u) return report_out_of_memory(d->path, err);
    const size_t count = units_count(u), rows = o->top && o->top < count ? o->top : count;
    style_heading(out, o, o->by->heading, rows, count);
    struct confidence *sure = d->by_samples ? confidence_create_by(u, err) : NULL;
    if (d->by_samples && !sure) {
        units_destroy(u);
        return -EINVAL;
    }
    if (rows) print_rows(u, o->by, o, rows, sure, out);
    confidence_destroy(sure);
    units_notes(u, out);
    units_destroy(u);
    return 0;
}

// ---- CSV ----
static void csv_field(FILE *out, const char *text) {
    fputc(',', out);
    csv_text(out, text);
}

static void csv_unit(struct units *u, const struct unit_kind *kind, size_t unit, FILE *out) {
    const struct run *d = units_data(u);
    const struct unit *x = units_unit(u, unit);
    char source[TEXT], text[TEXT];
    size_t count;
    const struct profile_row *rows = units_rows(u, unit, &count);
    place_text(x, true, source, sizeof source);
    const struct profile_row none = {.state = STATE_COUNT};
    if (count == 0) rows = &none, count = 1; // stands for units with time
    for (size_t i = 0; i < count; i++) {
        csv_text(out, d->profiler);
        csv_field(out, kind->name);
        csv_field(out, x->unit);
        fprintf(out, ",%s,%u,%llu", report_state_name(rows[i].state), rows[i].psv, (unsigned long long)rows[i].weight);
        csv_field(out, x->name);
        csv_field(out, source);
        fputs(",,,", out); // instruction, mode, space
        csv_field(out, x->image);
        for (unsigned c = 0; c < column_count(kind); c++) {
            units_cell(u, unit, c, text, sizeof text);
            csv_field(out, kind->columns[c].number && strcmp(text, "-") == 0 ? "" : text);
        }
        fputc('\n', out);
    }
}

static int by_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct units *u = units_create(d, o->by);
    if (!u) return report_out_of_memory(d->path, err);
    csv_run(out, d);
    fputs("profiler,granularity,unit,state,psv,weight,name,source,instruction,mode,space,image", out);
    for (unsigned c = 0; c < column_count(o->by); c++)
        fprintf(out, ",%s", o->by->columns[c].key);
    fputc('\n', out);
    for (size_t i = 0; i < units_count(u); i++)
        csv_unit(u, o->by, units_ranked(u, i), out);
    units_destroy(u);
    return 0;
}

// ---- JSON ----
static cJSON *unit_object(struct units *u, const struct unit_kind *kind, size_t unit, const struct confidence *sure) {
    const struct run *d = units_data(u);
    const struct unit *x = units_unit(u, unit);
    const struct unit_time *time = units_time(u, unit);
    char text[TEXT];
    size_t count;
    const struct profile_row *rows = units_rows(u, unit, &count);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "unit", x->unit);
    cJSON_AddStringToObject(o, "name", x->name);
    if (x->file) cJSON_AddStringToObject(o, "file", x->file);
    if (x->file && x->line) cJSON_AddNumberToObject(o, "line", x->line);
    cJSON_AddStringToObject(o, "image", x->image);
    json_add_u64(o, "weight", time->weight);
    cJSON_AddNumberToObject(o, "cycles", (double)time->weight / d->header->units);
    cJSON_AddNumberToObject(o, "share", d->total ? (double)time->weight / (double)d->total : 0);
    if (sure) {
        const struct estimate estimate = confidence_of_number(sure, unit, SPREAD_TIME);
        json_add_estimate(o, &estimate);
    }
    for (unsigned c = 0; c < column_count(kind); c++) {
        units_cell(u, unit, c, text, sizeof text);
        if (!kind->columns[c].number) {
            cJSON_AddStringToObject(o, kind->columns[c].key, text);
        } else if (strcmp(text, "-") == 0) {
            cJSON_AddNullToObject(o, kind->columns[c].key);
        } else {
            cJSON_AddRawToObject(o, kind->columns[c].key, text);
        }
    }
    report_why(d, time, text, sizeof text);
    cJSON_AddStringToObject(o, "why", time->weight ? text : "");
    cJSON_AddItemToObject(o, "states", json_states(time->states));
    cJSON *stack = cJSON_AddArrayToObject(o, "stack");
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(stack, json_vector(&rows[i]));
    return o;
}

static int by_json(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct units *u = units_create(d, o->by);
    cJSON *root = cJSON_CreateObject();
    if (!u || !root) {
        units_destroy(u);
        cJSON_Delete(root);
        return report_out_of_memory(d->path, err);
    }
    struct confidence *sure = d->by_samples ? confidence_create_by(u, err) : NULL;
    if (d->by_samples && !sure) {
        units_destroy(u);
        cJSON_Delete(root);
        return -EINVAL;
    }
    json_add_profile(root, d);
    json_add_states(root, d);
    json_add_granularity(root, o->by->name, sure);
    cJSON *array = cJSON_AddArrayToObject(root, "units");
    for (size_t i = 0; i < units_count(u); i++)
        cJSON_AddItemToArray(array, unit_object(u, o->by, units_ranked(u, i), sure));
    confidence_destroy(sure);
    units_destroy(u);
    return json_print(root, d->path, out, err);
}

// ---- kinds that fill a table ----
static int by_sheet(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct sheet *s = sheet_create();
    int result = s ? o->by->fill(d, o, s, err) : report_out_of_memory(d->path, err);
    if (result == 0 && !sheet_good(s)) result = report_out_of_memory(d->path, err);
    if (result == 0 && o->format == &format_csv) {
        csv_run(out, d);
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
    report_writer *write = o->by->write                ? o->by->write
                           : o->by->fill               ? by_sheet
                           : o->format == &format_csv  ? by_csv
                           : o->format == &format_json ? by_json
                                                       : by_text;
    return write(d, o, out, err);
}
