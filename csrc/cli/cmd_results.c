// tipoff results: what a run can leave besides samples and profiles (tables/results.tsv), how much of it is in files,
// and its rows; of several files as those of one.
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/results_found.h"
#include "cli/table_output.h"
#include "report/sheet.h"
#include "results.h"
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ROWS = 256, FILES_MOST = 1024 };

static const struct argp_option options[] = {
    {"rows", OPT_ROWS, "NAME", 0, "the rows of this result", 0},
    {0},
};

struct arguments {
    const char *files[FILES_MOST], *rows;
    size_t count;
    unsigned number; // of the result of --rows
    struct table_output to;
    char columns[RESULT_FIELDS_MOST][2][64]; // names of places' columns, for the sheet
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->to; break;
    case OPT_ROWS:
        if (a->rows) argp_error(state, "--rows: once only: each result has columns of its own");
        a->rows = arg;
        a->number = 0;
        while (a->number < RESULT_COUNT && strcmp(result_info(a->number)->name, arg) != 0)
            a->number++;
        if (a->number == RESULT_COUNT)
            argp_error(state, "--rows %s: no result has that name; `tipoff results` lists them", arg);
        break;
    case ARGP_KEY_ARG:
        if (a->count == FILES_MOST) argp_error(state, "more than %d sample files: name fewer", FILES_MOST);
        a->files[a->count++] = arg;
        break;
    case ARGP_KEY_END:
        if (a->rows && !a->count) argp_error(state, "--rows %s: name a sample file", a->rows);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- all results ----
static void add_columns(struct sheet *s, bool files) {
    sheet_column(s, "result", "result", SHEET_LEFT);
    sheet_column(s, "id", "id", SHEET_RIGHT);
    sheet_column(s, "kind", "kind", SHEET_LEFT);
    sheet_column(s, "since", "since", SHEET_RIGHT);
    sheet_column(s, "field", "field", SHEET_LEFT);
    sheet_column(s, "field_id", "id", SHEET_RIGHT);
    sheet_column(s, "type", "type", SHEET_LEFT);
    sheet_column(s, "unit", "unit", SHEET_LEFT);
    sheet_column(s, "merge", "merge", SHEET_LEFT);
    if (files) sheet_column(s, "rows", "rows", SHEET_RIGHT);
}

static void add_result(struct sheet *s, unsigned number, const struct results *files) {
    static const char *const kinds[] = {"scalar", "vector", "table", "list"};
    static const char *const merges[] = {"sum", "max", "min", "last", "none"};
    const struct result_info *info = result_info(number);
    for (unsigned k = 0; k < info->field_count; k++) {
        const struct result_field *f = &info->fields[k];
        size_t count = 0;
        sheet_text(s, info->name);
        sheet_add(s, value_count(info->id));
        sheet_text(s, kinds[info->kind]);
        sheet_add(s, value_count(f->since));
        sheet_text(s, f->name);
        sheet_add(s, value_count(f->id));
        sheet_text(s, f->written);
        sheet_text(s, f->key ? "key" : f->unit);
        sheet_text(s, f->key ? "" : merges[f->merge]);
        if (files) results_rows(files, number, &count);
        if (files && results_apart(files, number)) sheet_add(s, value_none()); // of several files no one result
        if (files && !results_apart(files, number)) sheet_add(s, value_count(count));
    }
}

static void add_unknown(struct sheet *s, const struct samples_unknown *u) {
    char result[40], field[40];
    unsigned number;
    const bool known = result_find(u->result, &number);
    snprintf(result, sizeof result, "unknown result %u", u->result);
    snprintf(field, sizeof field, "unknown field %u", u->field);
    sheet_text(s, known ? result_info(number)->name : result);
    sheet_add(s, value_count(u->result));
    sheet_add(s, value_none());
    sheet_add(s, value_none());
    sheet_text(s, u->field ? field : known ? "unknown encoding" : "");
    if (u->field)
        sheet_add(s, value_count(u->field));
    else
        sheet_add(s, value_none());
    for (unsigned i = 0; i < 3; i++)
        sheet_add(s, value_none());
    sheet_add(s, value_count(u->rows));
}

static void list(struct sheet *s, const struct results_found *f, bool files) {
    add_columns(s, files);
    for (unsigned n = 0; n < RESULT_COUNT; n++)
        if (!files || results_known(f->results, n) || results_apart(f->results, n))
            add_result(s, n, files ? f->results : NULL);
    for (size_t i = 0; files && i < f->unknown_count; i++)
        add_unknown(s, &f->unknown[i]);
    if (f->more_unknown)
        warning(
            &cli_notices,
            "more than %d results and fields are unknown: the first ones are listed: use the tipoff that wrote them",
            SAMPLES_UNKNOWN_MOST);
}

// ---- rows ----
static void add_place(struct sheet *s, struct place place) {
    if (place.pc == PROFILE_PC_END)
        sheet_add(s, value_none());
    else
        sheet_add(s, value_address(place.pc));
    const char mode[] = {MODE_LETTERS[place_mode(place.context)], '\0'};
    sheet_text(s, mode);
    sheet_add(s, value_address(place_space(place.context)));
}

static void add_value(struct sheet *s, const struct result_field *f, const char *row, bool text) {
    switch (f->type) {
    case RESULT_PLACE: add_place(s, result_place(f, row)); return;
    case RESULT_TEXT: sheet_text(s, result_text(f, row)); return;
    case RESULT_REAL: sheet_add(s, value_number(result_real(f, row))); return;
    default: break;
    }
    const uint64_t value = result_number(f, row);
    const bool never = strcmp(f->written, "cycle") == 0 && value == RESULT_NEVER;
    if (never && text)
        sheet_text(s, "never");
    else if (never)
        sheet_add(s, value_none());
    else if (strcmp(f->written, "address") == 0)
        sheet_add(s, value_address(value));
    else if (f->names)
        sheet_text(s, f->names[value]);
    else
        sheet_add(s, value_count(value));
}

static void add_rows(struct sheet *s, const struct results_found *f, struct arguments *a) {
    const struct result_info *info = result_info(a->number);
    size_t count;
    const char *rows = results_rows(f->results, a->number, &count);
    for (unsigned k = 0; k < info->field_count; k++) {
        const char *name = info->fields[k].name;
        const bool text = info->fields[k].type == RESULT_TEXT || info->fields[k].names;
        sheet_column(s, name, name, text ? SHEET_LEFT : SHEET_RIGHT);
        if (info->fields[k].type != RESULT_PLACE) continue;
        snprintf(a->columns[k][0], sizeof a->columns[k][0], "%s_mode", name);
        snprintf(a->columns[k][1], sizeof a->columns[k][1], "%s_space", name);
        sheet_column(s, a->columns[k][0], "mode", SHEET_LEFT);
        sheet_column(s, a->columns[k][1], "space", SHEET_RIGHT);
    }
    for (size_t i = 0; i < count; i++, rows += info->bytes)
        for (unsigned k = 0; k < info->field_count; k++)
            add_value(s, &info->fields[k], rows, table_output_is_text(&a->to));
}

// --output is none of the files that are read.
static bool paths_good(const struct arguments *a, struct error *err) {
    for (size_t i = 0; i < a->count; i++) {
        const struct path_use uses[] = {{"the samples", a->files[i], false}, {"--output", a->to.path, true}};
        if (!paths_check(uses, 2, err)) return false;
    }
    return true;
}

int cmd_results(int argc, char **argv) {
    static const char text[] =
        "Without a file: list the results that a run can leave in a sample file besides samples and profiles, field by "
        "field. With files: those that they have, and how many rows; results and fields of a later tipoff by their "
        "numbers.\v"
        "Several files, of harts, regions or runs, are merged: rows with the same keys become one by the merge rule of "
        "each field, rows of lists follow on each other; a result whose fields have no rule and differ has no rows "
        "(docs/reference/results.md). A cycle that did not come is never, in CSV an empty cell, in JSON null. Exit "
        "status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp_child children[] = {{&table_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "[FILE.tips...]", .doc = text, .children = children};
    struct arguments a = {.rows = NULL};
    struct results_found found = {.results = results_create()};
    struct sheet *sheet = sheet_create();
    struct error err = {""};
    parse_command(&argp, "results", argc, argv, &a);
    bool good = found.results && sheet;
    if (!good) error_nomem(&err, "results");
    good = good && paths_good(&a, &err);
    for (size_t i = 0; good && i < a.count; i++)
        good = results_found_read(&found, a.files[i], &err);
    if (good && a.rows)
        add_rows(sheet, &found, &a);
    else if (good)
        list(sheet, &found, a.count != 0);
    const int status = good ? table_output_write(&a.to, sheet, &err) : STATUS_BAD_INPUT;
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    sheet_destroy(sheet);
    results_found_free(&found);
    return status;
}
