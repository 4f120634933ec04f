// A Gecko profile, version 24, which the Firefox Profiler (https://profiler.firefox.com) reads and brings up to date.
// The four states are the categories of the innermost frames, combinations of events their subcategories: the track of
// time is a cycle stack over time.
//
// All its samples have one weight. So the run's time is cut into as many equal pieces as there were triggers (a sample
// may say that it stands for 2^32 of them: as many as the viewer can hold, at most), and a
// sample is what had the time at one point of each: at multiples of the golden ratio, so that no lane of a commit is
// preferred.
#include "base/array.h"
#include "report/export.h"
#include "report/formats.h"
#include "report/json_text.h"
#include "report/stacks.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 21 };
#define GOLDEN 0.6180339887498949
enum { OTHER, FIRST_CATEGORY }; // then the states
static const char *const colours[STATE_COUNT] = {"green", "red", "orange", "lightblue"};

struct point { // a sample
    size_t leaf;
    double time; // in ms
};
// A stack whose innermost frame has a category: the stack; its state and, in the last 16 bits, vector.
enum { LEAF_STACK, LEAF_CATEGORY, PSV_BITS = 16 };
struct gecko {
    const struct export *export;
    struct string_table *events; // subcategories: "Base" is number 0
    struct pair_numbers leaves;
    struct point *points;
    size_t point_count, point_capacity;
    double before, piece; // time up to now, and of a piece, in 1/U cycle
    double ms;            // of 1/U cycle
};

static size_t leaf_number(struct gecko *g, size_t row) {
    const struct export *e = g->export;
    const struct profile_row *r = &e->data->rows[row];
    const uint64_t category = (uint64_t)r->state << PSV_BITS | r->psv;
    return pair_number(&g->leaves, e->frame_stacks[e->tree.row_frames[row]], category, true);
}

// Where in its piece the next sample is: 0 to 1.
static double next_point(const struct gecko *g) {
    const double n = (double)g->point_count * GOLDEN + 0.5;
    return ((double)g->point_count + n - (double)(uint64_t)n) * g->piece;
}

static bool take(void *context, const struct export_sample *sample) {
    struct gecko *g = context;
    for (size_t i = 0; i < sample->count; i++) {
        g->before += (double)sample->shares[i].weight;
        for (double at; (at = next_point(g)) < g->before;) {
            const size_t leaf = leaf_number(g, sample->shares[i].row);
            if (leaf == PAIR_NONE) return false;
            if (!array_reserve(&g->points, &g->point_capacity, g->point_count, sizeof *g->points)) return false;
            g->points[g->point_count++] = (struct point){leaf, at * g->ms};
        }
    }
    return true;
}

static bool count_triggers(void *context, const struct export_sample *sample) {
    uint64_t *triggers = context;
    *triggers += samples_periods(sample->record);
    return true;
}

// ---- written out ----
static void write_categories(const struct gecko *g, FILE *out) {
    fputs("\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}", out);
    for (unsigned s = 0; s < STATE_COUNT; s++) {
        fputs(",\n{\"name\":", out);
        json_text_string(out, report_state_name(s));
        fprintf(out, ",\"color\":\"%s\",\"subcategories\":", colours[s]);
        string_table_write(g->events, out);
        fputc('}', out);
    }
    fputc(']', out);
}

static void write_meta(const struct gecko *g, FILE *out) {
    const struct run *d = g->export->data;
    fprintf(out, "{\"meta\":{\"version\":24,\"interval\":%.9g,\"startTime\":0,\"shutdownTime\":null,",
            g->piece * g->ms);
    fputs("\"processType\":0,\"stackwalk\":1,\"debug\":0,\"gcpoison\":0,\"asyncstack\":0,\"presymbolicated\":true,"
          "\"markerSchema\":[],\"oscpu\":\"RISC-V\",\"platform\":\"tipoff\",\"misc\":\"\",\"product\":",
          out);
    char product[512];
    snprintf(product, sizeof product, "%s on %s", export_title(d), d->header->config);
    json_text_string(out, product);
    fputs(",\n", out);
    write_categories(g, out);
    fputs("},\n\"libs\":[],\"processes\":[],\"pausedRanges\":[],\n", out);
}

// Frames: a function each, then that of each leaf, with its state and events.
static void write_frames(const struct gecko *g, FILE *out) {
    const struct export *e = g->export;
    char events[512];
    fputs("\"frameTable\":{\"schema\":{\"location\":0,\"relevantForJS\":1,\"innerWindowID\":2,\"implementation\":3,"
          "\"line\":4,\"column\":5,\"category\":6,\"subcategory\":7},\"data\":[",
          out);
    for (size_t i = 0; i < e->function_count; i++)
        fprintf(out, "%s[%zu,false,0,null,null,null,%d,0]", i ? ",\n" : "\n", i, OTHER);
    for (size_t i = 0; i < g->leaves.count; i++) {
        const uint64_t *leaf = g->leaves.keys[i];
        stacks_events(e->data, (uint16_t)leaf[LEAF_CATEGORY], events, sizeof events);
        fprintf(out, ",\n[%u,false,0,null,null,null,%d,%u]", (unsigned)e->stacks.keys[leaf[LEAF_STACK]][STACK_FUNCTION],
                FIRST_CATEGORY + (int)(leaf[LEAF_CATEGORY] >> PSV_BITS), string_table_number(g->events, events));
    }
    fputs("]},\n", out);
}

static void write_stack(uint64_t parent, size_t frame, FILE *out) {
    if (parent == EXPORT_NO_STACK) {
        fprintf(out, "[null,%zu]", frame);
    } else {
        fprintf(out, "[%u,%zu]", (unsigned)parent, frame);
    }
}

static void write_stacks(const struct gecko *g, FILE *out) {
    const struct export *e = g->export;
    fputs("\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[\n", out);
    for (size_t i = 0; i < e->stacks.count; i++) {
        if (i) fputs(",\n", out);
        write_stack(e->stacks.keys[i][STACK_PARENT], e->stacks.keys[i][STACK_FUNCTION], out);
    }
    for (size_t i = 0; i < g->leaves.count; i++) {
        fputs(",\n", out);
        write_stack(e->stacks.keys[g->leaves.keys[i][LEAF_STACK]][STACK_PARENT], e->function_count + i, out);
    }
    fputs("]},\n", out);
}

// A location is shown as it is, but for an ending that looks like a file and line: "name (file:1)".
static void write_strings(const struct gecko *g, FILE *out) {
    const struct export *e = g->export;
    fputs("\"stringTable\":[", out);
    for (size_t i = 0; i < e->function_count; i++) {
        if (i) fputs(",\n", out);
        json_text_string(out, e->functions[i].name);
    }
    fputs("]}]}\n", out);
}

static void write_thread(const struct gecko *g, FILE *out) {
    const struct run *d = g->export->data;
    fputs("\"threads\":[{\"name\":", out);
    json_text_string(out, export_title(d));
    fputs(",\"processType\":\"default\",\"pid\":1,\"tid\":1,\"registerTime\":0,\"unregisterTime\":null,\n"
          "\"markers\":{\"schema\":{\"name\":0,\"startTime\":1,\"endTime\":2,\"phase\":3,\"category\":4,\"data\":5},"
          "\"data\":[]},\n\"samples\":{\"schema\":{\"stack\":0,\"time\":1,\"responsiveness\":2},\"data\":[",
          out);
    for (size_t i = 0; i < g->point_count; i++)
        fprintf(out, "%s[%zu,%.9g,0]", i ? ",\n" : "\n", g->export->stacks.count + g->points[i].leaf,
                g->points[i].time);
    fputs("]},\n", out);
    write_frames(g, out);
    write_stacks(g, out);
    write_strings(g, out);
}

static bool number_events(struct gecko *g) {
    const struct run *d = g->export->data;
    char text[512];
    string_table_number(g->events, "Base");
    for (size_t i = 0; i < d->row_count; i++) {
        stacks_events(d, d->rows[i].psv, text, sizeof text);
        string_table_number(g->events, text);
    }
    return string_table_good(g->events);
}

static bool find_points(struct gecko *g, struct error *err) {
    const struct run *d = g->export->data;
    uint64_t triggers = 0;
    if (!export_samples(g->export, count_triggers, &triggers, err)) return false;
    if (triggers > MOST_POINTS) triggers = MOST_POINTS;
    g->piece = triggers ? (double)d->total / (double)triggers : 1;
    g->ms = 1e-3 / (d->header->clock_mhz ? d->header->clock_mhz : 1000) / d->header->units;
    return export_samples(g->export, take, g, err);
}

static int write_gecko(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    (void)o;
    struct export e;
    int result = -EINVAL;
    if (!export_create(&e, d, 0, err)) return -EINVAL;
    struct gecko g = {.export = &e, .events = string_table_create()};
    if (!g.events || !number_events(&g)) {
        result = report_out_of_memory(d->path, err);
    } else if (export_has_times(d, "--format gecko", err) && find_points(&g, err)) {
        write_meta(&g, out);
        write_thread(&g, out);
        result = 0;
    }
    string_table_destroy(g.events);
    pair_numbers_free(&g.leaves);
    free(g.points);
    export_destroy(&e);
    return result;
}

const struct report_format format_gecko = {.name = "gecko", .write = write_gecko, .one_hart = true};
