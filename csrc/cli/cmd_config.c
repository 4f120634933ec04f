// tipoff config: the core configurations, what builds those that are not built, their keys, and how two differ.
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/config_values.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "cli/table_output.h"
#include <argp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_KEYS = 256, NAMES = 16 };

static const struct argp_option options[] = {
    {"keys", OPT_KEYS, NULL, 0,
     "each key with its value, its value in " DEFAULT_CONFIGURATION
     ", the default, its range and what it is; without NAME: of the default",
     0},
    {0},
};

struct arguments {
    const char *names[NAMES];
    unsigned count;
    bool keys;
    struct table_output to;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->to; break;
    case OPT_KEYS: a->keys = true; break;
    case ARGP_KEY_ARG:
        if (a->count == NAMES) argp_error(state, "at most %d configurations: unexpected argument '%s'", NAMES, arg);
        a->names[a->count++] = arg;
        break;
    case ARGP_KEY_END:
        if (a->keys && a->count > 1) argp_error(state, "--keys: of one configuration; leave it out for a difference");
        if (a->keys && !a->count) a->names[a->count++] = DEFAULT_CONFIGURATION;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void add_value(struct sheet *s, const struct config_values *v, unsigned key) {
    sheet_add(s, v->known[key] ? value_count(v->value[key]) : value_none());
}

// ---- all configurations ----
static void add_row(struct sheet *s, const char *folder, const char *name) {
    char path[PATH_MAX + 64], model[NAME_MAX + 64];
    struct config_values v;
    struct error err = {""};
    if (!config_values_read(&v, folder, name, &err)) warning(&cli_notices, "%s", err.text);
    snprintf(path, sizeof path, "%s/%s/model.so", folder, name);
    const bool built = access(path, R_OK) == 0;
    snprintf(model, sizeof model, "not built: " CONFIGURATION_BUILD, name);
    sheet_text(s, name);
    add_value(s, &v, config_key_find("core.width"));
    add_value(s, &v, config_key_find("clock.mhz"));
    sheet_add(s, value_truth(built));
    sheet_text(s, built ? "built" : model);
}

static bool add_all(struct sheet *s, const char *folder, struct error *err) {
    struct configurations *found = configurations_create(folder, err);
    if (found && configurations_count(found) == 0) error_set(err, "%s: no configuration here: run make build", folder);
    sheet_column(s, "name", "name", SHEET_LEFT);
    sheet_column(s, "width", "width", SHEET_RIGHT);
    sheet_column(s, "mhz", "MHz", SHEET_RIGHT);
    sheet_column(s, "built", "", SHEET_FILES);
    sheet_column(s, "model", "model", SHEET_TEXT);
    for (size_t i = 0; found && i < configurations_count(found); i++)
        add_row(s, folder, configurations_name(found, i));
    configurations_destroy(found);
    return !err->text[0];
}

// ---- one, and several ----
static bool read_all(const struct arguments *a, const char *folder, struct config_values *values, struct error *err) {
    for (unsigned i = 0; i < a->count; i++)
        if (!config_values_read(&values[i], folder, a->names[i], err)) return false;
    return true;
}

static bool add_keys(struct sheet *s, const struct arguments *a, const char *folder, struct error *err) {
    struct config_values v, standard;
    struct error none;
    if (!config_values_read(&v, folder, a->names[0], err)) return false;
    if (!config_values_read(&standard, folder, DEFAULT_CONFIGURATION, &none)) memset(&standard, 0, sizeof standard);
    sheet_column(s, "key", "key", SHEET_LEFT);
    sheet_column(s, "value", "value", SHEET_RIGHT);
    if (a->keys) sheet_column(s, "default", "default", SHEET_RIGHT);
    if (a->keys) sheet_column(s, "min", "min", SHEET_RIGHT);
    if (a->keys) sheet_column(s, "max", "max", SHEET_RIGHT);
    if (a->keys) sheet_column(s, "pow2", "", SHEET_LEFT);
    if (a->keys) sheet_column(s, "text", "text", SHEET_LEFT);
    for (unsigned k = 0; k < CONFIG_KEY_COUNT; k++) {
        const struct config_key *key = &config_key_rows[k];
        sheet_text(s, key->name);
        add_value(s, &v, k);
        if (!a->keys) continue;
        add_value(s, &standard, k);
        sheet_add(s, value_count(key->min));
        sheet_add(s, value_count(key->max));
        sheet_text(s, key->power_of_two ? "2^n" : "");
        sheet_text(s, key->text);
    }
    return true;
}

static bool differs(const struct config_values *v, unsigned count, unsigned key) {
    for (unsigned i = 1; i < count; i++)
        if (v[i].known[key] != v[0].known[key] || v[i].value[key] != v[0].value[key]) return true;
    return false;
}

// A column for each; the keys that are not the same in all.
static bool add_difference(struct sheet *s, const struct arguments *a, const char *folder, struct error *err) {
    struct config_values values[NAMES];
    if (!read_all(a, folder, values, err)) return false;
    sheet_column(s, "key", "key", SHEET_LEFT);
    for (unsigned i = 0; i < a->count; i++)
        sheet_column(s, a->names[i], a->names[i], SHEET_RIGHT);
    sheet_column(s, "text", "text", SHEET_LEFT);
    for (unsigned k = 0; k < CONFIG_KEY_COUNT; k++) {
        if (!differs(values, a->count, k)) continue;
        sheet_text(s, config_key_rows[k].name);
        for (unsigned i = 0; i < a->count; i++)
            add_value(s, &values[i], k);
        sheet_text(s, config_key_rows[k].text);
    }
    return true;
}

int cmd_config(int argc, char **argv) {
    static const char text[] =
        "List the core configurations, with the command that builds one that is not built; or the keys of the one "
        "called NAME; or, of several, the keys in which they differ.\v"
        "How to make one: docs/guide/configurations.md. Exit status: 0; 2 on bad usage or bad input; 4 if the output "
        "cannot be written.";
    const struct argp_child children[] = {{&table_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "[NAME...]", .doc = text, .children = children};
    struct arguments a = {.count = 0};
    char folder[PATH_MAX];
    parse_command(&argp, "config", argc, argv, &a);
    struct error err = {""};
    struct sheet *sheet = sheet_create();
    bool good = sheet && folder_find(folder, sizeof folder, &err);
    if (!sheet) error_nomem(&err, "configurations");
    if (good)
        good = (a.count > 1 ? add_difference(sheet, &a, folder, &err)
                : a.count   ? add_keys(sheet, &a, folder, &err)
                            : add_all(sheet, folder, &err));
    const int status = good ? table_output_write(&a.to, sheet, &err) : STATUS_BAD_INPUT;
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    sheet_destroy(sheet);
    return status;
}
