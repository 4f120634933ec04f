// Pairs: what issues while an instruction is in progress, the slots that stay empty meanwhile, and IPC around it; the
// paper's figure 7.
#include "base/bisect.h"
#include "events.h"
#include "methods/profileme/view.h"
#include "report/plot.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view {
    struct profileme_page *page;
    struct profileme_pairs *useful, *other;  // other: of the overlap that is asked for, NULL if it is the useful one
    const struct profileme_pairs_row **rows; // of useful
    size_t count;
    unsigned slots;
};
struct order {
    double wasted;
    const struct profileme_pairs_row *row;
};

static int most_wasted(const void *x, const void *y) {
    const struct order *a = x, *b = y;
    if (a->wasted != b->wasted) return a->wasted < b->wasted ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

static bool rank(struct view *v) {
    const struct profileme_pairs_row *rows = profileme_pairs_rows(v->useful, &v->count);
    struct order *order = calloc(v->count + 1, sizeof *order);
    v->rows = calloc(v->count + 1, sizeof(const struct profileme_pairs_row *));
    for (size_t i = 0; order && v->rows && i < v->count; i++)
        order[i] = (struct order){profileme_wasted(v->useful, &rows[i]).value, &rows[i]};
    if (order && v->rows) qsort(order, v->count, sizeof *order, most_wasted);
    for (size_t i = 0; order && v->rows && i < v->count; i++)
        v->rows[i] = order[i].row;
    const bool good = order && v->rows;
    free(order);
    return good;
}

static bool row_before(const void *entry, const void *key) {
    const struct place *at = &((const struct lifetime *)entry)->place, *place = key;
    return at->context < place->context || (at->context == place->context && at->pc < place->pc);
}
static const struct lifetime *exact_of(const struct profileme_page *page, struct place place) {
    const size_t i = bisect(page->exact, page->exact_count, sizeof *page->exact, row_before, &place);
    return i < page->exact_count && place_equal(page->exact[i].place, place) ? &page->exact[i] : NULL;
}

static void columns(const struct view *v) {
    struct sheet *s = v->page->sheet;
    sheet_column(s, "wasted_slots", "wasted slots", SHEET_RIGHT);
    sheet_column(s, "wasted_slots_95", "±95 %", SHEET_RIGHT);
    sheet_column(s, "exact_wasted_slots", "exact", SHEET_RIGHT);
    sheet_column(s, "latency", "latency", SHEET_RIGHT);
    sheet_column(s, "exact_latency", "exact", SHEET_RIGHT);
    sheet_column(s, "useful", "useful", SHEET_RIGHT);
    sheet_column(s, "exact_useful", "exact", SHEET_RIGHT);
    sheet_column(s, "wasted_share", "wasted %", SHEET_RIGHT); // of the slots while it was in progress
    sheet_column(s, "ipc", "IPC near", SHEET_RIGHT);
    sheet_column(s, "samples", "samples", SHEET_RIGHT);
    sheet_column(s, "useful_before", "", SHEET_FILES);
    sheet_column(s, "useful_after", "", SHEET_FILES);
    if (v->other) {
        sheet_column(s, "overlapping", v->page->options->overlap->name, SHEET_RIGHT);
        sheet_column(s, "overlapping_each", "each", SHEET_RIGHT);
    }
    profileme_code_columns(s);
}

static void exact_cell(struct sheet *s, const struct lifetime *exact, double value) {
    sheet_add(s, value_real(exact ? value : NAN, 0));
}

static void fill(const struct view *v, const struct profileme_pairs_row *row) {
    struct sheet *s = v->page->sheet;
    const struct profileme_value wasted = profileme_wasted(v->useful, row);
    const struct lifetime *exact = exact_of(v->page, row->place);
    const double slots = profileme_latency(v->useful, row) * v->slots;
    const double progress = exact ? (double)exact->total[TOTAL_PROGRESS] : 0,
                 useful = exact ? (double)exact->total[TOTAL_USEFUL] : 0;
    sheet_add(s, value_real(wasted.value, 0));
    sheet_add(s, value_real(1.96 * wasted.deviation, 0));
    exact_cell(s, exact, progress * v->slots - useful);
    sheet_add(s, value_real(profileme_latency(v->useful, row), 0));
    exact_cell(s, exact, progress);
    sheet_add(s, value_real(profileme_overlapping(v->useful, row), 0));
    exact_cell(s, exact, useful);
    profileme_per_cent(s, slots > 0 ? wasted.value / slots : NAN);
    sheet_add(s, value_real(row->retired ? profileme_ipc(v->useful, row) : NAN, 2));
    sheet_add(s, value_count(row->firsts + row->seconds));
    sheet_add(s, value_count(row->before));
    sheet_add(s, value_count(row->after));
    if (v->other) {
        const struct profileme_pairs_row *other = profileme_pairs_find(v->other, row->place);
        const double overlapping = other ? profileme_overlapping(v->other, other) : 0;
        sheet_add(s, value_real(overlapping, 0));
        sheet_add(s, value_real(overlapping /
                                    (profileme_pairs_interval(v->useful) / 2 * (double)(row->firsts + row->seconds)),
                                2));
    }
    profileme_code(v->page, row->place);
}

// ---- the picture: the three functions with the longest latency, a shape each ----
struct function {
    struct place place;
    double latency;
};

static int longest(const void *x, const void *y) {
    const struct function *a = x, *b = y;
    return (a->latency < b->latency) - (a->latency > b->latency);
}

static size_t find(const struct function *list, size_t count, struct place place) {
    size_t i = 0;
    while (i < count && !place_equal(list[i].place, place))
        i++;
    return i;
}

static int draw(const struct view *v, FILE *out, struct error *err) {
    struct function *functions = calloc(v->count + 1, sizeof *functions);
    struct plot_point *points = calloc(v->count + 1, sizeof *points);
    char names[3][64], text[160];
    size_t count = 0, n = 0;
    for (size_t i = 0; functions && points && i < v->count; i++) {
        const struct place unit = unit_of(v->page->data->images, BY_FUNCTION, v->rows[i]->place);
        const size_t at = find(functions, count, unit);
        if (at == count) functions[count++].place = unit;
        functions[at].latency += profileme_latency(v->useful, v->rows[i]);
    }
    if (functions && points) qsort(functions, count, sizeof *functions, longest);
    for (size_t i = 0; functions && points && i < v->count; i++) {
        const size_t at = find(functions, count, unit_of(v->page->data->images, BY_FUNCTION, v->rows[i]->place));
        if (at >= 3 || v->rows[i]->firsts + v->rows[i]->seconds < PROFILEME_FEW) continue;
        points[n++] = (struct plot_point){profileme_latency(v->useful, v->rows[i]),
                                          profileme_wasted(v->useful, v->rows[i]).value, (unsigned)at, NULL};
    }
    struct plot plot = {.head = "Wasted issue slots against latency",
                        .text = text,
                        .x = "cycles from fetch to retire ready, all executions",
                        .y = "wasted issue slots",
                        .points = points,
                        .count = n};
    snprintf(text, sizeof text,
             "a point an instruction, of the three functions with the longest latencies; %u slots a cycle", v->slots);
    for (size_t i = 0; functions && i < 3 && i < count; i++) {
        report_name(v->page->data, BY_FUNCTION, functions[i].place, names[i], sizeof names[i]);
        plot.series[i] = names[i];
    }
    const bool good = functions && points;
    if (good) plot_write(&plot, out);
    free(functions);
    free(points);
    return good ? 0 : report_out_of_memory(v->page->data->path, err);
}

static void head(const struct view *v, size_t shown) {
    const struct profileme_options *o = v->page->options;
    fprintf(v->page->above,
            "Instructions by the issue slots that stay empty, or issue what dies, while they are in progress, fetch to "
            "retire ready (%zu of %zu)\n",
            shown, v->count);
    fprintf(v->page->above,
            "  L C S / 2 - U W S: C = %u slots a cycle (%s), S = %.1f instructions a pair, W = %u instructions\n",
            v->slots, o->slots ? "--slots" : "the width of the core: its issue ports are not in the file",
            profileme_pairs_interval(v->useful), 1u << v->page->settings.window);
    fprintf(v->page->above,
            "  IPC near: instructions that retire in a cycle, from %u cycles before to %u after its own retirement\n",
            o->near, o->near);
    if (v->other)
        fprintf(v->page->above, "  %s: the other %s; in all, and each time\n", o->overlap->name, o->overlap->text);
}

static int write(struct view *v, FILE *out, struct error *err) {
    const struct profileme_options *o = v->page->options;
    if (!rank(v)) return report_out_of_memory(v->page->data->path, err);
    if (o->format == PROFILEME_SVG) return draw(v, out, err);
    const size_t top = o->report.top, shown = top && top < v->count ? top : v->count;
    head(v, shown);
    columns(v);
    for (size_t i = 0; i < shown; i++)
        fill(v, v->rows[i]);
    return 0;
}

int profileme_pairs_view(struct profileme_page *page, FILE *out, struct error *err) {
    const struct profileme_options *o = page->options;
    struct view v = {.page = page, .slots = o->slots ? o->slots : page->data->header->width};
    struct profileme_pairs_settings settings = {profileme_overlap(0), v.slots, o->near};
    struct error fault = {""};
    v.useful = profileme_pairs_create(page->records, page->count, &page->settings, &settings, &fault);
    if (v.useful && o->overlap != profileme_overlap(0)) {
        settings.overlap = o->overlap;
        v.other = profileme_pairs_create(page->records, page->count, &page->settings, &settings, &fault);
    }
    int result = -EINVAL;
    if (fault.text[0]) {
        error_set(err, "%s: %s", page->data->path, fault.text);
    } else {
        result = write(&v, out, err);
    }
    free(v.rows);
    profileme_pairs_destroy(v.useful);
    profileme_pairs_destroy(v.other);
    return result;
}
