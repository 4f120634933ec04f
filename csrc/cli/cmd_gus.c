// tipoff gus: how long a program takes on a core that is a table of resources, and which of them limit it.
#include "base/cpus.h"
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "cli/gus_region.h"
#include "cli/gus_variants.h"
#include "machine/console.h"
#include "machine/ends.h"
#include "methods/gus/report.h"
#include "report/report.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    OPT_OUTPUT = 'o',
    OPT_TABLE = 256,
    OPT_FROM,
    OPT_TO,
    OPT_FORMAT,
    OPT_LIMIT,
    OPT_MAX_INSNS,
    OPT_INPUT,
    OPT_FILE_ROOT,
    OPT_MEMORY,
    OPT_FUNCTION,
    OPT_LOOP,
    OPT_WITHOUT,
    OPT_HEAT_MAP
};

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration of the core (default: tea4)", 0},
    {"table", OPT_TABLE, "FILE", 0, "table of the core's resources (default: build/NAME/gen/gus.tsv)", 0},
    {"sensitivity", 's', NULL, 0, "make every resource 1 to 15 % faster, alone and in sets, and show what that gains",
     0},
    {"heat-map", OPT_HEAT_MAP, "FILE", 0, "with --sensitivity: write its gains as a picture (SVG) to FILE", 0},
    {"without", OPT_WITHOUT, "NAME", 0,
     "leave out a refinement of the model (a row `option` of the table), or all: the paper's model; may be repeated",
     0},
    {"from", OPT_FROM, "N|PLACE[:COUNT]|marker[:N]", 0,
     "begin after N instructions, at 0xADDRESS, SYMBOL or SYMBOL+BYTES, the first or COUNTth time, or after a marker "
     "instruction",
     0},
    {"to", OPT_TO, "N|PLACE[:COUNT]|marker[:N]", 0, "end there, before the instruction, or after the marker", 0},
    {"function", OPT_FUNCTION, "PLACE", 0, "only the first execution of this function, with all that it calls", 0},
    {"loop", OPT_LOOP, "PLACE", 0,
     "only the first execution of the innermost loop around PLACE, with all that it calls", 0},
    {"format", OPT_FORMAT, "text|json|csv|svg", 0,
     "output format (default: text; csv: only the instructions; svg: only the picture of --sensitivity's gains)", 0},
    {"output", OPT_OUTPUT, "FILE", 0, "write to FILE instead of stdout", 0},
    {"limit", OPT_LIMIT, "N", 0, "number of instructions in the text (default: 20; 0: all)", 0},
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions and traps", 0},
    {"input", OPT_INPUT, "FILE", 0, "console input of the program (default: none)", 0},
    {"file-root", OPT_FILE_ROOT, "DIR", 0, FILE_ROOT_TEXT, 0},
    {"memory", OPT_MEMORY, "SIZE", 0, MEMORY_TEXT("256M"), 0},
    {"jobs", 'j', "N", 0, "run N processes of --sensitivity in parallel (default: one for each CPU)", 0},
    {0},
};

enum { WITHOUT = 32 };
struct arguments {
    const char *program, *config, *table_path, *input_path, *heat_map, *output;
    const char *without[WITHOUT];
    unsigned without_count;
    struct gus_region_options region_options;
    struct gus_region *region;
    char *const *argv; // the program's
    uint64_t max, limit;
    unsigned jobs;
    bool sensitivity;
    enum gus_format format;
    struct image *image;
    FILE *input;
    struct host_roots file_roots;
    uint64_t memory; // 0: none was chosen
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[GUS_FORMATS] = {GUS_FORMAT_NAMES};
    struct arguments *a = state->input;
    switch (key) {
    case 'c': a->config = arg; break;
    case 's': a->sensitivity = true; break;
    case 'j': a->jobs = (unsigned)option_number(arg, 1, 1024, "jobs", state); break;
    case OPT_TABLE: a->table_path = arg; break;
    case OPT_FROM: a->region_options.from = arg; break;
    case OPT_TO: a->region_options.to = arg; break;
    case OPT_FUNCTION: a->region_options.function = arg; break;
    case OPT_LOOP: a->region_options.loop = arg; break;
    case OPT_HEAT_MAP: a->heat_map = arg; break;
    case OPT_OUTPUT: a->output = arg; break;
    case OPT_WITHOUT:
        if (a->without_count == WITHOUT) argp_error(state, "--without: at most %d times", WITHOUT);
        a->without[a->without_count++] = arg;
        break;
    case OPT_LIMIT: a->limit = option_number(arg, 0, UINT32_MAX, "limit", state); break;
    case OPT_MAX_INSNS: a->max = option_number(arg, 1, UINT64_MAX, "max-insns", state); break;
    case OPT_INPUT: a->input_path = arg; break;
    case OPT_MEMORY: a->memory = memory_argument(arg, state); break;
    case OPT_FILE_ROOT: file_root_argument(&a->file_roots, arg, state); break;
    case OPT_FORMAT: a->format = (enum gus_format)option_choice(arg, formats, GUS_FORMATS, "format", state); break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &a->argv)) a->program = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
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

static bool open_source(void *context, struct gus_source *source, struct error *err) {
    struct arguments *a = context;
    *source = (struct gus_source){.most = a->max, .context = a};
    if (!gus_region_whole(a->region)) source->begins = begins;
    if (gus_region_ends_somewhere(a->region)) source->ends = ends;
    if (a->region_options.from || a->region_options.to) source->stepped = stepped;
    if (a->input) rewind(a->input);
    source->iss = iss_create(err);
    if (!source->iss) return false;
    iss_set_console(source->iss, NULL, a->input);
    iss_set_file_roots(source->iss, &a->file_roots);
    if (iss_set_memory(source->iss, a->memory, err) == 0 && iss_load(source->iss, a->image, err) == 0) {
        iss_set_arguments(source->iss, a->argv);
        gus_region_reset(a->region, source->iss);
        return true;
    }
    iss_destroy(source->iss);
    return false;
}

// ---- one report ----
static bool written(const struct gus_report *r, enum gus_format format, const char *path, struct error *err) {
    struct output *output = output_open(path, err);
    return output && output_close(output, gus_report_write(r, format, output_file(output), err), err) == 0;
}

// How the text looks is up to where it goes.
static void set_look(const struct arguments *a, struct gus_report *r) {
    const struct report_options defaults = report_defaults(stdout, &cli_notices);
    struct winsize size;
    r->utf8 = defaults.utf8;
    r->colour = defaults.colour && !a->output;
    if (!a->output && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) r->columns = size.ws_col;
}

static int report(const struct arguments *a, struct gus_report *r, struct error *err) {
    set_look(a, r);
    if (a->heat_map && !written(r, GUS_SVG, a->heat_map, err)) return STATUS_OUTPUT;
    if (a->output) return written(r, a->format, a->output, err) ? EXIT_SUCCESS : STATUS_OUTPUT;
    if (!gus_report_write(r, a->format, stdout, err)) return STATUS_BAD_INPUT;
    return stdout_written(err) ? EXIT_SUCCESS : STATUS_OUTPUT;
}

static int run(struct arguments *a, const struct gus_table *table, const char *table_path, const struct program *names,
               struct error *err) {
    struct gus_source source;
    struct gus_stream *stream = gus_stream_create(table, err);
    struct gus *model = stream ? gus_create(table, NULL, err) : NULL;
    struct gus_report r = {.program = a->program,
                           .config = a->config,
                           .table_path = table_path,
                           .table = table,
                           .model = model,
                           .stream = stream,
                           .names = names,
                           .limit = a->limit};
    struct gus_variant *variants = NULL;
    int status = STATUS_BAD_INPUT;
    bool begun = false;
    if (model && open_source(a, &source, err)) {
        bool good = gus_sweep(&source, table, stream, &model, 1, &begun, err) == 0;
        if (good && gus_instructions(model) == 0)
            error_set(err,
                      "%s: no instruction between --from and --to, of --function or --loop: choose an earlier place "
                      "for its beginning, "
                      "a later one for its end",
                      a->program);
        iss_destroy(source.iss);
        const struct gus_passes passes = {open_source, a, table, a->jobs};
        if (good && !err->text[0] && a->sensitivity)
            good = gus_variants(&passes, model, &variants, &r.variant_count, err);
        r.variants = variants;
        if (good && !err->text[0]) status = report(a, &r, err);
    }
    free(variants);
    gus_destroy(model);
    gus_stream_destroy(stream);
    return status;
}

// The table of the configuration, or the file that --table names.
static bool find_table(const struct arguments *a, char path[PATH_MAX + 64], struct gus_table *table,
                       struct error *err) {
    char folder[PATH_MAX];
    if (a->table_path) {
        snprintf(path, PATH_MAX + 64, "%s", a->table_path);
    } else {
        if (!folder_find(folder, sizeof folder, err) || configurations_check(folder, a->config, err) < 0) return false;
        snprintf(path, PATH_MAX + 64, "%s/%s/gen/gus.tsv", folder, a->config);
    }
    if (!gus_table_read(table, path, err)) return false;
    for (unsigned i = 0; i < a->without_count; i++)
        if (!gus_table_without(table, a->without[i], err)) return false;
    return true;
}

// What does not go together, and outputs that are inputs.
static bool check(const struct arguments *a, struct error *err) {
    const struct path_use uses[] = {{"--output", a->output, true},
                                    {"--heat-map", a->heat_map, true},
                                    {"the program", a->program, false},
                                    {"--table", a->table_path, false},
                                    {"--input", a->input_path, false}};
    if (!a->sensitivity && (a->heat_map || a->format == GUS_SVG)) {
        error_set(err, "%s shows what --sensitivity finds: give both", a->heat_map ? "--heat-map" : "--format svg");
        return false;
    }
    return paths_check(uses, sizeof uses / sizeof *uses, err);
}

int cmd_gus(int argc, char **argv) {
    static const char text[] =
        "Estimate how long PROGRAM takes on a core by a model of resources, and which of them limit it.\v"
        "The program runs on the instruction-set simulator; what it prints is not shown. Nothing is printed before the "
        "end.\n"
        "Exit status: 0; 2 on bad usage or bad input; 4 when the output could not be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "PROGRAM.elf [-- ARG...]", .doc = text};
    struct arguments a = {
        .max = UINT64_MAX, .file_roots.notices = &cli_notices, .limit = 20, .config = "tea4", .jobs = cpus_available()};
    parse_command(&argp, "gus", argc, argv, &a);

    struct error err = {""};
    char path[PATH_MAX + 64];
    int status = STATUS_BAD_INPUT;
    struct gus_table *table = malloc(sizeof *table);
    bool good = table && find_table(&a, path, table, &err) && (a.image = image_load(a.program, &err)) != NULL;
    struct program *names = good ? program_load(a.program, NULL) : NULL;
    if (good) good = (a.region = gus_region_create(&a.region_options, a.image, names, &err)) != NULL;
    good = good && check(&a, &err);
    if (good && a.input_path) good = (a.input = console_open(a.input_path, &err)) != NULL;
    if (good && a.max == UINT64_MAX && !gus_region_ends_somewhere(a.region))
        good = ends_by_itself(a.image, "--max-insns or --to", &err);
    signal(SIGPIPE, SIG_IGN);
    if (good) status = run(&a, table, path, names, &err);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    if (a.input) fclose(a.input);
    gus_region_destroy(a.region);
    program_destroy(names);
    image_destroy(a.image);
    free(table);
    return status;
}
