// tipoff gus: how long a program takes on a core that is a table of resources, and which of them limit it.
#include "base/console.h"
#include "base/cpus.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "cli/gus_variants.h"
#include "cli/stop.h"
#include "report/gus_report.h"
#include <argp.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_TABLE = 256, OPT_FROM, OPT_TO, OPT_FORMAT, OPT_LIMIT, OPT_MAX_INSNS, OPT_INPUT };

static const struct argp_option options[] = {
    {"config", 'c', "NAME", 0, "configuration of the core (default: tea4)", 0},
    {"table", OPT_TABLE, "FILE", 0, "its resources (default: build/NAME/gen/gus.tsv)", 0},
    {"sensitivity", 's', NULL, 0, "make every resource 1 to 15 % faster, alone and in sets, and say what that gains",
     0},
    {"from", OPT_FROM, "N|PLACE[:COUNT]", 0,
     "begin after N instructions, or at 0xADDRESS, SYMBOL or SYMBOL+BYTES, the first or COUNTth time", 0},
    {"to", OPT_TO, "N|PLACE[:COUNT]", 0, "end there, before the instruction", 0},
    {"format", OPT_FORMAT, "text|json|csv", 0, "what is printed (default: text; csv: the instructions alone)", 0},
    {"limit", OPT_LIMIT, "N", 0, "instructions in the text (default: 20; 0: all)", 0},
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions and traps", 0},
    {"input", OPT_INPUT, "FILE", 0, "console input of the program (default: none)", 0},
    {"jobs", 'j', "N", 0, "processes of --sensitivity side by side (default: one a CPU)", 0},
    {0},
};

struct arguments {
    const char *program, *config, *table_path, *from_text, *to_text, *input_path;
    char *const *argv; // the program's
    uint64_t max, limit;
    unsigned jobs;
    bool sensitivity;
    enum gus_format format;
    struct stop from, to;
    struct image *image;
    FILE *input;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[GUS_FORMATS] = {GUS_FORMAT_NAMES};
    struct arguments *a = state->input;
    unsigned f = 0;
    switch (key) {
    case 'c': a->config = arg; break;
    case 's': a->sensitivity = true; break;
    case 'j': a->jobs = (unsigned)option_number(arg, 1, 1024, "jobs", state); break;
    case OPT_TABLE: a->table_path = arg; break;
    case OPT_FROM: a->from_text = arg; break;
    case OPT_TO: a->to_text = arg; break;
    case OPT_LIMIT: a->limit = option_number(arg, 0, UINT32_MAX, "limit", state); break;
    case OPT_MAX_INSNS: a->max = option_number(arg, 1, UINT64_MAX, "max-insns", state); break;
    case OPT_INPUT: a->input_path = arg; break;
    case OPT_FORMAT:
        while (f < GUS_FORMATS && strcmp(arg, formats[f]) != 0)
            f++;
        if (f == GUS_FORMATS) argp_error(state, "--format %s: write text, json or csv", arg);
        a->format = (enum gus_format)f;
        break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &a->argv)) a->program = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- the source: the program on the simulator, anew for each pass ----
static bool begins(void *context, struct iss *iss, uint64_t done) {
    const struct arguments *a = context;
    return stop_reached(&((struct arguments *)a)->from, iss, done);
}

static bool ends(void *context, struct iss *iss, uint64_t done, bool stored) {
    struct arguments *a = context;
    bool over = done >= a->max;
    if (stored) over = over || iss_exited(iss, NULL) || iss_asks_for_reset(iss) || iss_refused(iss, "", NULL);
    return over || (a->to_text && stop_reached(&a->to, iss, done));
}

static bool parse_stop(struct stop *stop, const char *option, const char *text, const struct image *image,
                       struct error *err) {
    if (!text || stop_parse(stop, text, image, err)) {
        if (!text || !stop_at_marker(stop)) return true;
        error_set(err, "%s %s: markers are not taken here: name a place or a number of instructions", option, text);
    }
    return false;
}

static bool open_source(void *context, struct gus_source *source, struct error *err) {
    struct arguments *a = context;
    *source = (struct gus_source){.begins = a->from_text ? begins : NULL, .ends = ends, .context = a};
    if (a->input) rewind(a->input);
    if (!parse_stop(&a->from, "--from", a->from_text, a->image, err) ||
        !parse_stop(&a->to, "--to", a->to_text, a->image, err))
        return false;
    source->iss = iss_create(err);
    if (!source->iss) return false;
    iss_set_console(source->iss, NULL, a->input);
    if (iss_load(source->iss, a->image, err) == 0) {
        iss_set_arguments(source->iss, a->argv);
        return true;
    }
    iss_destroy(source->iss);
    return false;
}

// ---- one report ----
static int report(const struct arguments *a, struct gus_report *r, struct error *err) {
    struct program *names = program_load(a->program, NULL);
    r->names = names;
    bool good = gus_report_write(r, a->format, stdout, err);
    program_destroy(names);
    if (!good) return STATUS_BAD_INPUT;
    return stdout_written(err) ? EXIT_SUCCESS : STATUS_OUTPUT;
}

static int run(struct arguments *a, const struct gus_table *table, const char *table_path, struct error *err) {
    struct gus_source source;
    struct gus_stream *stream = gus_stream_create(table, err);
    struct gus *model = stream ? gus_create(table, NULL, err) : NULL;
    struct gus_report r = {a->program, a->config, table_path, table, model, stream, NULL, NULL, 0, a->limit};
    struct gus_variant *variants = NULL;
    int status = STATUS_BAD_INPUT;
    bool begun = false;
    if (model && open_source(a, &source, err)) {
        bool good = gus_sweep(&source, table, stream, &model, 1, &begun, err) == 0;
        if (good && gus_instructions(model) == 0)
            error_set(
                err,
                "%s: no instruction between --from and --to: choose an earlier place for --from, a later one for --to",
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
    } else if (!folder_find(folder, sizeof folder)) {
        error_set(err, "cannot find the program's own folder: is /proc mounted?");
        return false;
    } else {
        if (configurations_check(folder, a->config, err) < 0) return false;
        snprintf(path, PATH_MAX + 64, "%s/%s/gen/gus.tsv", folder, a->config);
    }
    return gus_table_read(table, path, err);
}

int cmd_gus(int argc, char **argv) {
    static const char text[] =
        "Estimate how long PROGRAM takes on a core by a model of resources, and which of them limit it.\v"
        "The program runs on the instruction-set simulator; what it prints is not shown. Nothing is printed before the "
        "end.\n"
        "Exit status: 0; 2 on bad usage or bad input; 4 when the output could not be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "PROGRAM.elf [-- ARG...]", .doc = text};
    struct arguments a = {.max = UINT64_MAX, .limit = 20, .config = "tea4", .jobs = cpus_available()};
    static char name[] = "tipoff gus";
    argv[0] = name;
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    struct error err = {""};
    char path[PATH_MAX + 64];
    int status = STATUS_BAD_INPUT;
    struct gus_table *table = malloc(sizeof *table);
    bool good = table && find_table(&a, path, table, &err) && (a.image = image_load(a.program, &err)) != NULL;
    if (good && a.input_path) good = (a.input = console_open(a.input_path, &err)) != NULL;
    if (good && !image_symbol(a.image, "tohost", 0) && a.max == UINT64_MAX && !a.to_text) {
        error_set(&err, "%s: has no symbol tohost, so that nothing ends the run: give --max-insns or --to", a.program);
        good = false;
    }
    signal(SIGPIPE, SIG_IGN);
    if (good) status = run(&a, table, path, &err);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    if (a.input) fclose(a.input);
    image_destroy(a.image);
    free(table);
    return status;
}
