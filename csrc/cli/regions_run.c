// tipoff regions run: simulates the regions of a file, and estimates the whole run from them.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/regions.h"
#include "cli/regions_measure.h"
#include "cli/regions_samples.h"
#include "cli/shared_options.h"
#include "methods/regions/projection.h"
#include "report/sheet.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 256, OPT_SAMPLES, OPT_PERIOD };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS };
static const char *const format_names[FORMATS] = {"text", "csv", "json"};

static const struct argp_option options[] = {
    OPTION_FORMAT(OPT_FORMAT,
                  "text (default); csv: what is projected, a row each; json: what each region measured, too", 0),
    {"period", OPT_PERIOD, "N", 0, "sample every N cycles on average, for --samples", 0},
    {"samples", OPT_SAMPLES, "FILE", 0,
     "write samples and profiles (.tips) of all regions, each as often as it counts, to FILE, for tipoff report", 0},
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    struct regions_measure measure;
    const char *output, *samples, *command;
    enum format format;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->measure; break;
    case OPT_FORMAT: a->format = option_choice(arg, format_names, FORMATS, "format", state); break;
    case OPT_PERIOD: a->measure.period = option_number(arg, 1, UINT32_MAX, "period", state); break;
    case OPT_SAMPLES: a->samples = arg; break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END:
        if (!a->samples != !a->measure.period) argp_error(state, "--samples and --period: give both, or none");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- what is written ----
struct result {
    const struct regions_measure *m;
    struct measures whole;
    struct sheet *regions, *sums;
};

// A row each.
static void fill_regions(struct result *r) {
    const struct regions_file *const f = &r->m->file;
    static const char *const columns[][2] = {{"region", "region"},
                                             {"slice", "slice"},
                                             {"begin", "begins after"},
                                             {"warmup", "warm-up"},
                                             {"instructions", "instructions"},
                                             {"cycles", "cycles"},
                                             {"cpi", "CPI"},
                                             {"multiplier", "multiplier"},
                                             {"share", "of all cycles"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        sheet_column(r->regions, columns[i][0], columns[i][1], SHEET_RIGHT);
    const double whole = measures_get(&r->whole, "cycles"), scale = projection_scale(f);
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const g = &f->regions[i];
        const double cycles = measures_get(&r->m->of[i], "cycles");
        const double instructions = measures_get(&r->m->of[i], "instructions");
        sheet_add(r->regions, value_count(g->cluster));
        sheet_add(r->regions, value_count(g->slice));
        sheet_add(r->regions, value_count(g->begin));
        sheet_add(r->regions, value_count(g->warmup));
        sheet_add(r->regions, value_count((uint64_t)instructions));
        sheet_add(r->regions, value_count((uint64_t)cycles));
        sheet_add(r->regions, value_number(cycles / instructions));
        sheet_add(r->regions, value_number(g->multiplier));
        sheet_add(r->regions, value_share((uint64_t)(cycles * g->multiplier * scale), (uint64_t)whole));
    }
}

// all: also what is 0.
static void fill_sums(struct result *r, bool all) {
    sheet_column(r->sums, "name", "", SHEET_LEFT);
    sheet_column(r->sums, "projected", "projected", SHEET_RIGHT);
    sheet_column(r->sums, "per_1000_instructions", "per 1000 instructions", SHEET_RIGHT);
    const double instructions = (double)r->m->file.instructions;
    for (size_t i = 0; i < r->whole.count; i++) {
        const double value = r->whole.list[i].value;
        if (value == 0 && !all) continue;
        sheet_text(r->sums, r->whole.list[i].name);
        sheet_add(r->sums, value_number(value));
        sheet_add(r->sums, value_number(1000 * value / instructions));
    }
}

static void write_text(const struct result *r, FILE *out) {
    const struct regions_file *const f = &r->m->file;
    uint64_t chosen = 0;
    for (size_t i = 0; i < f->region_count; i++)
        chosen += f->regions[i].instructions;
    const double cycles = measures_get(&r->whole, "cycles"), scale = projection_scale(f);
    fprintf(out, "%s on %s: %.0f cycles projected, CPI %.4f\n", f->program, r->m->config, cycles,
            cycles / (double)f->instructions);
    fprintf(out, "  from %zu region%s of %zu slices (%s): %" PRIu64 " of %" PRIu64 " instructions, %.2f %%\n",
            f->region_count, f->region_count == 1 ? "" : "s", f->slice_count, f->method, chosen, f->instructions,
            100. * (double)chosen / (double)f->instructions);
    if (r->m->missed)
        fprintf(out, "  %zu regions are left out: the program ended before their end was met\n", r->m->missed);
    if (scale != 1) fprintf(out, "  clusters were left out: all sums are %.4f times what regions stand for\n", scale);
    fputc('\n', out);
    sheet_write_text(r->regions, SHEET_ALL, out);
    fputc('\n', out);
    sheet_write_text(r->sums, SHEET_ALL, out);
}

static cJSON *numbers(const struct measures *m) {
    cJSON *const o = cJSON_CreateObject();
    for (size_t i = 0; i < m->count; i++)
        cJSON_AddNumberToObject(o, m->list[i].name, m->list[i].value);
    return o;
}

static bool write_json(const struct result *r, FILE *out) {
    const struct regions_file *const f = &r->m->file;
    cJSON *const o = cJSON_CreateObject(), *const rows = sheet_json(r->regions);
    cJSON_AddStringToObject(o, "kind", "tipoff projection");
    cJSON_AddStringToObject(o, "regions_file", r->m->path);
    cJSON_AddStringToObject(o, "program", f->program);
    cJSON_AddStringToObject(o, "method", f->method);
    cJSON_AddStringToObject(o, "config", r->m->config);
    cJSON_AddNumberToObject(o, "scale", projection_scale(f));
    cJSON_AddNumberToObject(o, "missed", (double)r->m->missed);
    cJSON_AddItemToObject(o, "projected", numbers(&r->whole));
    size_t i = 0;
    for (cJSON *row = rows ? rows->child : NULL; row; row = row->next)
        cJSON_AddItemToObject(row, "measured", numbers(&r->m->of[i++]));
    cJSON_AddItemToObject(o, "regions", rows);
    char *const text = cJSON_Print(o);
    if (text) fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(o);
    return text != NULL;
}

static int write_all(const struct arguments *a, struct error *err) {
    struct result r = {.m = &a->measure, .regions = sheet_create(), .sums = sheet_create()};
    struct output *const output = output_open(a->output, err);
    bool good = r.regions && r.sums && projection_make(&a->measure.file, a->measure.of, &r.whole, NULL);
    if (good) {
        fill_regions(&r);
        fill_sums(&r, a->format != FORMAT_TEXT);
        good = sheet_good(r.regions) && sheet_good(r.sums);
    }
    if (output && good) {
        FILE *const out = output_file(output);
        switch (a->format) {
        case FORMAT_TEXT: write_text(&r, out); break;
        case FORMAT_CSV: sheet_write_csv(r.sums, out); break;
        default: good = write_json(&r, out);
        }
    }
    if (output && !good) error_nomem(err, a->measure.path);
    const bool written = output && output_close(output, good, err) == 0;
    sheet_destroy(r.regions);
    sheet_destroy(r.sums);
    measures_free(&r.whole);
    return written ? EXIT_SUCCESS : STATUS_OUTPUT;
}

int regions_run_action(int argc, char **argv) {
    static const char text[] =
        "Simulate the regions of REGIONS, a file of `tipoff regions find --format json`, and estimate the whole run: "
        "what they measure, times their multipliers, added up.\vEach region is a run of its own, from its checkpoint. "
        "What has been measured is kept: the same command again goes on where it was stopped, and takes what is kept "
        "as long as program, checkpoints, configuration and model are the same.\n"
        "Exit status: 0; 2 on bad usage or bad input; 3 when a check of a region found a difference; 4 when an output "
        "could not be written; 128 and the signal's number when a signal ended it.";
    const struct argp_child children[] = {{&regions_measure_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "REGIONS", .doc = text, .children = children};
    char command[2048];
    command_line(argc + 1, argv - 1, command, sizeof command); // with "regions" before "run"
    struct arguments a = {.command = command};
    struct error err = {""};
    regions_measure_begin(&a.measure);
    parse_command(&argp, "regions run", argc, argv, &a);
    const struct path_use uses[] = {
        {"REGIONS", a.measure.path, false}, {"--output", a.output, true}, {"--samples", a.samples, true}};
    int status =
        paths_check(uses, sizeof uses / sizeof *uses, &err) ? regions_measure(&a.measure, &err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS && a.samples && !regions_samples_write(&a.measure, a.samples, a.command, &err))
        status = STATUS_OUTPUT;
    if (status == EXIT_SUCCESS) status = write_all(&a, &err);
    regions_measure_free(&a.measure);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
