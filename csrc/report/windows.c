// Windows of time: each sample is cut to the windows that its cycles lie in. Chance counts whole samples:
// one counts in the window in which its cycles end.
#include "report/windows.h"
#include "report/export.h"
#include "report/numbering.h"
#include "report/time_slices.h"
#include <math.h>
#include <stdlib.h>

enum {
    COMPONENTS = SPREAD_COMPONENTS - 1 + WINDOW_FUNCTIONS
}; // that windows are compared in: all but their whole time

struct counts { // of samples
    uint64_t all, with[COMPONENTS];
};

struct reader {
    struct windows *windows;
    struct numbering functions;
    size_t *ranks; // of each function of the run, its number among those of `windows`
    struct time_slices slices;
    struct counts *counts; // of each window
    const struct samples_header *header;
};

// ---- functions ----
static size_t function_of(void *context, struct place place) {
    const struct reader *r = context;
    const size_t number = numbering_of(&r->functions, place);
    return number < r->functions.count ? r->ranks[number] : r->windows->function_count;
}

static bool choose_functions(struct reader *r) {
    struct windows *w = r->windows;
    size_t count;
    const struct unit_time *units = run_units(w->data, BY_FUNCTION, &count);
    if (!units || !numbering_create(&r->functions, w->data, BY_FUNCTION)) return false;
    w->function_count = count < WINDOW_FUNCTIONS ? count : WINDOW_FUNCTIONS;
    r->ranks = malloc((count + 1) * sizeof *r->ranks);
    for (size_t i = 0; r->ranks && i < count; i++)
        r->ranks[numbering_unit(&r->functions, units[i].place)] = i < w->function_count ? i : w->function_count;
    for (size_t i = 0; i < w->function_count; i++)
        w->functions[i] = units[i].place;
    return r->ranks != NULL;
}

// ---- reading ----
static bool add_part(void *context, size_t window, const struct sample_record *part) {
    struct reader *r = context;
    spread_add(r->windows->list[window].spread, r->header, part);
    return true;
}

// Each component that has time of it.
static void count_sample(const struct reader *r, struct counts *counts, const struct sample_record *record) {
    const struct sample *s = &record->sample;
    bool with[COMPONENTS] = {false};
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (!(s->valid >> lane & 1)) continue;
        const struct place place = {s->addr[lane], place_context(s->priv, s->space)};
        const size_t function = function_of((void *)r, place);
        if (function < r->windows->function_count) with[SPREAD_COMPONENTS - 1 + function] = true;
        for (unsigned psv = s->psv[lane]; psv; psv &= psv - 1)
            with[SPREAD_EVENTS - 1 + (unsigned)__builtin_ctz(psv)] = true;
    }
    if (record->stalled_cycles) with[SPREAD_STATES - 1 + STATE_STALLED] = true;
    if (record->cycles > record->stalled_cycles) with[SPREAD_STATES - 1 + s->state] = true;
    counts->all++;
    for (unsigned c = 0; c < COMPONENTS; c++)
        counts->with[c] += with[c];
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct reader *r = context;
    r->header = header;
    if (!time_slices_add(&r->slices, record, add_part, r)) return false;
    if (!record->cycles) return true;
    const uint64_t last = (r->slices.now - 1) / r->slices.cycles;
    count_sample(r, &r->counts[last < r->slices.count ? last : r->slices.count - 1], record);
    return true;
}

// ---- phases ----
static double share(const struct counts *c, unsigned component) {
    return c->all ? (double)c->with[component] / (double)c->all : 0;
}

static bool differs(const struct counts *phase, const struct counts *window, double level) {
    for (unsigned c = 0; c < COMPONENTS; c++) {
        if (fabs(share(phase, c) - share(window, c)) < PHASE_LEAST) continue;
        if (spread_same_share(phase->with[c], phase->all, window->with[c], window->all) < level) return true;
    }
    return false;
}

static void find_phases(struct windows *w, const struct counts *counts) {
    struct counts phase = {0};
    const unsigned judged = STATE_COUNT + w->data->header->event_count + (unsigned)w->function_count;
    const double level = PHASE_LEVEL / ((double)judged * (double)w->count);
    for (size_t i = 0; i < w->count; i++) {
        if (i == 0 || differs(&phase, &counts[i], level)) {
            w->phases++;
            phase = (struct counts){0};
        }
        w->list[i].phase = w->phases;
        phase.all += counts[i].all;
        for (unsigned c = 0; c < COMPONENTS; c++)
            phase.with[c] += counts[i].with[c];
    }
}

// ---- windows ----
// How many, and their length; false with err: too many.
static bool cut(struct windows *w, const struct report_options *o, struct error *err) {
    const struct run *d = w->data;
    const uint64_t end = run_whole(d) / d->header->units; // of all samples: whole cycles
    const uint64_t wanted = o->windows ? o->windows : WINDOWS;
    w->cycles = o->window_cycles ? o->window_cycles : (end + wanted - 1) / wanted;
    const uint64_t count = (end + w->cycles - 1) / w->cycles;
    if (count > WINDOWS_MOST) {
        error_set(err, "--window-cycles %llu: would be %llu windows, more than %d: make them longer",
                  (unsigned long long)w->cycles, (unsigned long long)count, WINDOWS_MOST);
        return false;
    }
    w->count = (size_t)count;
    return true;
}

static bool make(struct windows *w, struct reader *r) {
    const uint64_t end = run_whole(w->data) / w->data->header->units;
    w->list = calloc(w->count + 1, sizeof *w->list);
    r->counts = calloc(w->count + 1, sizeof *r->counts);
    r->slices = (struct time_slices){.cycles = w->cycles, .count = w->count};
    if (!w->list || !r->counts || !choose_functions(r)) return false;
    for (size_t i = 0; i < w->count; i++) {
        struct window *one = &w->list[i];
        one->first = i * w->cycles;
        one->end = i + 1 < w->count ? one->first + w->cycles : end;
        one->spread = spread_create(w->function_count, function_of, r);
        if (!one->spread) return false;
    }
    return true;
}

bool windows_create(struct windows *w, const struct run *d, const struct report_options *o, struct error *err) {
    struct reader r = {.windows = w};
    *w = (struct windows){.data = d};
    if (!export_has_times(d, "--by window", err) || !cut(w, o, err)) return false;
    const bool good = make(w, &r) && sample_store_each(d->store, d->header, take, &r);
    if (good) {
        find_phases(w, r.counts);
    } else {
        report_out_of_memory(d->path, err);
    }
    numbering_free(&r.functions);
    free(r.ranks);
    free(r.counts);
    return good;
}

void windows_free(struct windows *w) {
    for (size_t i = 0; w->list && i < w->count; i++)
        spread_destroy(w->list[i].spread);
    free(w->list);
    *w = (struct windows){0};
}

struct estimate window_of(const struct windows *w, size_t window, unsigned component) {
    return spread_of(w->list[window].spread, SPREAD_ALL, component);
}

struct estimate window_function(const struct windows *w, size_t window, size_t function) {
    return spread_of(w->list[window].spread, function, SPREAD_TIME);
}

size_t window_hottest(const struct windows *w, size_t window) {
    size_t best = w->function_count;
    double most = 0;
    for (size_t i = 0; i < w->function_count; i++) {
        const double cycles = window_function(w, window, i).cycles;
        if (cycles <= most) continue;
        most = cycles;
        best = i;
    }
    return best;
}
