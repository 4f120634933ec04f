// Windows of time as text, CSV and JSON: of each its states, events and functions with how sure they are.
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/style.h"
#include "report/time_columns.h"
#include "report/windows.h"
#include "report/words.h"
#include <errno.h>

enum { BAR = 20, TEXT = 512 };

static uint64_t in_units(const struct run *d, double cycles) {
    return (uint64_t)(cycles * d->header->units + 0.5);
}

// ---- text ----
static void print_share(const struct windows *w, const struct report_options *o, struct estimate part, double whole,
                        FILE *out) {
    style_share(out, o, in_units(w->data, part.cycles), in_units(w->data, whole));
    const struct value half = interval_value(&part, whole);
    style_interval(out, o, half.real, half.with < SPREAD_FEW);
}

static void print_event(const struct windows *w, const struct report_options *o, size_t i, double whole, FILE *out) {
    const struct samples_header *h = w->data->header;
    struct estimate most = {0};
    unsigned event = 0;
    for (unsigned e = 0; e < h->event_count; e++) {
        const struct estimate part = window_of(w, i, SPREAD_EVENTS + e);
        if (part.cycles > most.cycles) most = part, event = e;
    }
    fprintf(out, "  %-7s ", most.cycles > 0 ? h->events[event] : "");
    if (most.cycles > 0) {
        print_share(w, o, most, whole, out);
    } else {
        fprintf(out, "%15s", "");
    }
}

static void print_window(const struct windows *w, const struct report_options *o, size_t i, FILE *out) {
    const struct run *d = w->data;
    const struct estimate time = window_of(w, i, SPREAD_TIME);
    uint64_t states[STATE_COUNT + 1] = {0};
    char text[TEXT], n[32];
    for (unsigned s = 0; s < STATE_COUNT; s++)
        states[s] = in_units(d, window_of(w, i, SPREAD_STATES + s).cycles);
    fprintf(out, "%6zu %14s ", w->list[i].phase, style_number(w->list[i].first, n));
    fprintf(out, "%9s  ", style_number(time.samples, n));
    style_bar(out, o, states, in_units(d, time.cycles), BAR);
    for (unsigned s = 0; s < STATE_COUNT; s++)
        print_share(w, o, window_of(w, i, SPREAD_STATES + s), time.cycles, out);
    print_event(w, o, i, time.cycles, out);
    const size_t function = window_hottest(w, i);
    if (function < w->function_count) {
        print_share(w, o, window_function(w, i, function), time.cycles, out);
        report_label_of_hart(d, BY_FUNCTION, w->functions[function], text, sizeof text);
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

static void write_text(const struct windows *w, const struct report_options *o, FILE *out) {
    const size_t shown = o->top && o->top < w->count ? o->top : w->count;
    char n[32];
    style_heading(out, o, "Windows of %s cycles (%zu of %zu, in %zu phase%s)", style_number(w->cycles, n), shown,
                  w->count, w->phases, w->phases == 1 ? "" : "s");
    fprintf(out, " phase     from cycle   samples  %-*s", BAR, "time by state");
    for (unsigned s = 0; s < STATE_COUNT; s++)
        fprintf(out, "%11s %s  ", report_state_name(s), o->utf8 ? "±" : "+");
    fputs("  most with an event      most in a function\n", out);
    for (size_t i = 0; i < shown; i++)
        print_window(w, o, i, out);
}

// ---- files: a row of CSV, or an object of JSON, for each part of a window's time ----
struct part {
    const struct windows *windows;
    size_t window;
    const char *kind, *name;
    struct estimate of;
};

static struct value part_value(const void *row, const char *column, char *room, size_t size) {
    const struct part *p = row;
    const struct window *window = &p->windows->list[p->window];
    const double whole = window_of(p->windows, p->window, SPREAD_TIME).cycles;
    (void)room;
    (void)size;
    if (column_is(column, "profiler")) return value_text(p->windows->data->profiler);
    if (column_is(column, "window")) return value_count(p->window);
    if (column_is(column, "phase")) return value_count(window->phase);
    if (column_is(column, "first_cycle")) return value_count(window->first);
    if (column_is(column, "end_cycle")) return value_count(window->end);
    if (column_is(column, "kind")) return value_text(p->kind);
    if (column_is(column, "name")) return value_text(p->name);
    if (column_is(column, "cycles")) return value_number(p->of.cycles);
    if (column_is(column, "share")) return value_number(whole > 0 ? p->of.cycles / whole : 0);
    return column_is(column, "deviation") ? value_number(p->of.deviation) : value_count(p->of.samples);
}

static const struct columns window_columns = {.json = "phase,first_cycle,end_cycle,samples", .get = part_value};
static const struct columns part_columns = {
    .csv = "profiler,window,phase,first_cycle,end_cycle,kind,name,cycles,share,deviation,samples",
    .json = "cycles,share,deviation,samples",
    .get = part_value};

static void add_part(const struct part *p, cJSON *group, FILE *out) {
    if (group) {
        cJSON_AddItemToObject(group, p->name, columns_json(&part_columns, p));
    } else {
        columns_csv(&part_columns, p, out);
    }
}

// window: its object; NULL: CSV.
static void add_parts(const struct windows *w, size_t i, cJSON *window, FILE *out) {
    const struct samples_header *h = w->data->header;
    cJSON *states = window ? cJSON_AddObjectToObject(window, "states") : NULL;
    cJSON *events = window ? cJSON_AddObjectToObject(window, "events") : NULL;
    cJSON *functions = window ? cJSON_AddObjectToObject(window, "functions") : NULL;
    char text[REPORT_WHOLE];
    for (unsigned s = 0; s < STATE_COUNT; s++)
        add_part(&(struct part){w, i, "state", report_state_name(s), window_of(w, i, SPREAD_STATES + s)}, states, out);
    for (unsigned e = 0; e < h->event_count; e++)
        add_part(&(struct part){w, i, "event", h->events[e], window_of(w, i, SPREAD_EVENTS + e)}, events, out);
    for (size_t f = 0; f < w->function_count; f++) {
        const struct part part = {w, i, "function", text, window_function(w, i, f)};
        if (!part.of.samples) continue;
        report_label_of_hart(w->data, BY_FUNCTION, w->functions[f], text, sizeof text);
        add_part(&part, functions, out);
    }
}

static void write_csv(const struct windows *w, const struct report_options *o, FILE *out) {
    csv_run(out, w->data, o);
    columns_csv_heading(&part_columns, out);
    for (size_t i = 0; i < w->count; i++) {
        add_part(&(struct part){w, i, "time", "time", window_of(w, i, SPREAD_TIME)}, NULL, out);
        add_parts(w, i, NULL, out);
    }
}

static int write_json(const struct windows *w, FILE *out, struct error *err) {
    const struct run *d = w->data;
    cJSON *root = cJSON_CreateObject();
    json_add_profile(root, d);
    json_add_states(root, d);
    json_add_granularity(root, "window", NULL);
    json_add_u64(root, "window_cycles", w->cycles);
    cJSON_AddNumberToObject(root, "phases", (double)w->phases);
    cJSON *array = cJSON_AddArrayToObject(root, "windows");
    for (size_t i = 0; i < w->count; i++) {
        const struct part time = {w, i, "time", "time", window_of(w, i, SPREAD_TIME)};
        cJSON *window = columns_json(&window_columns, &time);
        add_parts(w, i, window, out);
        cJSON_AddItemToArray(array, window);
    }
    return json_print(root, d->path, out, err);
}

int report_windows(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct windows w;
    int result = windows_create(&w, d, o, err) ? 0 : -EINVAL;
    if (result == 0 && o->format == &format_text) write_text(&w, o, out);
    if (result == 0 && o->format == &format_csv) write_csv(&w, o, out);
    if (result == 0 && o->format == &format_json) result = write_json(&w, out, err);
    windows_free(&w);
    return result;
}
