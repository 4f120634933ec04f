// Options of report and compare, and the way of their output: rendered whole, then written.
#include "cli/report_options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 512, OPT_OUTPUT, OPT_PROGRAM, STATUS_BAD_INPUT = 2 };

static const struct argp_option options[] = {
    {"format", OPT_FORMAT, "text|csv|json", 0, "of the output (default text)", 8},
    {"output", OPT_OUTPUT, "FILE", 0, "write there instead of to stdout", 8},
    {"program", OPT_PROGRAM, "FILE", 0, "the program's ELF file, where it is not where the run found it", 8},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_arguments *a = state->input;
    static const char *const formats[] = {[REPORT_TEXT] = "text", [REPORT_CSV] = "csv", [REPORT_JSON] = "json"};
    switch (key) {
    case OPT_FORMAT:
        for (int f = REPORT_TEXT; f <= REPORT_JSON; f++) {
            if (strcmp(arg, formats[f]) != 0) continue;
            a->options.format = (enum report_format)f;
            return 0;
        }
        argp_error(state, "--format %s: text, csv and json can be had", arg);
        return EINVAL;
    case OPT_OUTPUT: a->output = arg; return 0;
    case OPT_PROGRAM: a->options.program = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp report_common_argp = {.options = options, .parser = parse};

static bool write_all(const struct report_arguments *a, const char *text, size_t bytes, struct error *err) {
    FILE *out = a->output ? fopen(a->output, "we") : stdout;
    if (!out) {
        error_set(err, "%s: cannot create: %s: choose another file", a->output, strerror(errno));
        return false;
    }
    errno = 0;
    bool good = fwrite(text, 1, bytes, out) == bytes && fflush(out) == 0;
    if (a->output) good = fclose(out) == 0 && good;
    if (good || (!a->output && errno == EPIPE)) return true;
    error_set(err, "%s: cannot write: %s: free some space and try again", a->output ? a->output : "stdout",
              strerror(errno));
    return false;
}

int report_deliver(struct report_arguments *a,
                   int (*render)(struct report_arguments *a, FILE *out, struct error *err)) {
    struct error err = {""};
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    if (a->output) a->options.colour = false;
    int result = memory ? render(a, memory, &err) : -ENOMEM;
    if (!memory || fclose(memory) != 0) {
        error_set(&err, "out of memory: free some and try again");
        result = -ENOMEM;
    }
    if (result == 0 && !write_all(a, text, bytes, &err)) result = -EIO;
    free(text);
    if (result == 0) return EXIT_SUCCESS;
    fprintf(stderr, "tipoff: %s\n", err.text);
    return STATUS_BAD_INPUT;
}
