// Two runs: units are matched by name, and each change is held against what chance would make of it.
#include "report/diff.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

double diff_change(const struct diff_row *row, unsigned component, double *deviation) {
    const struct diff_value *a = &row->of[0][component], *b = &row->of[1][component];
    *deviation = sqrt(a->deviation * a->deviation + b->deviation * b->deviation);
    return b->value - a->value;
}

bool diff_component_known(const struct diff *d, unsigned component) {
    if (component < SPREAD_EVENTS) return true;
    return d->vectors && component - SPREAD_EVENTS < d->side[0].header->event_count;
}

const char *diff_component_name(const struct diff *d, unsigned component) {
    if (component == SPREAD_TIME) return "time";
    if (component < SPREAD_EVENTS) return report_state_name(component - SPREAD_STATES);
    return d->side[0].header->events[component - SPREAD_EVENTS];
}

// ---- one side's units under names ----
struct named {
    char *unit, *name;
    unsigned side;
    struct place place; // unit_of
    const struct unit_time *time;
    size_t row;
};

struct names {
    struct named *list;
    size_t count;
};

static int by_name(const void *x, const void *y) {
    const struct named *a = x, *b = y;
    int order = strcmp(a->unit, b->unit);
    return order ? order : strcmp(a->name, b->name);
}

static int by_place(const void *x, const void *y) {
    const struct named *a = x, *b = y;
    if (a->side != b->side) return a->side < b->side ? -1 : 1;
    if (a->place.pc != b->place.pc) return a->place.pc < b->place.pc ? -1 : 1;
    return a->place.context < b->place.context ? -1 : a->place.context > b->place.context;
}

static bool add_names(struct names *names, const struct report_data *d, unsigned side, enum granularity g,
                      const struct unit_time *units, size_t count) {
    char unit[TEXT], name[TEXT];
    struct named *list = realloc(names->list, (names->count + count + 1) * sizeof *list);
    if (!list) return false;
    names->list = list;
    for (size_t i = 0; i < count; i++) {
        report_label(d, g, units[i].place, name, sizeof name);
        // A function is the same one wherever it lies; of one build the addresses are the same.
        report_unit(d, g, units[i].place, unit, sizeof unit);
        struct named *n = &list[names->count];
        *n = (struct named){.side = side, .place = units[i].place, .time = &units[i]};
        n->unit = strdup(g == BY_FUNCTION ? name : unit);
        n->name = strdup(name);
        names->count++;
        if (!n->unit || !n->name) return false;
    }
    return true;
}

static void free_names(struct names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i].unit);
        free(names->list[i].name);
    }
    free(names->list);
}

// ---- rows ----
// Exact values, of a profile in the file.
static void add_exact(struct diff_row *row, const struct named *n, double cycle) {
    struct diff_value *v = row->of[n->side];
    v[SPREAD_TIME].value += (double)n->time->weight / cycle;
    for (unsigned s = 0; s < STATE_COUNT; s++)
        v[SPREAD_STATES + s].value += (double)n->time->states[s] / cycle;
    for (unsigned e = 0; e < 16; e++)
        v[SPREAD_EVENTS + e].value += (double)n->time->events[e] / cycle;
}

static bool make_rows(struct diff *d, struct names *names) {
    qsort(names->list, names->count, sizeof *names->list, by_name);
    d->rows = calloc(names->count + 1, sizeof *d->rows);
    if (!d->rows) return false;
    for (size_t i = 0; i < names->count; i++) {
        struct named *n = &names->list[i];
        if (i == 0 || by_name(n, &names->list[i - 1]) != 0)
            d->rows[d->count++] = (struct diff_row){.unit = n->unit, .name = n->name};
        n->row = d->count - 1;
        if (d->side[n->side].by_samples) continue;
        const double cycle = d->side[n->side].header->units;
        add_exact(&d->rows[n->row], n, cycle);
        add_exact(&d->all, n, cycle);
    }
    return true;
}

// ---- estimates, from the samples one by one ----
struct lookup {
    const struct report_data *data;
    enum granularity granularity;
    const struct named *list; // of this side, by place
    size_t count, rows;
};

static size_t row_of(void *context, struct place place) {
    const struct lookup *l = context;
    const struct named key = {.side = l->count ? l->list->side : 0,
                              .place = unit_of(l->data->images, l->granularity, place)};
    const struct named *found = bsearch(&key, l->list, l->count, sizeof *l->list, by_place);
    return found ? found->row : l->rows;
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    spread_add(context, header, record);
    return true;
}

static void set_estimates(struct diff_row *row, unsigned side, const struct spread *s, size_t unit) {
    for (unsigned c = 0; c < SPREAD_COMPONENTS; c++) {
        const struct estimate e = spread_of(s, unit, c);
        row->of[side][c] = (struct diff_value){e.cycles, e.deviation, e.samples};
    }
}

static int estimate(struct diff *d, unsigned side, enum granularity g, const struct names *names, struct error *err) {
    size_t first = 0, count = 0;
    while (first < names->count && names->list[first].side != side)
        first++;
    while (first + count < names->count && names->list[first + count].side == side)
        count++;
    struct lookup lookup = {&d->side[side], g, names->list + first, count, d->count};
    struct spread *s = spread_create(d->count, row_of, &lookup);
    if (!s) return report_out_of_memory(d->side[side].path, err);
    struct samples *again = samples_read(d->side[side].path, take, s, err);
    for (size_t i = 0; again && i < d->count; i++)
        set_estimates(&d->rows[i], side, s, i);
    if (again) set_estimates(&d->all, side, s, SPREAD_ALL);
    samples_destroy(again);
    spread_destroy(s);
    return again ? 0 : -EINVAL;
}

// ---- judging ----
static void to_shares(struct diff_row *row, const double total[2]) {
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned c = 0; c < SPREAD_COMPONENTS && total[side] > 0; c++) {
            row->of[side][c].value /= total[side];
            row->of[side][c].deviation /= total[side];
        }
    }
}

static void judge_row(const struct diff *d, struct diff_row *row) {
    double deviation, change = diff_change(row, SPREAD_TIME, &deviation);
    uint64_t samples = 0;
    bool exact = true;
    for (unsigned side = 0; side < 2; side++) {
        samples += row->of[side][SPREAD_TIME].samples;
        exact = exact && !d->side[side].by_samples;
    }
    row->chance = exact || samples >= DIFF_FEW ? spread_chance(change, deviation) : NAN;
}

static int by_change(const void *x, const void *y) {
    const struct diff_row *a = x, *b = y;
    double none, p = fabs(diff_change(a, SPREAD_TIME, &none)), q = fabs(diff_change(b, SPREAD_TIME, &none));
    if (a->beyond_chance != b->beyond_chance) return a->beyond_chance ? -1 : 1;
    if (p != q) return p > q ? -1 : 1;
    return strcmp(a->unit, b->unit);
}

static bool judge(struct diff *d, bool shares) {
    double *chances = malloc((d->count + 1) * sizeof *chances);
    bool *marked = calloc(d->count + 1, sizeof *marked), good = chances && marked;
    const double total[2] = {d->all.of[0][SPREAD_TIME].value, d->all.of[1][SPREAD_TIME].value};
    if (shares) to_shares(&d->all, total);
    for (unsigned side = 0; side < 2 && !shares; side++) // counted, not sampled: also what follows the last sample
        d->all.of[side][SPREAD_TIME] = (struct diff_value){.value = (double)d->side[side].cycles};
    d->all.chance = spread_chance(d->all.of[1][SPREAD_TIME].value - d->all.of[0][SPREAD_TIME].value, 0);
    for (size_t i = 0; good && i < d->count; i++) {
        if (shares) to_shares(&d->rows[i], total);
        judge_row(d, &d->rows[i]);
        chances[i] = d->rows[i].chance;
    }
    good = good && spread_beyond_chance(chances, d->count, DIFF_LEVEL, marked);
    for (size_t i = 0; good && i < d->count; i++) {
        d->rows[i].beyond_chance = marked[i];
        d->marked += marked[i];
    }
    if (good) qsort(d->rows, d->count, sizeof *d->rows, by_change);
    free(chances);
    free(marked);
    return good;
}

// ---- the two files ----
// Addresses mean the same in both: the images are of the same builds.
static bool same_builds(const struct report_data *a, const struct report_data *b) {
    const struct guest_images *x = &a->header->images, *y = &b->header->images;
    if (!x->count || !y->count)
        return !x->count && !y->count && a->header->build_id[0] &&
               strcmp(a->header->build_id, b->header->build_id) == 0;
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t k = 0;
        while (k < y->count &&
               (strcmp(x->list[i].name, y->list[k].name) != 0 || strcmp(x->list[i].build_id, y->list[k].build_id) != 0))
            k++;
        if (k == y->count || !x->list[i].build_id[0]) return false;
    }
    return true;
}

static int check_units(const struct diff *d, enum granularity g, struct error *err) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    for (unsigned side = 0; side < 2; side++) {
        if (d->side[side].readable || g == BY_INSTRUCTION) continue;
        error_set(err, "%s: its program cannot be read, so that there are no names: name it with --program-%c",
                  d->side[side].path, "ab"[side]);
        return -ENOENT;
    }
    if (g == BY_FUNCTION || same_builds(&d->side[0], &d->side[1])) return 0;
    error_set(err,
              "%s and %s: not of one build, so that no %s of the one is known to be one of the other: compare by "
              "--granularity function",
              d->side[0].path, d->side[1].path, granularities[g]);
    return -EINVAL;
}

static int fill(struct diff *d, const struct report_options *o, struct names *names, struct unit_time *units[2],
                struct error *err) {
    int result = check_units(d, o->granularity, err);
    bool good = true;
    for (unsigned side = 0; side < 2 && result == 0 && good; side++) {
        size_t count;
        units[side] = report_units(&d->side[side], o->granularity, &count);
        good = add_names(names, &d->side[side], side, o->granularity, units[side], count);
    }
    if (result) return result;
    good = good && make_rows(d, names);
    qsort(names->list, names->count, sizeof *names->list, by_place);
    for (unsigned side = 0; side < 2 && result == 0 && good; side++) {
        if (d->side[side].by_samples) result = estimate(d, side, o->granularity, names, err);
    }
    if (result) return result;
    return good && judge(d, o->shares) ? 0 : report_out_of_memory(d->side[0].path, err);
}

int report_diff(const char *const paths[2], const struct report_options *o, FILE *out, struct error *err) {
    static int (*const formats[])(const struct diff *, const struct report_options *, FILE *, struct error *) = {
        [REPORT_TEXT] = diff_text, [REPORT_CSV] = diff_csv, [REPORT_JSON] = diff_json};
    struct diff d = {.vectors = true, .all = {.unit = "all", .name = "all"}};
    struct names names = {0};
    struct unit_time *units[2] = {0};
    int result = 0;
    for (unsigned side = 0; side < 2; side++) {
        struct report_options own = *o;
        if (o->programs[side]) own.program = o->programs[side];
        if (result == 0 && !report_open(&d.side[side], paths[side], &own, err)) result = -EINVAL;
        if (result) continue;
        d.estimated = d.estimated || d.side[side].by_samples;
        d.vectors = d.vectors && d.side[side].header->vectors != SAMPLES_VECTORS_NONE;
    }
    if (result == 0) result = fill(&d, o, &names, units, err);
    if (result == 0) result = formats[o->format](&d, o, out, err);
    for (unsigned side = 0; side < 2; side++) {
        free(units[side]);
        report_close(&d.side[side]);
    }
    free(d.rows);
    free_names(&names);
    return result;
}
