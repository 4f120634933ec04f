// Two runs: each change is held against what chance would make of it.
#include "report/diff_units.h"
#include "report/formats.h"
#include "report/style.h"
#include "report/units.h"
#include "report/words.h"
#include "results.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double diff_change(const struct diff_row *row, unsigned component, double *deviation) {
    const struct diff_value *a = &row->of[0][component], *b = &row->of[1][component];
    *deviation = sqrt(a->deviation * a->deviation + b->deviation * b->deviation);
    return b->value - a->value;
}

bool diff_component_known(const struct diff *d, unsigned component) {
    if (component == SPREAD_TIME) return true;
    if (component < SPREAD_EVENTS) return d->states;
    return d->vectors && component - SPREAD_EVENTS < d->side[0].header->event_count;
}

const char *diff_component_name(const struct diff *d, unsigned component) {
    if (component == SPREAD_TIME) return "time";
    if (component < SPREAD_EVENTS) return report_state_name(component - SPREAD_STATES);
    return d->side[0].header->events[component - SPREAD_EVENTS];
}

const char *diff_word(const struct report_options *o) {
    return o->by ? o->by->name : o->granularity == BY_FUNCTION ? "function" : "instruction";
}

// ---- estimates, from the samples one by one ----
struct lookup {
    const struct side_units *side;
    size_t rows;
};

// All places of samples have time, so their units exist.
static size_t row_of(void *context, struct place place) {
    const struct lookup *l = context;
    const size_t number = numbering_of(&l->side->numbering, place);
    return number < l->side->numbering.count ? l->side->rows[number] : l->rows;
}

static void set_estimates(struct diff_row *row, unsigned side, const struct spread *s, size_t unit) {
    for (unsigned c = 0; c < SPREAD_COMPONENTS; c++) {
        const struct estimate e = spread_of(s, unit, c);
        row->of[side][c] = (struct diff_value){e.cycles, e.deviation, e.samples};
    }
}

static int estimate(struct diff *d, unsigned side, struct matching *m, struct error *err) {
    struct lookup lookup = {&m->side[side], d->count};
    struct spread *s = numbering_spread(&d->side[side], d->count, row_of, &lookup, err);
    if (!s) return -EINVAL;
    for (size_t i = 0; i < d->count; i++)
        set_estimates(&d->rows[i], side, s, i);
    set_estimates(&d->all, side, s, SPREAD_ALL);
    spread_destroy(s);
    return 0;
}

// What `perf record` sampled: each sample has about the same weight, and how many fall into a unit varies as their
// number (Poisson).
static void estimate_sampled(struct diff *d, unsigned side) {
    const struct run *run = &d->side[side];
    const struct samples_taken *taken = results_samples_taken(samples_results(run->samples));
    const double each = taken && taken->samples ? (double)run->total / (double)taken->samples : 0;
    for (size_t i = 0; i < d->count; i++) {
        for (unsigned c = 0; c < SPREAD_COMPONENTS && each > 0; c++) {
            struct diff_value *v = &d->rows[i].of[side][c];
            v->samples = (uint64_t)(v->value / each + 0.5);
            v->deviation = sqrt(v->value * each);
        }
    }
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
        exact = exact && !d->side[side].by_samples && !style_sampled(&d->side[side]);
    }
    row->chance = exact || samples >= SPREAD_FEW ? spread_chance(change, deviation) : NAN;
}

static int by_change(const void *x, const void *y) {
    const struct diff_row *a = x, *b = y;
    double none, p = fabs(diff_change(a, SPREAD_TIME, &none)), q = fabs(diff_change(b, SPREAD_TIME, &none));
    if (a->beyond_chance != b->beyond_chance) return a->beyond_chance ? -1 : 1;
    if (p != q) return p > q ? -1 : 1;
    return strcmp(a->unit, b->unit);
}

static double all_cycles(const struct run *d) {
    return d->shown ? (double)d->total / d->header->units : (double)d->cycles;
}

static bool judge(struct diff *d, bool shares) {
    double *chances = malloc((d->count + 1) * sizeof *chances);
    bool *marked = calloc(d->count + 1, sizeof *marked), good = chances && marked;
    const double total[2] = {d->all.of[0][SPREAD_TIME].value, d->all.of[1][SPREAD_TIME].value};
    if (shares) to_shares(&d->all, total);
    for (unsigned side = 0; side < 2 && !shares; side++) // counted, not sampled: also what follows the last sample
        d->all.of[side][SPREAD_TIME] = (struct diff_value){.value = all_cycles(&d->side[side])};
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
static int check_units(const struct diff *d, const struct report_options *o, struct error *err) {
    if (o->by && !o->by->find) {
        error_set(err, "--by %s: needs a single run: use `tipoff report`", o->by->name);
        return -EINVAL;
    }
    const bool addresses = o->by ? o->by->addresses : o->granularity != BY_FUNCTION;
    for (unsigned side = 0; side < 2; side++) {
        if (d->side[side].readable || (!o->by && o->granularity == BY_INSTRUCTION)) continue;
        error_set(err, "%s: its program cannot be read for names: name it with --program-%c", d->side[side].path,
                  "ab"[side]);
        return -ENOENT;
    }
    if (!addresses || samples_same_builds(d->side[0].header, d->side[1].header)) return 0;
    error_set(err,
              "%s and %s: not of one build, so that no %s of the one is known to be one of the other: compare --by "
              "function or line",
              d->side[0].path, d->side[1].path, diff_word(o));
    return -EINVAL;
}

int diff_fill(struct diff *d, const struct report_options *o, struct matching *m, struct error *err) {
    int result = check_units(d, o, err);
    if (result) return result;
    const bool good = matching_create(m, d, o);
    for (unsigned side = 0; side < 2 && result == 0 && good; side++) {
        if (d->side[side].by_samples) result = estimate(d, side, m, err);
        if (style_sampled(&d->side[side])) estimate_sampled(d, side);
    }
    if (result) return result;
    return good && judge(d, o->shares) ? 0 : report_out_of_memory(d->side[0].path, err);
}

void diff_empty(struct diff *d, struct matching *m) {
    free(d->rows);
    d->rows = NULL;
    d->count = d->marked = 0;
    d->all = (struct diff_row){.unit = "all", .name = "all"};
    matching_destroy(m);
    *m = (struct matching){0};
}

// As tables.
static int write_tables(struct diff *d, const struct report_options *o, FILE *out, struct error *err) {
    struct matching m = {0};
    int result = diff_fill(d, o, &m, err);
    if (result == 0) result = diff_write(d, o, out, err);
    diff_empty(d, &m);
    return result;
}

// How many files A's harts have: those of the first one's run; of one run compared with itself half of them. Two need
// not be read twice: they may be pipes. 0 with err.
static size_t split(const char *const *paths, size_t count, struct error *err) {
    if (count == 2) return 1;
    size_t first = 0;
    struct samples_header *headers = calloc(2, sizeof *headers); // of a run's first file, and of another file
    bool good = headers && samples_read_header(paths[0], &headers[0], err);
    if (!headers) report_out_of_memory(paths[0], err);
    for (size_t i = 1; good && i < count; i++) {
        good = samples_read_header(paths[i], &headers[1], err);
        if (!good || strcmp(headers[0].command, headers[1].command) == 0) continue;
        if (first) error_set(err, "%s: of another run than %s: name the files of two runs", paths[i], paths[first]);
        good = !first;
        first = i;
        headers[0] = headers[1];
    }
    free(headers);
    if (!good || first) return good ? first : 0;
    if (count % 2 == 0) return count / 2;
    error_set(err, "%s: of one run with all other files: name those of the earlier run, then those of the later",
              paths[0]);
    return 0;
}

int report_diff(const char *const *paths, size_t count, const struct report_options *o, FILE *out, struct error *err) {
    struct diff d = {.vectors = true, .states = true, .all = {.unit = "all", .name = "all"}};
    int result = report_format_is_of(REPORT_OF_TWO, o->format, err) ? 0 : -EINVAL;
    const size_t first = result ? 0 : split(paths, count, err);
    if (!first) result = -EINVAL;
    for (unsigned side = 0; side < 2; side++) {
        struct report_options own = *o;
        own.more = paths + side * first + 1;
        own.more_count = (side ? count - first : first) - 1;
        if (o->programs[side]) own.program = o->programs[side];
        if (result == 0 && !run_open(&d.side[side], paths[side * first], &own, err)) result = -EINVAL;
        if (result) continue;
        d.estimated = d.estimated || d.side[side].by_samples || style_sampled(&d.side[side]);
        d.vectors = d.vectors && d.side[side].header->vectors != SAMPLES_VECTORS_NONE;
    }
    for (unsigned side = 0; side < 2 && result == 0; side++) {
        const struct unit_time all = run_all(&d.side[side]);
        d.states = d.states && !(style_sampled(&d.side[side]) && all.states[STATE_COUNT] == all.weight);
    }
    d.by_hart = result == 0 && d.side[0].harts == d.side[1].harts;
    struct report_options used = *o; // nanoseconds are not held against cycles
    if (result == 0 && strcmp(style_unit(&d.side[0]), style_unit(&d.side[1])) != 0) used.shares = true;
    if (result == 0) result = (o->format == &format_html ? diff_html : write_tables)(&d, &used, out, err);
    for (unsigned side = 0; side < 2; side++)
        run_close(&d.side[side]);
    return result;
}
