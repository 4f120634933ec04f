// tipoff mix: how often each kind of instruction was executed: exactly, or from two collections of samples.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include "cli/mix_source.h"
#include "cli/shared_options.h"
#include "methods/hbbp/report.h"
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_EXACT = 256,
    OPT_BY,
    OPT_COLUMNS,
    OPT_FILTER,
    OPT_TAXONOMY,
    OPT_METHOD,
    OPT_COMPARE,
    OPT_RULE,
    OPT_RULES,
    OPT_SKID,
    OPT_BLOCKS,
    OPT_FORMAT,
    OPT_TOP,
    OPT_MAX_INSNS,
    OPT_INPUT,
    OPT_FILE_ROOT,
    OPT_MEMORY,
    OPT_RESTORE,
    OPT_PROGRAM,
    OPT_KERNEL,
    OPT_FIRMWARE,
    OPT_DEBUG_DIR
};

static const struct argp_option options[] = {
    {"exact", OPT_EXACT, NULL, 0,
     "exact counts: of a program, by running it on the instruction-set simulator; of a sample file, by the jumps of "
     "its "
     "run",
     0},
    {"by", OPT_BY, "KEY[,KEY...]", 0,
     "rows: mnemonic (default), class, extension, operands, bytes (of an access to memory), size (of the instruction), "
     "function, module, mode, line, block, address, taxonomy",
     0},
    {"columns", OPT_COLUMNS, "KEY", 0, "a column for each value of KEY", 0},
    {"filter", OPT_FILTER, "KEY=PATTERN", 0, "only instructions whose KEY matches PATTERN; may be repeated", 0},
    {"taxonomy", OPT_TAXONOMY, "FILE", 0,
     "classes of your own, for the key taxonomy: lines of PATTERN CLASS or KEY=PATTERN CLASS, first match first", 0},
    {"method", OPT_METHOD, "hbbp|ebs|lbr|all", 0, "estimate to show (default: hbbp)", 0},
    {"compare", OPT_COMPARE, NULL, 0, "show all estimates with the run's exact counts, and their errors", 0},
    {"rule", OPT_RULE, "NAME", 0, "rule by which HBBP chooses: learned (default), paper, or another one of the table",
     0},
    {"rules", OPT_RULES, "FILE", 0, "table of rules (default: tables/hbbp.tsv as it was built)", 0},
    {"skid", OPT_SKID, NULL, 0,
     "EBS by the address at which execution resumed (mepc) instead of the sampled instruction's", 0},
    {"blocks", OPT_BLOCKS, NULL, 0, "CSV of basic blocks: features, estimates, exact executions", 0},
    OPTION_FORMAT(OPT_FORMAT, "text (default), csv, json", 0),
    OPTION_OUTPUT("", 0),
    OPTION_TOP(OPT_TOP, "", 0),
    {"limit", OPT_TOP, "N", OPTION_HIDDEN, NULL, 0},
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions (and traps)", 0},
    OPTION_INPUT(OPT_INPUT, 0),
    OPTION_FILE_ROOT(OPT_FILE_ROOT, 0),
    OPTION_MEMORY(OPT_MEMORY, 0),
    OPTION_RESTORE(OPT_RESTORE, "; with --exact, without PROGRAM", 0),
    OPTION_PROGRAM(OPT_PROGRAM, "", 0),
    OPTION_KERNEL(OPT_KERNEL, 0),
    OPTION_FIRMWARE(OPT_FIRMWARE, 0),
    OPTION_DEBUG_DIR(OPT_DEBUG_DIR, 0),
    {0},
};

struct arguments {
    struct mix_source_options source;
    struct pivot_options pivot;
    const char *taxonomy, *rule, *rules, *output;
    unsigned methods;
    bool across, compare, blocks, method_given;
    enum mix_format format;
    size_t limit;
};

static enum mix_key key_named(const char *name, const char *option, struct argp_state *state) {
    enum mix_key key;
    if (!mix_key_find(name, &key)) argp_error(state, "--%s: no such key '%s': see --help", option, name);
    return key;
}

static void add_key(struct arguments *a, const char *name, const char *option, struct argp_state *state) {
    if (a->pivot.key_count == PIVOT_KEYS) argp_error(state, "--%s: at most %d keys in all", option, PIVOT_KEYS);
    a->pivot.keys[a->pivot.key_count++] = key_named(name, option, state);
}

static void add_filter(struct arguments *a, char *text, struct argp_state *state) {
    char *equals = text + strcspn(text, "=");
    if (!*equals) argp_error(state, "--filter %s: write KEY=PATTERN", text);
    if (a->pivot.filter_count == PIVOT_FILTERS) argp_error(state, "--filter: at most %d times", PIVOT_FILTERS);
    *equals++ = '\0';
    a->pivot.filters[a->pivot.filter_count++] = (struct pivot_filter){key_named(text, "filter", state), equals};
}

static void set_method(struct arguments *a, const char *name, struct argp_state *state) {
    static const char *const names[] = {"hbbp", "ebs", "lbr", "all"};
    static const unsigned methods[] = {1 << MIX_HBBP, 1 << MIX_EBS, 1 << MIX_LBR,
                                       1 << MIX_HBBP | 1 << MIX_EBS | 1 << MIX_LBR};
    a->method_given = true;
    a->methods = methods[option_choice(name, names, sizeof names / sizeof *names, "method", state)];
}

static void finish(struct arguments *a, const char *columns, struct argp_state *state) {
    const struct mix_source_options *s = &a->source;
    if (a->pivot.key_count == 0) add_key(a, "mnemonic", "by", state);
    if (columns) add_key(a, columns, "columns", state);
    a->across = columns != NULL;
    if (!s->file && !s->restore) argp_error(state, "name a sample file, or --exact and a program");
    if (s->file && s->restore) argp_error(state, "--restore: the checkpoint names its program: leave %s out", s->file);
    if (s->exact && (a->compare || a->method_given || a->blocks || s->skid))
        argp_error(state, "--exact shows no estimates: leave it out, or --compare, --method, --blocks and --skid");
    if (s->restore && !s->exact) argp_error(state, "--restore needs --exact");
    if (a->across && a->compare) argp_error(state, "--columns and --compare: one of the two goes across");
    if (a->across && (a->methods & (a->methods - 1))) argp_error(state, "--columns shows one method: name it");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[MIX_FORMATS] = {MIX_FORMAT_NAMES};
    struct arguments *a = state->input;
    switch (key) {
    case OPT_EXACT: a->source.exact = true; break;
    case OPT_BY:
        a->pivot.key_count = 0;
        for (char *name = strsep(&arg, ","); name; name = strsep(&arg, ","))
            add_key(a, name, "by", state);
        break;
    case OPT_COLUMNS: state->hook = arg; break;
    case OPT_FILTER: add_filter(a, arg, state); break;
    case OPT_TAXONOMY: a->taxonomy = arg; break;
    case OPT_METHOD: set_method(a, arg, state); break;
    case OPT_COMPARE: a->compare = true; break;
    case OPT_RULE: a->rule = arg; break;
    case OPT_RULES: a->rules = arg; break;
    case OPT_SKID: a->source.skid = true; break;
    case OPT_BLOCKS: a->blocks = true; break;
    case OPT_FORMAT: a->format = (enum mix_format)option_choice(arg, formats, MIX_FORMATS, "format", state); break;
    case 'o': a->output = arg; break;
    case OPT_TOP: a->limit = option_number(arg, 0, UINT32_MAX, "top", state); break;
    case OPT_MAX_INSNS: a->source.max = option_number(arg, 1, UINT64_MAX, "max-insns", state); break;
    case OPT_INPUT: a->source.input = arg; break;
    case OPT_MEMORY: a->source.memory = memory_argument(arg, state); break;
    case OPT_FILE_ROOT: file_root_argument(&a->source.file_roots, arg, state); break;
    case OPT_RESTORE: a->source.restore = arg; break;
    case OPT_PROGRAM: a->source.program = arg; break;
    case OPT_KERNEL: a->source.kernel = arg; break;
    case OPT_FIRMWARE: a->source.firmware = arg; break;
    case OPT_DEBUG_DIR: a->source.debug_dir = arg; break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &a->source.argv)) a->source.file = arg;
        break;
    case ARGP_KEY_END: finish(a, state->hook, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool choose(struct arguments *a, struct mix_source *s, struct error *err) {
    static struct rule rule;
    char path[PATH_MAX + 32], folder[PATH_MAX];
    if (a->source.exact) return true;
    if (a->rules) {
        snprintf(path, sizeof path, "%s", a->rules);
    } else {
        if (!folder_find(folder, sizeof folder, err)) return false;
        snprintf(path, sizeof path, "%s/gen/hbbp.tsv", folder);
    }
    return rule_read(&rule, path, a->rule, err) && mix_choose(s->mix, &rule, err);
}

static bool render(struct arguments *a, struct mix_source *s, FILE *out, struct error *err) {
    struct pivot pivot;
    const bool exact = s->mix->counts[MIX_EXACT] != NULL;
    if (a->blocks) return mix_blocks_write(s->mix, out, err);
    if (a->compare && !exact) {
        error_set(err, "%s: has no exact counts to compare with: run it again to its end, with lockstep",
                  a->source.file);
        return false;
    }
    if (!pivot_make(&pivot, s->mix, &a->pivot, err)) return false;
    struct mix_report r = {.program = s->program,
                           .source = s->text,
                           .mix = s->mix,
                           .pivot = &pivot,
                           .keys = &a->pivot,
                           .methods = a->source.exact ? 1u << MIX_EXACT : a->methods,
                           .across = a->across,
                           .errors = a->compare,
                           .limit = a->limit};
    if (a->compare) r.methods = a->method_given ? a->methods | 1u << MIX_EXACT : (1u << MIX_METHODS) - 1;
    if (r.methods >> MIX_HBBP & 1) r.rule = a->rule;
    const bool good = mix_report_write(&r, a->format, out, err);
    pivot_free(&pivot);
    return good;
}

static int deliver(const struct arguments *a, const char *text, size_t bytes, struct error *err) {
    struct output *out = output_open(a->output, err);
    if (!out) return STATUS_OUTPUT;
    (void)fwrite(text, 1, bytes, output_file(out));
    if (output_close(out, true, err) < 0) return STATUS_OUTPUT;
    return a->output || stdout_written(err) ? EXIT_SUCCESS : STATUS_OUTPUT;
}

static int make(struct arguments *a, struct error *err) {
    struct mix_source source = {.images = NULL};
    struct taxonomy *taxonomy = a->taxonomy ? taxonomy_read(a->taxonomy, err) : NULL;
    char *text = NULL;
    size_t bytes = 0;
    int status = STATUS_BAD_INPUT;
    if (a->taxonomy && !taxonomy) return status;
    a->pivot.taxonomy = taxonomy;
    bool good = mix_source_open(&source, &a->source, err) && choose(a, &source, err);
    FILE *memory = good ? open_memstream(&text, &bytes) : NULL;
    good = memory && render(a, &source, memory, err);
    if (memory && fclose(memory) != 0) good = false;
    if (good) status = deliver(a, text, bytes, err);
    if (status == EXIT_SUCCESS) status = source.status;
    if (!good && !err->text[0]) error_nomem(err, NULL);
    free(text);
    mix_source_close(&source);
    taxonomy_destroy(taxonomy);
    return status;
}

int cmd_mix(int argc, char **argv) {
    static const char text[] =
        "Show how often each kind of instruction was executed.\v"
        "FILE.tips: a sample file of a run with --worker collections (docs/guide/mix.md). What a program prints is not "
        "shown.\n"
        "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when the output could not be "
        "written.";
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "FILE.tips\n--exact PROGRAM.elf [-- ARG...]", .doc = text};
    struct arguments a = {.source.max = UINT64_MAX,
                          .source.notices = &cli_notices,
                          .limit = 20,
                          .rule = "learned",
                          .methods = 1u << MIX_HBBP};
    parse_command(&argp, "mix", argc, argv, &a);

    struct error err = {""};
    const struct path_use uses[] = {{"--output", a.output, true},          {"the file", a.source.file, false},
                                    {"--taxonomy", a.taxonomy, false},     {"--rules", a.rules, false},
                                    {"--input", a.source.input, false},    {"--restore", a.source.restore, false},
                                    {"--program", a.source.program, false}};
    signal(SIGPIPE, SIG_IGN);
    const int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? make(&a, &err) : STATUS_BAD_INPUT;
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
