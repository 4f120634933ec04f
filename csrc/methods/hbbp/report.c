// The three forms of one table. Its columns are methods, or the values of a key.
#include "methods/hbbp/report.h"
#include "base/grouped.h"
#include "report/csv.h"
#include "report/json_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const key_names[] = {MIX_KEY_NAMES};
static const char *const method_names[] = {MIX_METHOD_NAMES};

static bool no_memory(struct error *err) {
    error_nomem(err, "instruction mix");
    return false;
}

static bool shown(const struct mix_report *r, unsigned method) {
    return r->methods >> method & 1;
}

static unsigned first_shown(const struct mix_report *r) {
    return shown(r, MIX_HBBP) ? MIX_HBBP : (unsigned)__builtin_ctz(r->methods);
}

static double percent(double part, double all) {
    return all > 0 ? 100 * part / all : 0;
}

// ---- a column for each value of the last key ----
struct across {
    const char **columns; // by executions, most first
    size_t columns_count;
    size_t *rows; // first row of the pivot of each, in their order
    size_t row_count;
    double *cells; // row by row
    unsigned method;
};

static int same_keys(const struct pivot_row *a, const struct pivot_row *b, unsigned keys) {
    int order = 0;
    for (unsigned k = 0; k < keys && !order; k++)
        order = strcmp(a->values[k], b->values[k]);
    return order;
}

// Both lists are in the order in which the pivot, the most executed row first, comes upon them.
static bool spread(const struct mix_report *r, struct across *a) {
    const unsigned last = r->keys->key_count - 1;
    const struct pivot *p = r->pivot;
    *a = (struct across){.method = first_shown(r)};
    size_t *of = calloc(2 * p->count + 1, sizeof *of);
    a->columns = calloc(p->count + 1, sizeof *a->columns);
    a->rows = calloc(p->count + 1, sizeof *a->rows);
    for (size_t i = 0; of && a->columns && a->rows && i < p->count; i++) {
        size_t c = 0, row = 0;
        while (c < a->columns_count && strcmp(a->columns[c], p->rows[i].values[last]) != 0)
            c++;
        while (row < a->row_count && same_keys(&p->rows[a->rows[row]], &p->rows[i], last) != 0)
            row++;
        if (c == a->columns_count) a->columns[a->columns_count++] = p->rows[i].values[last];
        if (row == a->row_count) a->rows[a->row_count++] = i;
        of[2 * i] = row;
        of[2 * i + 1] = c;
    }
    if (of && a->columns && a->rows) a->cells = calloc(a->row_count * a->columns_count + 1, sizeof *a->cells);
    for (size_t i = 0; a->cells && i < p->count; i++)
        a->cells[of[2 * i] * a->columns_count + of[2 * i + 1]] += p->rows[i].counts[a->method];
    free(of);
    return a->cells != NULL;
}

static void spread_free(struct across *a) {
    free(a->columns);
    free(a->rows);
    free(a->cells);
}

static double row_total(const struct across *a, size_t row) {
    double total = 0;
    for (size_t c = 0; c < a->columns_count; c++)
        total += a->cells[row * a->columns_count + c];
    return total;
}

// Whole where it is one, as counts are; estimates have decimals.
static void put_number(char before, double number, FILE *out) {
    fputc(before, out);
    fprintf(out, number == floor(number) ? "%.0f" : "%.3f", number);
}

// ---- text ----
static void text_number(double number, int width, FILE *out) {
    char text[GROUPED_TEXT];
    fprintf(out, " %*s", width, grouped(text, (uint64_t)llround(number)));
}

static void text_keys(const struct mix_report *r, const struct pivot_row *row, unsigned keys, FILE *out) {
    for (unsigned k = 0; k < keys; k++)
        fprintf(out, k + 1 < keys ? "  %-24s" : "  %s", row ? row->values[k] : key_names[r->keys->keys[k]]);
    fputc('\n', out);
}

static size_t limited(const struct mix_report *r, size_t count) {
    return r->limit && r->limit < count ? r->limit : count;
}

static void text_across(const struct mix_report *r, const struct across *a, FILE *out) {
    const unsigned keys = r->keys->key_count - 1;
    double total = r->pivot->totals[a->method];
    fprintf(out, "\n  share   executions");
    for (size_t c = 0; c < a->columns_count; c++)
        fprintf(out, " %14.14s", a->columns[c]);
    text_keys(r, NULL, keys, out);
    for (size_t i = 0; i < limited(r, a->row_count); i++) {
        fprintf(out, " %5.1f %%", percent(row_total(a, i), total));
        text_number(row_total(a, i), 12, out);
        for (size_t c = 0; c < a->columns_count; c++)
            text_number(a->cells[i * a->columns_count + c], 14, out);
        text_keys(r, &r->pivot->rows[a->rows[i]], keys, out);
    }
    if (limited(r, a->row_count) < a->row_count)
        fprintf(out, "  ... %zu more rows: --top 0 shows all\n", a->row_count - limited(r, a->row_count));
}

static void text_row(const struct mix_report *r, const struct pivot_row *row, FILE *out) {
    const unsigned first = first_shown(r);
    fprintf(out, " %5.1f %%", percent(row->counts[first], r->pivot->totals[first]));
    for (unsigned m = 0; m < MIX_METHODS; m++)
        if (shown(r, m)) text_number(row->counts[m], 12, out);
    for (unsigned m = MIX_EBS; m < MIX_METHODS && r->errors; m++) {
        if (!shown(r, m)) continue;
        const double exact = row->counts[MIX_EXACT];
        if (exact > 0) {
            fprintf(out, " %+7.1f %%", percent(row->counts[m] - exact, exact));
        } else {
            fprintf(out, " %9s", "-");
        }
    }
    text_keys(r, row, r->keys->key_count, out);
}

static void text_errors(const struct mix_report *r, FILE *out) {
    if (!r->errors) return;
    fputs("\nAverage weighted error of this table", out);
    for (unsigned m = MIX_EBS; m < MIX_METHODS; m++)
        if (shown(r, m)) fprintf(out, "  %s %.2f %%", method_names[m], 100 * pivot_error(r->pivot, (enum mix_method)m));
    fputc('\n', out);
}

static void write_text(const struct mix_report *r, const struct across *a, FILE *out) {
    fprintf(out, "Instruction mix: %s\n  %s\n", r->program, r->source);
    if (r->rule) fprintf(out, "  HBBP by the rule '%s'\n", r->rule);
    if (r->mix->quality.streams)
        fprintf(out, "  %" PRIu64 " streams: %" PRIu64 " in no image, %" PRIu64 " broken\n", r->mix->quality.streams,
                r->mix->quality.outside, r->mix->quality.broken);
    if (a) {
        text_across(r, a, out);
        return;
    }
    fputs("\n  share ", out);
    for (unsigned m = 0; m < MIX_METHODS; m++)
        if (shown(r, m)) fprintf(out, " %12s", r->methods & (r->methods - 1) ? method_names[m] : "executions");
    for (unsigned m = MIX_EBS; m < MIX_METHODS && r->errors; m++)
        if (shown(r, m)) fprintf(out, " %5s off", method_names[m]);
    text_keys(r, NULL, r->keys->key_count, out);
    for (size_t i = 0; i < limited(r, r->pivot->count); i++)
        text_row(r, &r->pivot->rows[i], out);
    if (limited(r, r->pivot->count) < r->pivot->count)
        fprintf(out, "  ... %zu more rows: --top 0 shows all\n", r->pivot->count - limited(r, r->pivot->count));
    text_errors(r, out);
}

// ---- CSV ----
static void csv_keys(const struct mix_report *r, const struct pivot_row *row, unsigned keys, FILE *out) {
    for (unsigned k = 0; k < keys; k++) {
        if (k) fputc(',', out);
        csv_text(out, row ? row->values[k] : key_names[r->keys->keys[k]]);
    }
}

static void write_csv(const struct mix_report *r, const struct across *a, FILE *out) {
    const unsigned keys = r->keys->key_count - (a != NULL);
    csv_keys(r, NULL, keys, out);
    for (size_t c = 0; a && c < a->columns_count; c++) {
        fputc(',', out);
        csv_text(out, a->columns[c]);
    }
    for (unsigned m = 0; m < MIX_METHODS && !a; m++)
        if (shown(r, m)) fprintf(out, ",%s", method_names[m]);
    fputc('\n', out);
    for (size_t i = 0; i < (a ? a->row_count : r->pivot->count); i++) {
        const struct pivot_row *row = &r->pivot->rows[a ? a->rows[i] : i];
        csv_keys(r, row, keys, out);
        for (size_t c = 0; a && c < a->columns_count; c++)
            put_number(',', a->cells[i * a->columns_count + c], out);
        for (unsigned m = 0; m < MIX_METHODS && !a; m++)
            if (shown(r, m)) put_number(',', row->counts[m], out);
        fputc('\n', out);
    }
}

// ---- JSON ----
static void json_head(const struct mix_report *r, FILE *out) {
    fputs("{\"program\":", out);
    json_text_string(out, r->program);
    fputs(",\"source\":", out);
    json_text_string(out, r->source);
    if (r->rule) {
        fputs(",\"rule\":", out);
        json_text_string(out, r->rule);
    }
    fputs(",\n\"totals\":{", out);
    const char *between = "";
    for (unsigned m = 0; m < MIX_METHODS; m++) {
        if (!shown(r, m)) continue;
        fprintf(out, "%s\"%s\"", between, method_names[m]);
        put_number(':', r->pivot->totals[m], out);
        between = ",";
    }
    fputs("},\n\"errors\":{", out);
    between = "";
    for (unsigned m = MIX_EBS; m < MIX_METHODS && r->errors; m++) {
        if (!shown(r, m)) continue;
        fprintf(out, "%s\"%s\":%.8f", between, method_names[m], pivot_error(r->pivot, (enum mix_method)m));
        between = ",";
    }
    fprintf(out,
            "},\n\"streams\":%" PRIu64 ",\"streams_outside\":%" PRIu64 ",\"streams_broken\":%" PRIu64 ",\n\"rows\":[",
            r->mix->quality.streams, r->mix->quality.outside, r->mix->quality.broken);
}

static void json_row(const struct mix_report *r, const struct across *a, size_t i, FILE *out) {
    const struct pivot_row *row = &r->pivot->rows[a ? a->rows[i] : i];
    const char *between = "";
    fputs(i ? ",\n{" : "\n{", out);
    for (unsigned k = 0; k < r->keys->key_count - (a != NULL); k++) {
        fprintf(out, "%s\"%s\":", between, key_names[r->keys->keys[k]]);
        json_text_string(out, row->values[k]);
        between = ",";
    }
    if (a) fprintf(out, "%s\"executions\":{", between);
    for (size_t c = 0; a && c < a->columns_count; c++) {
        fputs(c ? "," : "", out);
        json_text_string(out, a->columns[c]);
        put_number(':', a->cells[i * a->columns_count + c], out);
    }
    for (unsigned m = 0; m < MIX_METHODS && !a; m++) {
        if (!shown(r, m)) continue;
        fprintf(out, "%s\"%s\"", between, method_names[m]);
        put_number(':', row->counts[m], out);
        between = ",";
    }
    fputs(a ? "}}" : "}", out);
}

static void write_json(const struct mix_report *r, const struct across *a, FILE *out) {
    json_head(r, out);
    for (size_t i = 0; i < (a ? a->row_count : r->pivot->count); i++)
        json_row(r, a, i, out);
    fputs("]}\n", out);
}

bool mix_report_write(const struct mix_report *r, enum mix_format format, FILE *out, struct error *err) {
    struct across across, *a = NULL;
    if (r->across) {
        const bool good = spread(r, &across);
        if (!good) spread_free(&across);
        if (!good) return no_memory(err);
        a = &across;
    }
    switch (format) {
    case MIX_CSV: write_csv(r, a, out); break;
    case MIX_JSON: write_json(r, a, out); break;
    default: write_text(r, a, out); break;
    }
    if (a) spread_free(a);
    return true;
}
