// tipoff gus: how long a program takes on a core that is a table of resources, and which of them limit it.
#include "base/cpus.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/gus_cuts.h"
#include "cli/gus_output.h"
#include "cli/gus_region.h"
#include "cli/gus_tables.h"
#include "cli/gus_until.h"
#include "cli/gus_variants.h"
#include "cli/iss_program.h"
#include "cli/shared_options.h"
#include "machine/ends.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_TABLE = 256, OPT_FROM, OPT_TO, OPT_FORMAT, OPT_CONFIG, OPT_SENSITIVITY, OPT_TOP, OPT_AHEAD, OPT_WARMUP };
enum { OPT_FUNCTION = OPT_WARMUP + 1, OPT_LOOP, OPT_WITHOUT, OPT_HEAT_MAP, OPT_REGIONS };

static const struct argp_option options[] = {
    OPTION_CONFIG(OPT_CONFIG, DEFAULT_CONFIGURATION, 0),
    {NULL, 'c', "NAME", OPTION_HIDDEN, NULL, 0},
    OPTION_TABLE(OPT_TABLE, 0),
    {"sensitivity", OPT_SENSITIVITY, NULL, 0,
     "make every resource 1 to 15 % faster, alone and in sets, and show what that gains (of the core itself: `tipoff "
     "sensitivity`)",
     0},
    {NULL, 's', NULL, OPTION_HIDDEN, NULL, 0},
    {"heat-map", OPT_HEAT_MAP, "FILE", 0, "with --sensitivity: write its gains as a picture (SVG) to FILE", 0},
    {"without", OPT_WITHOUT, "NAME", 0,
     "leave out a refinement of the model (a row `option` of the table), or all: the paper's model; may be repeated",
     0},
    {"from", OPT_FROM, "N|PLACE[:COUNT]|marker[:N]", 0,
     "begin after N instructions, at 0xADDRESS, SYMBOL or SYMBOL+BYTES, the first or COUNTth time, or after a marker "
     "instruction",
     0},
    {"to", OPT_TO, "N|PLACE[:COUNT]|marker[:N]", 0,
     "end there, before the instruction, or after the marker; of several harts, and with --warmup, PLACE:N alone: with "
     "the Nth execution, by all harts, the warm-up's among them",
     0},
    {"function", OPT_FUNCTION, "PLACE", 0, "only the first execution of this function, with all that it calls", 0},
    {"loop", OPT_LOOP, "PLACE", 0,
     "only the first execution of the innermost loop around PLACE, with all that it calls", 0},
    {"regions", OPT_REGIONS, "FILE", 0,
     "instead of a report: how many cycles each region of this file (see `tipoff regions find`) takes within the run, "
     "and what they project it to be; text or csv",
     0},
    OPTION_FORMAT(OPT_FORMAT,
                  "text (default), json; csv: only the instructions; svg: only the picture of --sensitivity's gains",
                  0),
    OPTION_OUTPUT("", 0),
    OPTION_TOP(OPT_TOP, "", 0),
    {"limit", OPT_TOP, "N", OPTION_HIDDEN, NULL, 0},
    {"ahead", OPT_AHEAD, "N", 0,
     "cycles that a hart may be before the others, where it does not meet them (default: 1000)", 0},
    {"warmup", OPT_WARMUP, "N", 0,
     "execute N instructions and traps first, without time, to warm up caches, TLBs and predictors", 0},
    OPTION_JOBS(", of --sensitivity", 0),
    {0},
};

enum { WITHOUT = 32 };
struct arguments {
    struct iss_program program;
    const char *config, *table_path, *regions;
    const char *without[WITHOUT];
    unsigned without_count;
    struct gus_region_options region_options;
    struct gus_region *region;
    struct gus_until until; // of several harts
    uint64_t limit, ahead, warmup;
    unsigned jobs;
    bool sensitivity;
    struct gus_output to;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[GUS_FORMATS] = {GUS_FORMAT_NAMES};
    struct arguments *a = state->input;
    switch (key) {
    case 'c':
    case OPT_CONFIG: a->config = arg; break;
    case 's':
    case OPT_SENSITIVITY: a->sensitivity = true; break;
    case 'j': a->jobs = (unsigned)option_number(arg, 1, 1024, "jobs", state); break;
    case OPT_TABLE: a->table_path = arg; break;
    case OPT_FROM: a->region_options.from = arg; break;
    case OPT_TO: a->region_options.to = arg; break;
    case OPT_FUNCTION: a->region_options.function = arg; break;
    case OPT_LOOP: a->region_options.loop = arg; break;
    case OPT_REGIONS: a->regions = arg; break;
    case OPT_HEAT_MAP: a->to.heat_map = arg; break;
    case 'o': a->to.output = arg; break;
    case OPT_WITHOUT:
        if (a->without_count == WITHOUT) argp_error(state, "--without: at most %d times", WITHOUT);
        a->without[a->without_count++] = arg;
        break;
    case OPT_TOP: a->limit = option_number(arg, 0, UINT32_MAX, "top", state); break;
    case OPT_AHEAD: a->ahead = option_number(arg, 0, GUS_MOST_AHEAD, "ahead", state); break;
    case OPT_WARMUP: a->warmup = option_number(arg, 0, UINT64_MAX, "warmup", state); break;
    case OPT_FORMAT: a->to.format = (enum gus_format)option_choice(arg, formats, GUS_FORMATS, "format", state); break;
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->program; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- the source: the program on the simulator, again for each pass ----
static bool begins(void *context, struct iss *iss, uint64_t done) {
    return gus_region_begins(((struct arguments *)context)->region, iss, done);
}

static bool ends(void *context, struct iss *iss, uint64_t done) {
    return gus_region_ends(((struct arguments *)context)->region, iss, done);
}

static void stepped(void *context, struct iss *iss, const struct iss_retire *retire) {
    gus_region_stepped(((struct arguments *)context)->region, iss, retire);
}

static void fill_source(struct arguments *a, struct gus_source *source, struct iss *iss) {
    *source = (struct gus_source){.iss = iss, .most = a->program.max, .context = a};
    if (!gus_region_whole(a->region)) source->begins = begins;
    if (gus_region_ends_somewhere(a->region)) source->ends = ends;
    if (a->region_options.from || a->region_options.to) source->stepped = stepped;
    gus_region_reset(a->region, iss);
}

static bool open_source(void *context, struct gus_source *source, struct error *err) {
    struct arguments *a = context;
    struct iss *iss = iss_program_open(&a->program, err);
    if (iss) fill_source(a, source, iss);
    return iss != NULL;
}

static void close_source(void *context, struct gus_source *source) {
    struct arguments *a = context;
    iss_program_close(&a->program, source->iss);
}

// ---- one report ----
static struct gus_report report_of(const struct arguments *a, const struct gus_table *table, const char *table_path,
                                   const struct program *names) {
    return (struct gus_report){.program = iss_program_path(&a->program),
                               .config = a->config,
                               .table_path = table_path,
                               .table = table,
                               .names = names,
                               .limit = a->limit};
}

// One hart. The machine is closed here: variants run the program again.
static int run(struct arguments *a, struct iss *iss, struct gus_report *r, struct error *err) {
    struct gus_source source;
    struct gus_stream *stream = gus_stream_create(r->table, err);
    struct gus *model = stream ? gus_create(r->table, NULL, err) : NULL;
    struct gus_variant *variants = NULL;
    int status = STATUS_BAD_INPUT;
    bool begun = false, good = model != NULL;
    fill_source(a, &source, iss);
    if (good && a->program.restore) gus_stream_enter(stream, iss_only(iss));
    if (good) good = gus_sweep(&source, r->table, stream, &model, 1, &begun, err) == 0;
    if (good && gus_instructions(model) == 0)
        error_set(err,
                  "%s: no instruction between --from and --to, of --function or --loop: choose an earlier place "
                  "for its beginning, "
                  "a later one for its end",
                  r->program);
    close_source(a, &source);
    const struct gus_passes passes = {open_source, close_source, a, r->table, a->jobs};
    if (good && !err->text[0] && a->sensitivity) good = gus_variants(&passes, model, &variants, &r->variant_count, err);
    r->model = model;
    r->stream = stream;
    r->variants = variants;
    if (good && !err->text[0]) status = gus_output_write(&a->to, r, err);
    free(variants);
    gus_destroy(model);
    gus_stream_destroy(stream);
    return status;
}

// Several, or one after a warm-up.
static int run_harts(struct arguments *a, struct iss *iss, struct gus_report *r, struct error *err) {
    struct gus_harts *harts = gus_harts_create(iss, r->table, a->ahead, err);
    int status = STATUS_BAD_INPUT;
    if (harts && a->region_options.to) gus_harts_watch(harts, gus_until_stepped, &a->until);
    if (harts && gus_harts_warm(harts, a->warmup, NULL, err) == 0 &&
        gus_harts_run(harts, a->program.max, NULL, err) == 0) {
        r->harts = harts;
        status = gus_output_write(&a->to, r, err);
        if (status == EXIT_SUCCESS && gus_harts_stuck(harts)) {
            error_set(err, "%s: all harts wait in wfi, and no interrupt is to come", r->program);
            status = STATUS_NO_PROGRESS;
        }
    }
    gus_harts_destroy(harts);
    iss_program_close(&a->program, iss);
    return status;
}

// What does not go together, and outputs that are inputs.
static bool check(const struct arguments *a, struct error *err) {
    const struct path_use uses[] = {{"--output", a->to.output, true},           {"--heat-map", a->to.heat_map, true},
                                    {"the program", a->program.program, false}, {"--table", a->table_path, false},
                                    {"--restore", a->program.restore, false},   {"--regions", a->regions, false},
                                    {"--input", a->program.input, false}};
    if (!a->sensitivity && (a->to.heat_map || a->to.format == GUS_SVG)) {
        error_set(err, "%s shows what --sensitivity finds: give both", a->to.heat_map ? "--heat-map" : "--format svg");
        return false;
    }
    if (a->regions && (a->sensitivity || (a->to.format != GUS_TEXT && a->to.format != GUS_CSV))) {
        error_set(err, "--regions: has a table of its own, as text or csv: omit %s",
                  a->sensitivity ? "--sensitivity" : "--format, or choose one of them");
        return false;
    }
    if (a->program.quantum) {
        error_set(err, "--quantum: the harts go by the model's time here: give --ahead");
        return false;
    }
    return paths_check(uses, sizeof uses / sizeof *uses, err);
}

// Of one hart: whether the program ends; of several, what is not done with them.
static bool check_machine(struct arguments *a, const struct iss *iss, struct error *err) {
    const bool ends = a->program.max != UINT64_MAX || gus_region_ends_somewhere(a->region) || !a->program.image;
    if (iss_harts(iss) > 1 || a->warmup) {
        if (a->sensitivity || !gus_region_whole(a->region)) {
            error_set(err,
                      "--sensitivity, --from, --function and --loop are for one hart without --warmup: run %u without",
                      iss_harts(iss));
            return false;
        }
        if (a->region_options.to && !gus_until_parse(&a->until, a->region_options.to, a->program.image, err))
            return false;
    }
    return ends || a->program.restore || ends_by_itself(a->program.image, "--max-insns or --to", err);
}

static int model(struct arguments *a, const struct gus_table *table, const char *path, struct error *err) {
    struct iss *iss = iss_program_open(&a->program, err);
    if (!iss) return STATUS_BAD_INPUT;
    struct program *names = program_load(iss_program_path(&a->program), NULL);
    int status = STATUS_BAD_INPUT;
    a->region = gus_region_create(&a->region_options, a->program.image, names, err);
    if (a->region && check_machine(a, iss, err)) {
        struct gus_report r = report_of(a, table, path, names);
        const struct gus_cuts_run cuts = {
            &a->program, iss, table, a->regions, a->ahead, a->to.output, a->to.format == GUS_CSV};
        if (a->regions)
            status = gus_cuts_run(&cuts, err);
        else
            status = iss_harts(iss) == 1 && !a->warmup ? run(a, iss, &r, err) : run_harts(a, iss, &r, err);
    } else {
        iss_program_close(&a->program, iss);
    }
    gus_region_destroy(a->region);
    program_destroy(names);
    return status;
}

int cmd_gus(int argc, char **argv) {
    static const char text[] =
        "Estimate how long PROGRAM takes on a core by a model of resources, and which of them limit it.\v"
        "The program runs on the instruction-set simulator; what it prints is not shown. Nothing is printed before the "
        "end. Of several harts the one goes on that is the earliest by the model's time.\n"
        "Exit status: 0, also where --max-insns ended the run; 5 when all harts wait for nothing; 2 on bad usage or "
        "bad input; 4 when the output could not be written.";
    const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "[PROGRAM.elf [-- ARG...]]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.limit = 20, .ahead = GUS_AHEAD, .config = DEFAULT_CONFIGURATION, .jobs = cpus_available()};
    iss_program_begin(&a.program);
    a.program.ends = true; // or is found not to
    parse_command(&argp, "gus", argc, argv, &a);

    struct error err = {""};
    char path[GUS_TABLE_PATH];
    int status = STATUS_BAD_INPUT;
    const struct gus_table_of find = {a.config, a.table_path, a.without, a.without_count};
    struct gus_table *table = malloc(sizeof *table);
    signal(SIGPIPE, SIG_IGN);
    if (table && gus_table_find(&find, path, table, &err) && check(&a, &err)) status = model(&a, table, path, &err);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    free(table);
    return status;
}
