// Windows of time as text, CSV and JSON: of each its states, events and functions with how sure they are.
#include "report/confidence.h"
#include "report/contexts.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/style.h"
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
    style_interval(out, o, &part, whole);
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
        report_label(d, BY_FUNCTION, w->functions[function], text, sizeof text);
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

static int write_text(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct windows w;
    char n[32];
    if (!windows_create(&w, d, o, err)) {
        windows_free(&w);
        return -EINVAL;
    }
    const size_t shown = o->top && o->top < w.count ? o->top : w.count;
    style_heading(out, o, "Windows of %s cycles (%zu of %zu, in %zu phase%s)", style_number(w.cycles, n), shown,
                  w.count, w.phases, w.phases == 1 ? "" : "s");
    fprintf(out, " phase     from cycle   samples  %-*s", BAR, "time by state");
    for (unsigned s = 0; s < STATE_COUNT; s++)
        fprintf(out, "%11s %s  ", report_state_name(s), o->utf8 ? "±" : "+");
    fputs("  most with an event      most in a function\n", out);
    for (size_t i = 0; i < shown; i++)
        print_window(&w, o, i, out);
    windows_free(&w);
    return 0;
}

// ---- CSV ----
static void csv_row(const struct windows *w, size_t i, const char *kind, const char *name, struct estimate part,
                    FILE *out) {
    const struct window *window = &w->list[i];
    const double whole = window_of(w, i, SPREAD_TIME).cycles;
    csv_text(out, w->data->profiler);
    fprintf(out, ",%zu,%zu,%llu,%llu,%s,", i, window->phase, (unsigned long long)window->first,
            (unsigned long long)window->end, kind);
    csv_text(out, name);
    fprintf(out, ",%.17g,%.17g,%.17g,%llu\n", part.cycles, whole > 0 ? part.cycles / whole : 0, part.deviation,
            (unsigned long long)part.samples);
}

static int write_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    const struct samples_header *h = d->header;
    struct windows w;
    char text[REPORT_WHOLE];
    if (!windows_create(&w, d, o, err)) {
        windows_free(&w);
        return -EINVAL;
    }
    csv_run(out, d);
    fputs("profiler,window,phase,first_cycle,end_cycle,kind,name,cycles,share,deviation,samples\n", out);
    for (size_t i = 0; i < w.count; i++) {
        csv_row(&w, i, "time", "time", window_of(&w, i, SPREAD_TIME), out);
        for (unsigned s = 0; s < STATE_COUNT; s++)
            csv_row(&w, i, "state", report_state_name(s), window_of(&w, i, SPREAD_STATES + s), out);
        for (unsigned e = 0; e < h->event_count; e++)
            csv_row(&w, i, "event", h->events[e], window_of(&w, i, SPREAD_EVENTS + e), out);
        for (size_t f = 0; f < w.function_count; f++) {
            const struct estimate part = window_function(&w, i, f);
            report_label(d, BY_FUNCTION, w.functions[f], text, sizeof text);
            if (part.samples) csv_row(&w, i, "function", text, part, out);
        }
    }
    windows_free(&w);
    return 0;
}

// ---- JSON ----
static void add_part(cJSON *parent, const char *name, struct estimate part, double whole) {
    cJSON *o = cJSON_AddObjectToObject(parent, name);
    cJSON_AddNumberToObject(o, "cycles", part.cycles);
    cJSON_AddNumberToObject(o, "share", whole > 0 ? part.cycles / whole : 0);
    json_add_estimate(o, &part);
}

static cJSON *window_object(const struct windows *w, size_t i) {
    const struct run *d = w->data;
    const struct estimate time = window_of(w, i, SPREAD_TIME);
    char text[REPORT_WHOLE];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "phase", (double)w->list[i].phase);
    json_add_u64(o, "first_cycle", w->list[i].first);
    json_add_u64(o, "end_cycle", w->list[i].end);
    json_add_u64(o, "samples", time.samples);
    cJSON *states = cJSON_AddObjectToObject(o, "states"), *events = cJSON_AddObjectToObject(o, "events");
    for (unsigned s = 0; s < STATE_COUNT; s++)
        add_part(states, report_state_name(s), window_of(w, i, SPREAD_STATES + s), time.cycles);
    for (unsigned e = 0; e < d->header->event_count; e++)
        add_part(events, d->header->events[e], window_of(w, i, SPREAD_EVENTS + e), time.cycles);
    cJSON *functions = cJSON_AddObjectToObject(o, "functions");
    for (size_t f = 0; f < w->function_count; f++) {
        const struct estimate part = window_function(w, i, f);
        report_label(d, BY_FUNCTION, w->functions[f], text, sizeof text);
        if (part.samples) add_part(functions, text, part, time.cycles);
    }
    return o;
}

static int write_json(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct windows w;
    if (!windows_create(&w, d, o, err)) {
        windows_free(&w);
        return -EINVAL;
    }
    cJSON *root = cJSON_CreateObject();
    json_add_profile(root, d);
    json_add_states(root, d);
    json_add_granularity(root, "window", NULL);
    json_add_u64(root, "window_cycles", w.cycles);
    cJSON_AddNumberToObject(root, "phases", (double)w.phases);
    cJSON *array = cJSON_AddArrayToObject(root, "windows");
    for (size_t i = 0; i < w.count; i++)
        cJSON_AddItemToArray(array, window_object(&w, i));
    windows_free(&w);
    return json_print(root, d->path, out, err);
}

int report_windows(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    report_writer *write = o->format == &format_csv ? write_csv : o->format == &format_json ? write_json : write_text;
    return write(d, o, out, err);
}
