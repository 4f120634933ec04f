// tipoff regions table: where regions begin and end, for a program that measures them in itself (runtime/tipoff_roi.h).
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_program.h"
#include "cli/regions.h"
#include "cli/shared_options.h"
#include "methods/regions/markers.h"
#include "methods/regions/regions_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_HYBRID = 256, OPT_EVENTS };
enum { PIECE = 1 << 20 }; // instructions between two looks at signals

static const struct argp_option options[] = {
    {"hybrid", OPT_HYBRID, NULL, 0, "regions end after their instructions, not at their markers", 0},
    {"events", OPT_EVENTS, "N,...", 0, "also counted in each region: up to 4 numbers of events (docs/reference/pmu.md)",
     0},
    OPTION_OUTPUT("; the program reads roi.table", 0),
    {0},
};

struct arguments {
    const char *path, *output;
    uint64_t events[4];
    unsigned event_count;
    bool hybrid;
};

static void parse_events(struct arguments *a, char *arg, struct argp_state *state) {
    for (char *word = strtok(arg, ","); word; word = strtok(NULL, ",")) {
        if (a->event_count == 4) argp_error(state, "--events: the program counts 4 at most");
        a->events[a->event_count++] = option_number(word, 1, 255, "events", state);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case OPT_HYBRID: a->hybrid = true; break;
    case OPT_EVENTS: parse_events(a, arg, state); break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_ARG:
        if (a->path) argp_error(state, "'%s': one file of regions is enough", arg);
        a->path = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name REGIONS, a file of `tipoff regions find --format json`"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- places, in the order of the run: starts at even numbers, ends at odd ones ----
struct places {
    const struct arguments *a;
    const struct regions_file *file;
    struct ordered {
        const struct regions_region *region;
    } * order;
    struct markers markers;
    uint64_t *before; // what each marker had counted at the place before
    uint64_t *counts; // of each place: executions of its address from the place before on
    size_t next;
};

static struct regions_marker place(const struct places *p, size_t number) {
    const struct regions_region *r = p->order[number / 2].region;
    return number % 2 == 0 ? r->start : r->end;
}

static bool by_instructions(const struct places *p, size_t number) {
    return number % 2 && (p->a->hybrid || place(p, number).pc == 0);
}

static int by_begin(const void *a, const void *b) {
    const uint64_t x = ((const struct ordered *)a)->region->begin;
    const uint64_t y = ((const struct ordered *)b)->region->begin;
    return (x > y) - (x < y);
}

// All places that are before this execution: several, where one region begins where another ends.
static bool met(void *context, struct markers *m, const struct markers_event *event) {
    struct places *p = context;
    const struct marker *const at = &m->at[event->marker];
    while (p->next < 2 * p->file->region_count) {
        const struct regions_marker goal = place(p, p->next);
        if (!goal.pc) break;
        if (goal.pc != at->pc || goal.count != at->count) break;
        p->counts[p->next++] = at->count - p->before[event->marker];
        for (size_t i = 0; i < m->count; i++)
            p->before[i] = m->at[i].count;
    }
    return p->next == 2 * p->file->region_count;
}

static int run(void *context, struct iss *iss, struct error *err) {
    struct places *p = context;
    struct markers_watch watch = {.markers = &p->markers, .met = met, .context = p};
    struct signals_before before;
    if (!markers_watch(&watch, iss, err)) return STATUS_BAD_INPUT;
    const volatile sig_atomic_t *const came = signals_note(&before);
    for (uint64_t done = 1; done && !*came && !iss_flow_stopped(iss);)
        done = iss_run(iss, PIECE);
    signals_restore(&before);
    return *came ? 128 + *came : EXIT_SUCCESS;
}

static bool prepare(struct places *p, struct error *err) {
    const size_t count = p->file->region_count;
    if (p->file->harts > 1 || p->file->restore) {
        error_set(err, "%s: a program of one hart, from its beginning, can measure itself: find regions without %s",
                  p->a->path, p->file->harts > 1 ? "--harts" : "--restore");
        return false;
    }
    p->order = calloc(count, sizeof *p->order);
    p->counts = calloc(2 * count, sizeof *p->counts);
    p->before = calloc(2 * count, sizeof *p->before);
    if (!p->order || !p->counts || !p->before) {
        error_nomem(err, p->a->path);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        p->order[i].region = &p->file->regions[i];
    qsort(p->order, count, sizeof *p->order, by_begin);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct regions_marker at = place(p, i);
        if (at.pc && !markers_add(&p->markers, at.pc, MARKER_LOOP, at.pc, 0, err)) return false;
        if (at.pc || i == 0 || i % 2) continue;
        error_set(err, "%s: region %zu has no marker: find regions with --method looppoint or viper", p->a->path,
                  p->order[i / 2].region->cluster);
        return false;
    }
    markers_sort(&p->markers);
    p->next = place(p, 0).pc == 0; // at the program's begin
    return true;
}

static void write_table(const struct places *p, FILE *out) {
    fprintf(out, "# start, executions from the end before on; end, executions from the start on (0, instructions); "
                 "multiplier\n");
    if (p->a->event_count) fputs("events", out);
    for (unsigned i = 0; i < p->a->event_count; i++)
        fprintf(out, " %" PRIu64, p->a->events[i]);
    if (p->a->event_count) fputc('\n', out);
    for (size_t i = 0; i < p->file->region_count; i++) {
        const struct regions_region *r = p->order[i].region;
        const bool instructions = by_instructions(p, 2 * i + 1);
        fprintf(out, "0x%" PRIx64 " %" PRIu64 " 0x%" PRIx64 " %" PRIu64 " %.9g\n", r->start.pc, p->counts[2 * i],
                instructions ? 0 : r->end.pc, instructions ? r->instructions : p->counts[2 * i + 1], r->multiplier);
    }
}

// With the program's name before them.
static char **arguments_of(const struct regions_file *f) {
    size_t count = 0;
    while (f->arguments && f->arguments[count])
        count++;
    char **const list = calloc(count + 2, sizeof *list);
    if (!list) return NULL;
    list[0] = f->program;
    for (size_t i = 0; i < count; i++)
        list[i + 1] = f->arguments[i];
    return list;
}

static int make(struct places *p, struct error *err) {
    const struct regions_file *f = p->file;
    struct iss_program program;
    if (!prepare(p, err)) return STATUS_BAD_INPUT;
    iss_program_begin(&program);
    program.program = f->program;
    program.input = f->input;
    char **const argv = arguments_of(f);
    if (!argv) {
        error_nomem(err, p->a->path);
        return STATUS_BAD_INPUT;
    }
    program.argv = argv;
    const int status = iss_program_run(&program, run, p, err);
    free(argv);
    if (status) return status;
    const size_t last = 2 * f->region_count - (place(p, 2 * f->region_count - 1).pc == 0);
    if (p->next < last) {
        error_set(err, "%s: the run ends before region %zu %s: name the regions of this program", p->a->path,
                  p->order[p->next / 2].region->cluster, p->next % 2 ? "does" : "begins");
        return STATUS_BAD_INPUT;
    }
    struct output *const output = output_open(p->a->output, err);
    if (!output) return STATUS_OUTPUT;
    write_table(p, output_file(output));
    return output_close(output, true, err) == 0 ? EXIT_SUCCESS : STATUS_OUTPUT;
}

int regions_table(int argc, char **argv) {
    static const char text[] =
        "Write the regions of REGIONS, a file of `tipoff regions find --method looppoint|viper --format json`, as a "
        "table for a program that measures them in itself: one line a region, in the order of the run, with executions "
        "counted from the place before.\v"
        "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "REGIONS", .doc = text};
    struct arguments a = {0};
    struct regions_file file = {0};
    struct error err = {""};
    parse_command(&argp, "regions table", argc, argv, &a);
    const struct path_use uses[] = {{"REGIONS", a.path, false}, {"--output", a.output, true}};
    int status = STATUS_BAD_INPUT;
    if (paths_check(uses, sizeof uses / sizeof *uses, &err) && regions_file_read(&file, a.path, &err) == 0) {
        struct places p = {.a = &a, .file = &file};
        status = make(&p, &err);
        markers_free(&p.markers);
        free(p.order);
        free(p.before);
        free(p.counts);
    }
    regions_file_free(&file);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
