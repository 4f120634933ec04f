// tipoff regions validate: what regions estimate, beside the full run.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/regions.h"
#include "cli/regions_measure.h"
#include "cli/regions_samples.h"
#include "cli/shared_options.h"
#include "methods/regions/validation.h"
#include "report/sheet.h"
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 256, OPT_REFERENCE, OPT_SLICES, OPT_PROFILE, OPT_PERIOD };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS };
static const char *const format_names[FORMATS] = {"text", "csv", "json"};

static const struct argp_option options[] = {
    {"reference", OPT_REFERENCE, "STATS", 0,
     "statistics of the full run, on the same configuration: `tipoff run --stats`, or `tipoff gus --format json`", 0},
    {"slices", OPT_SLICES, "CSV", 0,
     "what the full run's slices took (--worker slices): also say what became wrong in which region, and what perfect "
     "warm-up would give",
     0},
    {"profile", OPT_PROFILE, "FILE", 0,
     "the full run's samples (.tips, with the Oracle): also say how much of the time the profile of the regions "
     "misplaces",
     0},
    {"period", OPT_PERIOD, "N", 0, "sample every N cycles on average (default: as the full run's --profile)", 0},
    OPTION_FORMAT(OPT_FORMAT, "text (default), json; csv: cycles and counters, or with --profile what is misplaced", 0),
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    struct regions_measure measure;
    const char *output, *reference, *slices, *profile;
    enum format format;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->measure; break;
    case OPT_REFERENCE: a->reference = arg; break;
    case OPT_SLICES: a->slices = arg; break;
    case OPT_PROFILE: a->profile = arg; break;
    case OPT_PERIOD: a->measure.period = option_number(arg, 1, UINT32_MAX, "period", state); break;
    case OPT_FORMAT: a->format = option_choice(arg, format_names, FORMATS, "format", state); break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END:
        if (!a->reference) argp_error(state, "--reference: name the --stats of the full run");
        if (a->measure.period && !a->profile) argp_error(state, "--period: is that of --profile: name the full run's");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- what is known ----
struct result {
    const struct arguments *a;
    struct measures reference, whole;
    struct slice_cycles slices;
    struct validation v;
    struct projection_errors misplaced;
    struct sheet *summary, *regions, *counters, *profile;
};

static bool check_reference(struct result *r, struct error *err) {
    const struct regions_file *const f = &r->a->measure.file;
    const double instructions = measures_get(&r->reference, "instructions");
    if (strcmp(r->reference.config, r->a->measure.config) != 0) {
        error_set(err, "%s: a run on '%s', not on %s: name one on that, or give --config", r->a->reference,
                  r->reference.config, r->a->measure.config);
        return false;
    }
    if (f->harts > 1 || fabs(instructions / (double)f->instructions - 1) < 0.01) return true; // harts wait as they meet
    error_set(err, "%s: %.0f instructions, but %" PRIu64 " in %s: name the statistics of the whole run of its program",
              r->a->reference, instructions, f->instructions, r->a->measure.path);
    return false;
}

static bool check_slices(struct result *r, struct error *err) {
    const double cycles = measures_get(&r->reference, "cycles");
    if (fabs(r->slices.cycles / cycles - 1) < 0.001) return true;
    error_set(err, "%s: %.0f cycles in all, but %.0f in %s: name two files of one run", r->a->slices, r->slices.cycles,
              cycles, r->a->reference);
    return false;
}

static bool judge(struct result *r, struct error *err) {
    const struct regions_file *const f = &r->a->measure.file;
    if (!projection_make(f, r->a->measure.of, &r->whole, err)) return false;
    if (r->a->slices && (slice_cycles_read(&r->slices, r->a->slices, f->steps, err) < 0 || !check_slices(r, err)))
        return false;
    uint64_t *const warmup = error_calloc(f->region_count * sizeof *warmup, "warm-up", err);
    for (size_t i = 0; warmup && i < f->region_count; i++)
        warmup[i] = regions_warmup(f, &f->regions[i]);
    bool good = warmup && validation_make(&r->v, f, r->a->measure.of, &r->reference, &r->whole,
                                          r->a->slices ? &r->slices : NULL, warmup, err);
    free(warmup);
    if (good && r->a->profile) good = regions_samples_judge(&r->a->measure, r->a->profile, &r->misplaced, err);
    return good;
}

// ---- what is written ----
static void row(struct result *r, const char *name, struct value value) {
    sheet_add(r->summary, value_word(name));
    sheet_add(r->summary, value);
}

static void speed_rows(struct result *r, const char *serial, const char *parallel, struct speedups s) {
    if (s.serial > 0) {
        row(r, serial, value_number(s.serial));
        row(r, parallel, value_number(s.parallel));
    }
}

static void fill_summary(struct result *r) {
    const struct validation *const v = &r->v;
    sheet_column(r->summary, "name", "", SHEET_LEFT);
    sheet_column(r->summary, "value", "", SHEET_RIGHT);
    row(r, "full_cycles", value_number(v->full));
    row(r, "projected_cycles", value_number(v->projected));
    row(r, "error_percent", value_number(100 * v->error));
    if (v->has_slices) {
        row(r, "perfect_cycles", value_number(v->perfect));
        row(r, "perfect_error_percent", value_number(100 * v->perfect_error));
    }
    speed_rows(r, "speedup_serial_counted", "speedup_parallel_counted", v->counted);
    speed_rows(r, "speedup_serial_with_warmup", "speedup_parallel_with_warmup", v->with_warmup);
    speed_rows(r, "speedup_serial_cycles", "speedup_parallel_cycles", v->cycles);
    speed_rows(r, "speedup_serial_seconds", "speedup_parallel_seconds", v->seconds);
}

static void fill_regions(struct result *r) {
    const struct regions_file *const f = &r->a->measure.file;
    static const char *const columns[][2] = {{"region", "region"},
                                             {"slice", "slice"},
                                             {"instructions", "instructions"},
                                             {"cycles", "cycles"},
                                             {"cpi", "CPI"},
                                             {"multiplier", "multiplier"},
                                             {"share", "of all cycles"},
                                             {"own_cycles", "in the run"},
                                             {"warmup_error_percent", "warm-up %"},
                                             {"clustering_error_percent", "clustering %"}};
    const size_t count = sizeof columns / sizeof *columns - (!r->v.has_slices ? 3 : !regions_file_clustered(f));
    for (size_t i = 0; i < count; i++)
        sheet_column(r->regions, columns[i][0], columns[i][1], SHEET_RIGHT);
    const double scale = projection_scale(f);
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const g = &f->regions[i];
        const struct region_errors *const e = &r->v.of[i];
        sheet_add(r->regions, value_count(g->cluster));
        sheet_add(r->regions, value_count(g->slice));
        sheet_add(r->regions, value_count(g->instructions));
        sheet_add(r->regions, value_number(e->cycles));
        sheet_add(r->regions, value_number(e->cycles / measures_get(&r->a->measure.of[i], "instructions")));
        sheet_add(r->regions, value_number(g->multiplier));
        sheet_add(r->regions, value_share((uint64_t)(e->cycles * g->multiplier * scale), (uint64_t)r->v.projected));
        if (!r->v.has_slices) continue;
        sheet_add(r->regions, value_number(e->own));
        sheet_add(r->regions, value_number(100 * e->warmup));
        if (regions_file_clustered(f)) sheet_add(r->regions, value_number(100 * e->clustering));
    }
}

// Of what both have; in text without what neither has met.
static void fill_counters(struct result *r) {
    static const char *const columns[][2] = {{"full", "full run"},
                                             {"projected", "projected"},
                                             {"error_percent", "error %"},
                                             {"full_per_1000", "per 1000 instructions"},
                                             {"projected_per_1000", "projected"},
                                             {"difference_per_1000", "difference"}};
    const double instructions = (double)r->a->measure.file.instructions;
    sheet_column(r->counters, "name", "", SHEET_LEFT);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        sheet_column(r->counters, columns[i][0], columns[i][1], SHEET_RIGHT);
    for (size_t i = 0; i < r->reference.count; i++) {
        const struct measure *const m = &r->reference.list[i];
        const double full = m->value, projected = measures_get(&r->whole, m->name);
        if (!measures_has(&r->whole, m->name) || (r->a->format == FORMAT_TEXT && full == 0 && projected == 0)) continue;
        sheet_text(r->counters, m->name);
        sheet_add(r->counters, value_number(full));
        sheet_add(r->counters, value_number(projected));
        sheet_add(r->counters, full != 0 ? value_number(100 * (projected / full - 1)) : value_none());
        sheet_add(r->counters, value_number(1000 * full / instructions));
        sheet_add(r->counters, value_number(1000 * projected / instructions));
        sheet_add(r->counters, value_number(1000 * (projected - full) / instructions));
    }
}

static void write_text(const struct result *r, FILE *out) {
    const struct validation *const v = &r->v;
    fprintf(out, "%s on %s: %.0f cycles projected, %.0f in the full run: error %.2f %%\n", r->a->measure.file.program,
            r->a->measure.config, v->projected, v->full, 100 * v->error);
    if (v->has_slices)
        fprintf(out, "  with perfect warm-up %.0f cycles: error %.2f %%\n", v->perfect, 100 * v->perfect_error);
    fputc('\n', out);
    sheet_write_text(r->summary, SHEET_ALL, out);
    fputc('\n', out);
    sheet_write_text(r->regions, SHEET_ALL, out);
    fputc('\n', out);
    sheet_write_text(r->counters, SHEET_ALL, out);
    if (r->a->profile) regions_samples_text(r->profile, &r->misplaced, out);
}

static bool write_json(const struct result *r, FILE *out) {
    cJSON *const o = cJSON_CreateObject(), *const rows = sheet_json(r->summary), *const summary = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "tipoff validation");
    for (const cJSON *one = rows ? rows->child : NULL; one; one = one->next)
        cJSON_AddItemToObject(summary, cJSON_GetObjectItem(one, "name")->valuestring,
                              cJSON_Duplicate(cJSON_GetObjectItem(one, "value"), true));
    cJSON_Delete(rows);
    cJSON_AddItemToObject(o, "summary", summary);
    cJSON_AddItemToObject(o, "regions", sheet_json(r->regions));
    cJSON_AddItemToObject(o, "counters", sheet_json(r->counters));
    if (r->a->profile) cJSON_AddItemToObject(o, "profile", sheet_json(r->profile));
    char *const text = cJSON_Print(o);
    if (text) fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(o);
    return text != NULL;
}

static int write_all(struct result *r, struct error *err) {
    struct output *const output = output_open(r->a->output, err);
    if (!output) return STATUS_OUTPUT;
    bool good = r->summary && r->regions && r->counters && r->profile;
    if (good) {
        fill_summary(r);
        fill_regions(r);
        fill_counters(r);
        regions_samples_fill(r->profile, &r->misplaced);
        good = sheet_good(r->profile) && sheet_good(r->summary) && sheet_good(r->regions) && sheet_good(r->counters);
    }
    if (good) switch (r->a->format) {
        case FORMAT_TEXT: write_text(r, output_file(output)); break;
        case FORMAT_CSV: sheet_write_csv(r->a->profile ? r->profile : r->counters, output_file(output)); break;
        default: good = write_json(r, output_file(output));
        }
    if (!good) error_nomem(err, r->a->measure.path);
    return output_close(output, good, err) == 0 ? EXIT_SUCCESS : STATUS_OUTPUT;
}

static int validate(struct arguments *a, struct error *err) {
    struct result r = {.a = a,
                       .summary = sheet_create(),
                       .regions = sheet_create(),
                       .counters = sheet_create(),
                       .profile = sheet_create()};
    int status = STATUS_BAD_INPUT;
    if (measures_read(&r.reference, a->reference, err) == 0 &&
        (!a->profile || regions_samples_period(a->profile, &a->measure.period, err))) {
        status = regions_measure(&a->measure, err);
        if (!status) status = check_reference(&r, err) && judge(&r, err) ? write_all(&r, err) : STATUS_BAD_INPUT;
    }
    sheet_destroy(r.summary);
    sheet_destroy(r.regions);
    sheet_destroy(r.counters);
    sheet_destroy(r.profile);
    measures_free(&r.reference);
    measures_free(&r.whole);
    slice_cycles_free(&r.slices);
    validation_free(&r.v);
    return status;
}

int regions_validate(int argc, char **argv) {
    static const char text[] =
        "Show how far what the regions of REGIONS estimate is from the full run.\vThe regions are simulated as by "
        "`tipoff regions run`, or taken from what that has kept. error: |1 - projected / full|. Speed-ups: the full "
        "run by the sum of the regions (serial), and by the longest one (parallel); of the instructions that count, of "
        "all with those of the warm-up, of simulated cycles, and of seconds.\n"
        "Exit status: 0; 2 on bad usage or bad input; 3 when a check of a region found a difference; 4 when an output "
        "could not be written; 128 and the signal's number when a signal ended it.";
    const struct argp_child children[] = {{&regions_measure_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "REGIONS", .doc = text, .children = children};
    struct arguments a = {.output = NULL};
    struct error err = {""};
    regions_measure_begin(&a.measure);
    parse_command(&argp, "regions validate", argc, argv, &a);
    const struct path_use uses[] = {{"REGIONS", a.measure.path, false},
                                    {"--reference", a.reference, false},
                                    {"--slices", a.slices, false},
                                    {"--profile", a.profile, false},
                                    {"--output", a.output, true}};
    const int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? validate(&a, &err) : STATUS_BAD_INPUT;
    regions_measure_free(&a.measure);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
