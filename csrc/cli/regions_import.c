// tipoff regions import: regions that another tool has chosen, as a file that `tipoff regions run` takes.
#include "base/elf_digest.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_program.h"
#include "cli/regions.h"
#include "cli/regions_checkpoints.h"
#include "cli/regions_origin.h"
#include "cli/shared_options.h"
#include "methods/regions/foreign.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 256, OPT_WEIGHTS, OPT_INTERVAL, OPT_CHECKPOINTS, OPT_WARMUP };
enum format { SIMPOINT, LOOPPOINT, GEM5, FORMATS };
static const struct {
    const char *name, *ending;
} formats[FORMATS] = {{"simpoint", ".simpoints"}, {"looppoint", ".csv"}, {"gem5", ".json"}};

static const struct argp_option options[] = {
    {"format", OPT_FORMAT, "NAME", 0,
     "format of REGIONS: simpoint, looppoint (its table of regions), gem5 (its JSON of LoopPoint regions) (default: by "
     "its ending, .simpoints, .csv or .json)",
     0},
    {"weights", OPT_WEIGHTS, "FILE", 0, "with simpoint: the weights (default: beside REGIONS, NAME.weights)", 0},
    {"interval", OPT_INTERVAL, "N", 0, "with simpoint: instructions of an interval, as the tool had them", 0},
    OPTION_CHECKPOINTS(OPT_CHECKPOINTS, 0),
    OPTION_CHECKPOINTS_WARMUP(OPT_WARMUP, 0),
    OPTION_QUIET("", 0),
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    struct iss_program program;
    const char *path, *weights, *checkpoints, *output;
    char beside[PATH_MAX]; // of the weights, where nobody names them
    enum format format;    // FORMATS: by the ending
    uint64_t interval, warmup;
    bool quiet;
    char digest[ELF_DIGEST];
    struct foreign_regions list;
    struct regions_file file;
};

static const char *ending(const char *path, enum format format) {
    const size_t length = strlen(path), mine = strlen(formats[format].ending);
    const char *const end = path + length - mine;
    return length > mine && strcmp(end, formats[format].ending) == 0 ? end : NULL;
}

static void settle_format(struct arguments *a, struct argp_state *state) {
    for (unsigned i = 0; i < FORMATS && a->format == FORMATS; i++)
        if (ending(a->path, (enum format)i)) a->format = (enum format)i;
    if (a->format == FORMATS)
        argp_error(state, "%s: ends neither in .simpoints nor in .csv nor in .json: give --format", a->path);
    if (a->format != SIMPOINT) {
        if (a->weights || a->interval) argp_error(state, "--weights and --interval: belong to --format simpoint");
        return;
    }
    if (!a->interval) argp_error(state, "--interval: say how many instructions an interval of %s has", a->path);
    if (a->weights) return;
    const char *const end = ending(a->path, SIMPOINT);
    if (!end) argp_error(state, "--weights: name the file of weights");
    snprintf(a->beside, sizeof a->beside, "%.*s.weights", (int)(end ? end - a->path : 0), a->path);
    a->weights = a->beside;
}

static void take_format(struct arguments *a, const char *text, struct argp_state *state) {
    const char *names[FORMATS];
    for (unsigned i = 0; i < FORMATS; i++)
        names[i] = formats[i].name;
    a->format = (enum format)option_choice(text, names, FORMATS, "format", state);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->program; break;
    case OPT_FORMAT: take_format(a, arg, state); break;
    case OPT_WEIGHTS: a->weights = arg; break;
    case OPT_INTERVAL: a->interval = option_number(arg, 1, UINT64_MAX, "interval", state); break;
    case OPT_CHECKPOINTS: a->checkpoints = arg; break;
    case OPT_WARMUP: a->warmup = option_number(arg, 0, UINT64_MAX, "warmup", state); break;
    case 'q': a->quiet = true; break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_ARG:
        if (a->path) return ARGP_ERR_UNKNOWN; // the program
        a->path = arg;
        break;
    case ARGP_KEY_END:
        if (a->path && !a->program.program && !a->program.restore)
            argp_error(state, "name the program that %s is for", a->path);
        if (a->warmup && !a->checkpoints) argp_error(state, "--warmup: says where --checkpoints begin: name those");
        if (a->path)
            settle_format(a, state);
        else
            argp_error(state, "name REGIONS, a file of another tool, and the program");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool read_list(struct arguments *a, struct error *err) {
    switch (a->format) {
    case SIMPOINT: return simpoint_regions_read(&a->list, a->path, a->weights, err);
    case LOOPPOINT: return looppoint_table_read(&a->list, a->path, err);
    default: return gem5_regions_read(&a->list, a->path, err);
    }
}

static int place(void *context, struct iss *iss, struct error *err) {
    struct arguments *a = context;
    struct signals_before before;
    struct error fault = {""};
    struct regions_run r = {.interval = a->interval, .max = a->program.max, .stop = signals_note(&before)};
    if (a->program.image) snprintf(a->digest, sizeof a->digest, "%s", image_digest(a->program.image));
    const int rc = foreign_place(&a->list, &r, iss, &a->file, &fault);
    signals_restore(&before);
    if (*r.stop) return 128 + *r.stop;
    if (!rc) return iss_program_status(&a->program, iss, err);
    error_set(err, "%s: %s", a->path, fault.text);
    return STATUS_BAD_INPUT;
}

// A file's multiplier may count slices of equal length; what the region's own length makes of it stands beside it.
static void print(const struct arguments *a) {
    const struct regions_file *const f = &a->file;
    uint64_t chosen = 0;
    for (size_t i = 0; i < f->region_count; i++)
        chosen += f->regions[i].instructions;
    fprintf(stderr, "%zu region%s: %" PRIu64 " of %" PRIu64 " instructions, %.1f %%\n", f->region_count,
            f->region_count == 1 ? "" : "s", chosen, f->instructions, 100. * (double)chosen / (double)f->instructions);
    if (a->list.warmups)
        fprintf(stderr, "%zu warm-ups of the file are not taken over: tipoff regions run --warmup says how long\n",
                a->list.warmups);
    fprintf(stderr, "region  begins after  instructions  multiplier%s\n",
            a->format == SIMPOINT ? "" : "  by formula 3.2, if it counts slices");
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        fprintf(stderr, "%6zu  %12" PRIu64 "  %12" PRIu64 "  %10.4f", a->list.at[i].number, r->begin, r->instructions,
                r->multiplier);
        if (a->format != SIMPOINT) fprintf(stderr, "  %10.4f", foreign_multiplier(&a->list, f, i));
        fputc('\n', stderr);
    }
}

static int write_file(const struct arguments *a, struct error *err) {
    struct output *const output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    const bool good = regions_file_write(&a->file, output_file(output), err);
    return output_close(output, good, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

// A run that --max-insns has ended is one.
static int import(struct arguments *a, struct error *err) {
    if (!read_list(a, err)) return STATUS_BAD_INPUT;
    const int ran = iss_program_run(&a->program, place, a, err);
    if (ran != EXIT_SUCCESS && ran != STATUS_OUT_OF_BUDGET) return ran;
    regions_origin(&a->file, &a->program, formats[a->format].name, a->digest);
    a->file.interval = a->interval;
    int status = a->checkpoints ? regions_checkpoints(&a->program, &a->file, a->checkpoints, a->warmup, err) : 0;
    if (!status) status = write_file(a, err);
    if (!status && !a->quiet) print(a);
    return status ? status : ran;
}

int regions_import(int argc, char **argv) {
    static const char text[] =
        "Find the regions that another tool has chosen in a run of the program, and write them as `tipoff regions run` "
        "takes them.\vThe program runs on the instruction-set simulator; what it prints is not shown. Counts of "
        "markers "
        "are those of the whole run, by all harts. Regions cannot overlap; which slices one stands for is not known, "
        "so "
        "`tipoff regions validate` has no errors of clustering.\n"
        "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when an output could not be "
        "written; 128 and the signal's number when a signal ended it.";
    const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "REGIONS PROGRAM.elf [-- ARG...]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.format = FORMATS};
    struct error err = {""};
    iss_program_begin(&a.program);
    parse_command(&argp, "regions import", argc, argv, &a);
    const struct path_use uses[] = {{"the regions", a.path, false},
                                    {"--weights", a.weights, false},
                                    {"the program", a.program.program, false},
                                    {"--input", a.program.input, false},
                                    {"--restore", a.program.restore, false},
                                    {"--output", a.output, true}};
    const int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? import(&a, &err) : STATUS_BAD_INPUT;
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    foreign_regions_free(&a.list);
    regions_file_free(&a.file);
    return status;
}
