// Options of report and compare, and the way of their output: rendered whole, then written.
#include "cli/report_options.h"
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "report/units.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_OUTPUT = 'o', OPT_FORMAT = 512, OPT_HART, OPT_PROGRAM, OPT_KERNEL, OPT_FIRMWARE, OPT_DEBUG_DIR };
enum { FORMAT_NAMES = 128 };

static const struct argp_option options[] = {
    OPTION_FORMAT(OPT_FORMAT, "", 8),
    OPTION_OUTPUT("", 8),
    {"hart", OPT_HART, "N", 0, "one hart of a run of several: the file of hart N, among those that are named", 8},
    OPTION_PROGRAM(OPT_PROGRAM, "", 8),
    OPTION_KERNEL(OPT_KERNEL, 8),
    OPTION_FIRMWARE(OPT_FIRMWARE, 8),
    OPTION_DEBUG_DIR(OPT_DEBUG_DIR, 8),
    {0},
};

void report_set_files(struct report_arguments *a, const struct argp_state *state) {
    a->files = (const char *const *)(state->argv + state->next);
    a->count = (size_t)(state->argc - state->next);
}

void report_set_top(struct report_arguments *a, const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    a->options.top = strtoul(text, &end, 10);
    a->top_given = true;
    if (errno || end == text || *end || *text == '-') argp_error(state, "--top %s: not a number", text);
}

void report_add_pool(struct report_arguments *a, const char *name, const struct argp_state *state) {
    static const char *const names[] = {POOL_NAMES};
    unsigned kind = POOL_NONE + 1;
    while (kind < POOL_KINDS && strcmp(names[kind], name) != 0)
        kind++;
    if (kind == POOL_KINDS) argp_error(state, "--pool %s: use one of blocks, counts", name);
    if (a->options.pools && a->of == REPORT_OF_ONE) argp_error(state, "--pool: once only");
    a->options.pools |= 1u << kind;
}

void report_set_unit(struct report_options *o, const char *name, const struct argp_state *state) {
    char names[256];
    const struct unit_kind *kind = unit_kind_find(name);
    if (strcmp(name, "help") == 0) {
        for (size_t i = 0; i < unit_kind_count(); i++)
            printf("%-12s %s\n", unit_kind(i)->name, unit_kind(i)->text);
        exit(EXIT_SUCCESS);
    }
    unit_kind_names(names, sizeof names);
    if (!kind) {
        argp_error(state, "--by %s: use one of %s", name, names);
        return;
    }
    o->by = kind->plain ? NULL : kind;
    o->granularity = kind->granularity;
    o->one_table = true;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_arguments *a = state->input;
    char names[FORMAT_NAMES];
    switch (key) {
    case OPT_FORMAT:
        a->options.format = report_format_find(a->of, arg);
        if (a->options.format) return 0;
        report_format_names(a->of, names, sizeof names);
        argp_error(state, "--format %s: use one of %s", arg, names);
        return EINVAL;
    case OPT_OUTPUT: a->output = arg; return 0;
    case OPT_HART:
        a->options.hart = (uint32_t)option_number(arg, 0, SAMPLES_HARTS - 1, "hart", state);
        a->options.one_hart = true;
        return 0;
    case OPT_PROGRAM: a->options.program = arg; return 0;
    case OPT_KERNEL: a->options.kernel = arg; return 0;
    case OPT_FIRMWARE: a->options.firmware = arg; return 0;
    case OPT_DEBUG_DIR:
        if (access(arg, R_OK | X_OK) != 0) argp_error(state, "--debug-dir %s: no such folder", arg);
        a->options.debug_dir = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// The formats stand in their registry only.
static char *help(int key, const char *text, void *input) {
    const struct report_arguments *a = input;
    char names[FORMAT_NAMES], *full;
    if (key != OPT_FORMAT) return (char *)text;
    report_format_names(a ? a->of : REPORT_OF_ONE, names, sizeof names);
    const int first = (int)strcspn(names, ",");
    return asprintf(&full, "%s%.*s (default)%s", text, first, names, names + first) < 0 ? (char *)text : full;
}

const struct argp report_common_argp = {.options = options, .parser = parse, .help_filter = help};

// The output is none of its input files. The program is known only when a file is open: run_images.c
// looks.
static bool check_output(struct report_arguments *a, struct error *err) {
    a->options.output = a->output;
    for (size_t i = 0; i < a->count; i++) {
        const struct path_use uses[] = {{"--output", a->output, true},
                                        {"the sample file", a->files[i], false},
                                        {"--program", a->options.program, false},
                                        {"--program-a", a->options.programs[0], false},
                                        {"--program-b", a->options.programs[1], false},
                                        {"--kernel", a->options.kernel, false},
                                        {"--firmware", a->options.firmware, false}};
        if (!paths_check(uses, sizeof uses / sizeof *uses, err)) return false;
    }
    return true;
}

// To a file as it is made: the file gets its name when it is whole.
static int deliver_file(struct report_arguments *a, report_render *render, struct error *err) {
    struct output *out = output_open(a->output, err);
    if (!out) return STATUS_OUTPUT;
    a->options.colour = false;
    const bool good = render(a, output_file(out), err) == 0;
    const int closed = output_close(out, good, err);
    return !good ? STATUS_BAD_INPUT : closed < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

// To stdout when it is whole.
static int deliver_stdout(struct report_arguments *a, report_render *render, struct error *err) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    int result = memory ? render(a, memory, err) : -ENOMEM;
    if (!memory || fclose(memory) != 0) {
        error_nomem(err, NULL);
        result = -ENOMEM;
    }
    if (result == 0) (void)fwrite(text, 1, bytes, stdout);
    free(text);
    if (result) return STATUS_BAD_INPUT;
    return stdout_written(err) ? EXIT_SUCCESS : STATUS_OUTPUT;
}

int report_deliver(struct report_arguments *a, report_render *render) {
    struct error err = {""};
    int status = STATUS_BAD_INPUT;
    if (check_output(a, &err)) status = a->output ? deliver_file(a, render, &err) : deliver_stdout(a, render, &err);
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
