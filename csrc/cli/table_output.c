// The formats of a table and its place: table_output.h.
#include "cli/table_output.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include <stdlib.h>

enum { OPT_FORMAT = TABLE_OUTPUT_KEYS };

static const struct argp_option options[] = {
    OPTION_FORMAT(OPT_FORMAT, "text (default), csv, json", 0), OPTION_OUTPUT("", 0), {0}};

static void write_text(const struct sheet *s, FILE *out) {
    sheet_write_text(s, SHEET_ALL, out);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const names[] = {"text", "csv", "json"};
    struct table_output *t = state->input; // of argp's help alone it is NULL
    if (!t) return ARGP_ERR_UNKNOWN;
    void (*const writers[])(const struct sheet *, FILE *) = {t->text ? t->text : write_text, sheet_write_csv,
                                                             sheet_write_json};
    switch (key) {
    case ARGP_KEY_INIT: t->write = writers[0]; break;
    case OPT_FORMAT:
        t->write = writers[option_choice(arg, names, sizeof names / sizeof *names, "format", state)];
        break;
    case 'o': t->path = arg; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
const struct argp table_output_argp = {.options = options, .parser = parse};

bool table_output_is_text(const struct table_output *t) {
    return t->write != sheet_write_csv && t->write != sheet_write_json;
}

int table_output_write(const struct table_output *t, const struct sheet *s, struct error *err) {
    if (!sheet_good(s)) {
        error_nomem(err, "table");
        return STATUS_BAD_INPUT;
    }
    struct output *output = output_open(t->path, err);
    if (!output) return STATUS_OUTPUT;
    t->write(s, output_file(output));
    if (output_close(output, true, err) < 0 || !stdout_written(err)) return STATUS_OUTPUT;
    return EXIT_SUCCESS;
}
