// tipoff regions find: which slices of a long program stand for all of it.
#include "base/elf_digest.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_program.h"
#include "cli/regions.h"
#include "cli/regions_checkpoints.h"
#include "cli/regions_markers.h"
#include "cli/regions_origin.h"
#include "cli/regions_simpoint.h"
#include "cli/regions_viper.h"
#include "cli/shared_options.h"
#include "machine/harts.h"
#include "methods/regions/choice.h"
#include "methods/regions/looppoint.h"
#include "methods/regions/region_formats.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_INTERVAL = 256,
    OPT_FORMAT,
    OPT_METHOD,
    OPT_VECTORS,
    OPT_SIMPOINT,
    OPT_CHECKPOINTS,
    OPT_WARMUP,
    OPT_MAXK,
    OPT_DIMS,
    OPT_BIC,
    OPT_COVERAGE,
    OPT_SEEDS,
    OPT_SEED,
    OPT_SLICE
};
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_LOOPPOINT, FORMAT_GEM5, FORMATS };
static const char *const format_names[FORMATS] = {"text", "csv", "json", "looppoint", "gem5"};

// How a run is cut, and how its slices are clustered if nobody says otherwise.
static const struct method {
    const char *name;
    regions_cut *run;
    size_t dims, most_k;
    bool markers; // at which its slices end
} methods[] = {
    {"simpoint", regions_run, 15, 30, false},
    {"looppoint", looppoint_run, 100, 50, true},
    {"viper", viper_run, 1024, 50, true},
};
enum { METHODS = sizeof methods / sizeof *methods };

enum { FEWEST_SLICES = 2, MOST_K = 1000, MOST_SEEDS = 1000 };

static const struct argp_option options[] = {
    {"method", OPT_METHOD, "simpoint|looppoint|viper", 0,
     "how regions are found (default: simpoint); looppoint: slices end at the next entry of a loop; "
     "viper: at the best of many",
     0},
    OPTION_INTERVAL(OPT_INTERVAL, 0),
    {"slice", OPT_SLICE, "N", 0, "with looppoint instead of --interval: counted instructions of a slice a hart", 0},
    {"vectors", OPT_VECTORS, "FILE", 0,
     "take the slices from a file of frequency vectors (.bb, also with gzip; see `tipoff bbv --format simpoint`) "
     "instead of running a program",
     0},
    {"maxk", OPT_MAXK, "N", 0, "regions at most (default: the method's, 30), and half as many as there are slices", 0},
    {"dims", OPT_DIMS, "N", 0, "dimensions that vectors are projected to (default: the method's, 15)", 0},
    {"bic", OPT_BIC, "X", 0,
     "take the smallest number of regions whose score is so near to the best one, 0 to 1 (default: 0.9)", 0},
    {"coverage", OPT_COVERAGE, "X", 0,
     "leave out the rarest slices beyond this share of all, above 0, to 1 (default: 1)", 0},
    {"seeds", OPT_SEEDS, "N", 0, "runs of k-means for each number of regions; the best one counts (default: 5)", 0},
    OPTION_SEED(OPT_SEED, "projection and clustering", 0),
    {"simpoint", OPT_SIMPOINT, "NAME", 0, "also write NAME.simpoints, NAME.weights and NAME.labels, as SimPoint does",
     0},
    OPTION_CHECKPOINTS(OPT_CHECKPOINTS, 0),
    OPTION_CHECKPOINTS_WARMUP(OPT_WARMUP, 0),
    OPTION_FORMAT(OPT_FORMAT,
                  "text (default), csv; json: for tipoff regions run; looppoint, gem5: as those read regions", 0),
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    struct iss_program program;
    const char *vectors, *checkpoints, *output;
    struct regions_simpoint simpoint;
    struct clustering_settings settings;
    uint64_t interval, slice, dims, warmup; // slice: a hart, or 0; dims, as settings.most_k, 0: the method's
    const struct method *method;
    enum format format;
    char digest[ELF_DIGEST]; // of the program, as its entry
    uint64_t entry;
    struct choice choice;
    struct regions_markers markers;
    struct regions_viper viper;
};

// A number from low to high, which may have a point.
static double real(const char *text, double low, double high, const char *option, struct argp_state *state) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is no number from %g to %g", option, text, low, high);
    return value;
}

static const struct method *method_named(const char *name, struct argp_state *state) {
    const char *names[METHODS];
    for (unsigned i = 0; i < METHODS; i++)
        names[i] = methods[i].name;
    return &methods[option_choice(name, names, METHODS, "method", state)];
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->program;
        state->child_inputs[1] = &a->markers;
        state->child_inputs[2] = &a->viper;
        break;
    case OPT_METHOD: a->method = method_named(arg, state); break;
    case OPT_INTERVAL: a->interval = option_number(arg, 1, UINT64_MAX, "interval", state); break;
    case OPT_SLICE: a->slice = option_number(arg, 1, UINT64_MAX / MACHINE_MOST_HARTS, "slice", state); break;
    case OPT_VECTORS:
        a->vectors = arg;
        a->program.optional = true;
        break;
    case OPT_SIMPOINT: regions_simpoint_argument(&a->simpoint, arg, state); break;
    case OPT_CHECKPOINTS: a->checkpoints = arg; break;
    case OPT_MAXK: a->settings.most_k = option_number(arg, 1, MOST_K, "maxk", state); break;
    case OPT_DIMS: a->dims = option_number(arg, 1, POINTS_MOST_DIMS, "dims", state); break;
    case OPT_BIC: a->settings.threshold = real(arg, 0, 1, "bic", state); break;
    case OPT_COVERAGE: a->settings.coverage = real(arg, 0.01, 1, "coverage", state); break;
    case OPT_SEEDS: a->settings.seeds = (unsigned)option_number(arg, 1, MOST_SEEDS, "seeds", state); break;
    case OPT_SEED: a->settings.seed = option_number(arg, 0, UINT64_MAX, "seed", state); break;
    case OPT_WARMUP: a->warmup = option_number(arg, 0, UINT64_MAX, "warmup", state); break;
    case OPT_FORMAT: a->format = option_choice(arg, format_names, FORMATS, "format", state); break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END:
        if (a->vectors && (a->program.program || a->program.restore))
            argp_error(state, "--vectors: has the slices; omit it, or the program");
        if (a->vectors && a->checkpoints) argp_error(state, "--checkpoints: needs the program instead of --vectors");
        if (a->warmup && !a->checkpoints) argp_error(state, "--warmup: says where --checkpoints begin: name those");
        if (a->vectors && a->method->markers) argp_error(state, "--vectors: have no markers; name the program instead");
        if (a->slice && a->method->run != looppoint_run) argp_error(state, "--slice: is looppoint's");
        if (a->markers.given && !a->method->markers)
            argp_error(state, "--sync and --quanta: belong to --method looppoint and viper");
        a->markers.classes = a->method->run == viper_run;
        if (a->viper.given && !a->markers.classes)
            argp_error(state, "--thin, --min, --max and --size: belong to --method viper");
        if (a->interval && a->markers.classes) argp_error(state, "--interval: give viper's --thin, or --size");
        if (!a->interval && !a->markers.classes) a->interval = REGIONS_INTERVAL;
        if (a->method->markers) a->settings.iterations = LOOPPOINT_ITERATIONS;
        if (a->format >= FORMAT_LOOPPOINT && !a->method->markers)
            argp_error(state, "--format %s: names markers: give --method looppoint or viper", format_names[a->format]);
        if (!a->dims) a->dims = a->method->dims;
        if (!a->settings.most_k) a->settings.most_k = a->method->most_k;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- slices ----
static bool take(void *context, struct iss *iss, const struct regions_slice *slice, struct error *err) {
    (void)iss;
    return choice_add(context, slice, err);
}

static int run(void *context, struct iss *iss, struct error *err) {
    struct arguments *a = context;
    struct signals_before before;
    struct regions_run r = {.interval = a->interval, .max = a->program.max, .stop = signals_note(&before)};
    r.markers = &a->markers.markers;
    r.viper = &a->viper.viper;
    if (a->slice) r.interval = a->interval = a->slice * iss_harts(iss);
    if (a->program.image) snprintf(a->digest, sizeof a->digest, "%s", image_digest(a->program.image));
    a->entry = a->program.image ? image_entry(a->program.image) : 0;
    const bool counted = !a->method->markers || regions_markers_count(&a->markers, iss, err);
    const int rc = counted ? a->method->run(&r, iss, take, &a->choice, err) : -ENOMEM;
    signals_restore(&before);
    if (rc) return STATUS_BAD_INPUT;
    if (a->markers.classes && !a->markers.quiet) regions_viper_report(r.viper);
    return *r.stop ? 128 + *r.stop : iss_program_status(&a->program, iss, err);
}

static int slices(struct arguments *a, struct error *err) {
    if (a->vectors) return choice_read(&a->choice, a->vectors, err) ? STATUS_BAD_INPUT : EXIT_SUCCESS;
    const int status = a->method->markers ? regions_markers_find(&a->markers, &a->program, err) : EXIT_SUCCESS;
    return status ? status : iss_program_run(&a->program, run, a, err);
}

// ---- what is written ----
static int write_all(struct arguments *a, const struct regions_file *f, struct error *err) {
    const struct choice *c = &a->choice;
    if (!regions_simpoint_write(&a->simpoint, c, err)) return STATUS_OUTPUT;
    struct output *const output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    bool good = true;
    switch (a->format) {
    case FORMAT_JSON: good = regions_file_write(f, output_file(output), err); break;
    case FORMAT_GEM5: good = gem5_regions_write(f, a->entry, output_file(output), err); break;
    case FORMAT_LOOPPOINT: looppoint_table_write(f, a->entry, output_file(output)); break;
    default: choice_write(c, a->format == FORMAT_CSV ? CHOICE_CSV : CHOICE_TEXT, output_file(output));
    }
    return output_close(output, good, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

// The regions, from what was clustered; their checkpoints come first, so that what is written of them names them.
static int describe(struct arguments *a, struct error *err) {
    struct regions_file f = {0};
    regions_origin(&f, &a->program, a->method->name, a->digest);
    if (a->vectors) {
        free(f.program);
        f.program = strdup(a->vectors);
    } else {
        f.interval = a->interval;
    }
    int status = choice_regions(&a->choice, &f, err) ? EXIT_SUCCESS : STATUS_BAD_INPUT;
    if (!status && a->checkpoints) status = regions_checkpoints(&a->program, &f, a->checkpoints, a->warmup, err);
    if (!status) status = write_all(a, &f, err);
    regions_file_free(&f);
    return status;
}

static int find(struct arguments *a, struct error *err) {
    choice_begin(&a->choice, a->dims, a->settings.seed);
    int status = slices(a, err);
    const size_t count = a->choice.points.count;
    const bool ran = status == EXIT_SUCCESS || status == STATUS_OUT_OF_BUDGET;
    if (ran && count < FEWEST_SLICES) {
        error_set(err, "%s: %zu slice%s: too few to choose from; %s",
                  a->vectors ? a->vectors : iss_program_path(&a->program), count, count == 1 ? "" : "s",
                  a->vectors           ? "name a longer file"
                  : a->markers.classes ? "give a smaller --thin"
                                       : "give a shorter --interval");
        status = STATUS_BAD_INPUT;
    } else if (ran) {
        const int written = choice_make(&a->choice, &a->settings, err) ? STATUS_BAD_INPUT : describe(a, err);
        if (written) status = written;
    }
    choice_free(&a->choice);
    regions_markers_free(&a->markers);
    return status;
}

int regions_find(int argc, char **argv) {
    static const char text[] =
        "Find the slices of a long program that stand for all of it.\vThe program runs on the instruction-set "
        "simulator; what it prints is not shown. A region stands for the slices that execute much the same; what is "
        "measured of it, times its multiplier (CSV), added up, is an estimate of the whole.\n"
        "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when an output could not be "
        "written; 128 and the signal's number when a signal ended it.";
    const struct argp_child children[] = {
        {&iss_program_argp, 0, NULL, 0}, {&regions_markers_argp, 0, NULL, 0}, {&regions_viper_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "[PROGRAM.elf [-- ARG...]]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.method = methods, .settings = CLUSTERING_SIMPOINT};
    a.settings.most_k = 0;
    struct error err = {""};
    iss_program_begin(&a.program);
    regions_markers_begin(&a.markers);
    parse_command(&argp, "regions find", argc, argv, &a);
    const struct path_use uses[] = {{"the program", a.program.program, false},
                                    {"--input", a.program.input, false},
                                    {"--restore", a.program.restore, false},
                                    {"--vectors", a.vectors, false},
                                    {"--simpoint", regions_simpoint_path(&a.simpoint, 0), true},
                                    {"--simpoint", regions_simpoint_path(&a.simpoint, 1), true},
                                    {"--simpoint", regions_simpoint_path(&a.simpoint, 2), true},
                                    {"--output", a.output, true}};
    const int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? find(&a, &err) : STATUS_BAD_INPUT;
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
