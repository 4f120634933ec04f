// tipoff litmus: what RVWMO allows litmus tests to end in.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "litmus/report.h"
#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { OPT_ALLOWED = 256, OPT_FORMAT };
enum { SHOW_PROGRESS = 100 }; // tests between two lines of it

static const struct argp_option options[] = {
    {"allowed", OPT_ALLOWED, NULL, 0, "enumerate all states that RVWMO allows", 0},
    {"format", OPT_FORMAT, "text|csv|json", 0, "output format (default: text, in the form of herd7 and litmus7)", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of stdout", 0},
    {0},
};

struct arguments {
    char **files;
    int count;
    const char *output;
    enum litmus_format format;
    bool allowed;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[LITMUS_FORMATS] = {LITMUS_FORMAT_NAMES};
    struct arguments *a = state->input;
    switch (key) {
    case OPT_ALLOWED: a->allowed = true; break;
    case OPT_FORMAT:
        a->format = (enum litmus_format)option_choice(arg, formats, LITMUS_FORMATS, "format", state);
        break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        if (!a->count) argp_error(state, "name a litmus test: FILE.litmus");
        if (!a->allowed) argp_error(state, "give --allowed");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Whether the file was read and judged; its result goes to out.
static bool handle(const struct arguments *a, const char *path, size_t number, FILE *out, struct error *err) {
    struct litmus_test *t = litmus_read(path, err);
    struct litmus_states *allowed = t ? litmus_allowed(t, path, err) : NULL;
    if (allowed) litmus_report(&(struct litmus_result){path, t, allowed}, a->format, number, out);
    litmus_states_destroy(allowed);
    litmus_destroy(t);
    return allowed != NULL;
}

static void progress(const struct arguments *a, int done) {
    if (a->count < 2 * SHOW_PROGRESS || done % SHOW_PROGRESS || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "tipoff: %d of %d tests\n", done, a->count);
}

static int handle_all(const struct arguments *a, struct error *err) {
    struct output *const output = output_open(a->output, err);
    size_t good = 0;
    if (!output) return STATUS_OUTPUT;
    FILE *const out = output_file(output);
    for (int i = 0; i < a->count && !ferror(out); i++) {
        struct error fault = {""};
        if (handle(a, a->files[i], good, out, &fault))
            good++;
        else
            fprintf(stderr, "tipoff: %s\n", fault.text); // and the others follow
        progress(a, i + 1);
    }
    if (good) litmus_report_end(a->format, good, out);
    if (output_close(output, good > 0, err) < 0 && good) return STATUS_OUTPUT;
    if (!a->output && !stdout_written(err)) return STATUS_OUTPUT;
    return good < (size_t)a->count ? STATUS_BAD_INPUT : EXIT_SUCCESS;
}

int cmd_litmus(int argc, char **argv) {
    static const char text[] =
        "Show what litmus tests may end in under the memory model of RISC-V, RVWMO.\v"
        "FILE.litmus: a test for RISC-V in the form of herdtools7 (docs/reference/litmus.md).\n"
        "Exit status: 0; 2 on bad usage, or when a file is not read (the others are); 4 when the output could not be "
        "written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE.litmus...", .doc = text};
    struct arguments a = {0};
    parse_command(&argp, "litmus", argc, argv, &a);

    struct error err = {""};
    int status = EXIT_SUCCESS;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < a.count && a.output && !status; i++) {
        const struct path_use uses[] = {{"--output", a.output, true}, {"the test", a.files[i], false}};
        if (!paths_check(uses, 2, &err)) status = STATUS_BAD_INPUT;
    }
    if (!status) status = handle_all(&a, &err);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
