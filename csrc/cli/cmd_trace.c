// tipoff trace: a binary trace as text, CSV, JSON or collapsed stacks.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "cli/trace_folded.h"
#include "cli/trace_signals.h"
#include "profile/stack_table.h"
#include "trace/signal_trace.h"
#include "trace/trace_file.h"
#include "trace/tracer.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT = 'o', OPT_FORMAT = 256, OPT_PROGRAM, OPT_MAX_STACK };

static const struct argp_option options[] = {
    OPTION_FORMAT(OPT_FORMAT,
                  "text (default), a line for each row of equal cycles, with what commits and what dispatches; csv: a "
                  "line a cycle, as tipoff run --trace-format csv writes it; json: an object for each row of equal "
                  "cycles, one a line; folded: the time of each instruction as collapsed stacks, for flame graphs",
                  1),
    OPTION_OUTPUT("", 1),
    OPTION_PROGRAM(OPT_PROGRAM, ". With --format folded", 1),
    OPTION_MAX_STACK(OPT_MAX_STACK, ". With --format folded", 1),
    {0},
};

struct arguments {
    const char *file, *output, *format, *program;
    uint32_t max_stack;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "csv", "json", "folded"};
    enum { FORMATS = sizeof formats / sizeof *formats };
    struct arguments *a = state->input;
    switch (key) {
    case OPT_FORMAT: a->format = formats[option_choice(arg, formats, FORMATS, "format", state)]; break;
    case OPT_OUTPUT: a->output = arg; break;
    case OPT_PROGRAM: a->program = arg; break;
    case OPT_MAX_STACK: a->max_stack = max_stack_argument(arg, state); break;
    case ARGP_KEY_ARG:
        if (a->file) argp_error(state, "one trace only: unexpected argument '%s'", arg);
        a->file = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a trace that `tipoff run --trace` has written"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Lanes by age: from the oldest on.
static unsigned lane_of(const struct commit_bundle *b, unsigned age, unsigned width) {
    unsigned lane = b->oldest + age;
    return lane < width ? lane : lane - width;
}

static void print_text(FILE *out, const struct trace_record *r, unsigned width) {
    const struct commit_bundle *b = &r->bundle;
    fprintf(out, "%10" PRIu64 " x%-5" PRIu64 "%s%s%s%s%s", r->cycle, r->count, b->rob_empty ? " empty" : "",
            b->exception ? " exception" : "", b->replay ? " replay" : "", b->interrupt ? " interrupt" : "",
            b->redirect ? " redirect" : "");
    for (unsigned age = 0; age < width; age++) {
        unsigned lane = lane_of(b, age, width);
        if (!(b->valid >> lane & 1)) continue;
        fprintf(out, "  %s0x%" PRIx64 "%s%s", b->commit >> lane & 1 ? "*" : "", b->pc[lane],
                b->mispredict >> lane & 1 ? "m" : "", b->flush >> lane & 1 ? "f" : "");
        if (b->psv[lane]) fprintf(out, "[%x]", b->psv[lane]);
    }
    for (unsigned i = 0; i < width; i++) {
        if (b->dispatch_valid >> i & 1) fprintf(out, "  %s0x%" PRIx64, i ? "" : "dispatch ", b->dispatch_pc[i]);
    }
    fputc('\n', out);
}

static void print_json(FILE *out, const struct trace_record *r, unsigned width) {
    const struct commit_bundle *b = &r->bundle;
    fprintf(out,
            "{\"cycle\":%" PRIu64 ",\"count\":%" PRIu64 ",\"rob_empty\":%d,\"exception\":%d,\"interrupt\":%d,"
            "\"replay\":%d,\"redirect\":%d,\"lanes\":[",
            r->cycle, r->count, b->rob_empty, b->exception, b->interrupt, b->replay, b->redirect);
    const char *comma = "";
    for (unsigned age = 0; age < width; age++) {
        unsigned lane = lane_of(b, age, width);
        if (!(b->valid >> lane & 1)) continue;
        fprintf(out, "%s{\"pc\":\"0x%" PRIx64 "\",\"commit\":%d,\"mispredict\":%d,\"flush\":%d,\"psv\":%u}", comma,
                b->pc[lane], b->commit >> lane & 1, b->mispredict >> lane & 1, b->flush >> lane & 1, b->psv[lane]);
        comma = ",";
    }
    fputs("],\"dispatch\":[", out);
    comma = "";
    for (unsigned i = 0; i < width; i++) {
        if (!(b->dispatch_valid >> i & 1)) continue;
        fprintf(out, "%s\"0x%" PRIx64 "\"", comma, b->dispatch_pc[i]);
        comma = ",";
    }
    fputs("]}\n", out);
}

// Through the tracer that runs use: one form of CSV.
static int copy_csv(struct trace_file *t, const char *output, struct error *err) {
    struct trace_record record;
    struct output *document = output_open(output, err);
    if (!document) return STATUS_OUTPUT;
    char path[OUTPUT_PATH];
    output_path(document, path);
    struct tracer *csv = tracer_csv.create(path, trace_file_width(t), "", err);
    struct error damage = {""};
    int result = csv ? 0 : -EIO;
    while (csv && result == 0 && trace_file_next(t, &record, &damage) == 1)
        result = tracer_csv.cycle(csv, record.cycle, record.count, &record.bundle, err);
    const int closed = csv ? tracer_csv.close(csv, result < 0 ? NULL : err) : 0;
    const bool good = result == 0 && closed == 0;
    cli_warn_damage(&damage);
    if (!good) output_said(document, err);
    return output_close(document, good, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

static int copy_lines(struct trace_file *t, const struct arguments *a, struct error *err) {
    struct trace_record record;
    struct output *output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    FILE *out = output_file(output);
    bool json = strcmp(a->format, "json") == 0;
    struct error damage = {""};
    while (trace_file_next(t, &record, &damage) == 1 && !ferror(out))
        (json ? print_json : print_text)(out, &record, trace_file_width(t));
    cli_warn_damage(&damage);
    return output_close(output, true, err) < 0 ? STATUS_OUTPUT : EXIT_SUCCESS;
}

static int copy(const struct arguments *a, struct error *err) {
    bool folded = strcmp(a->format, "folded") == 0;
    if (signal_file_is(a->file) && folded) {
        error_set(err, "%s: holds signals, not the time of instructions: name a trace of worker bin", a->file);
        return STATUS_BAD_INPUT;
    }
    if (signal_file_is(a->file)) return trace_signals_copy(a->file, a->format, a->output, err);
    struct trace_file *t = trace_file_open(a->file, err);
    if (!t) return STATUS_BAD_INPUT;
    int status = folded ? trace_folded_copy(t, a->file, a->program, a->max_stack, a->output, err)
                 : strcmp(a->format, "csv") == 0 ? copy_csv(t, a->output, err)
                                                 : copy_lines(t, a, err);
    trace_file_destroy(t);
    return status;
}

int cmd_trace(int argc, char **argv) {
    static const char text[] = "Read a binary trace.\v"
                               "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written. Of a "
                               "damaged trace, everything before the damage is printed, with a warning.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE", .doc = text};
    struct arguments a = {.format = "text", .max_stack = STACK_FRAMES};
    struct error err = {""};
    parse_command(&argp, "trace", argc, argv, &a);
    const struct path_use uses[] = {
        {"the trace", a.file, false}, {"the program", a.program, false}, {"--output", a.output, true}};
    int status = paths_check(uses, 3, &err) ? copy(&a, &err) : STATUS_BAD_INPUT;
    if (status == EXIT_SUCCESS && !stdout_written(&err)) status = STATUS_OUTPUT;
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
