// tipoff config: the core configurations, what builds those that are not built, and their keys.
#include "base/text_file.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "harness/machine_config.h"
#include <argp.h>
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 16 };

static error_t parse(int key, char *arg, struct argp_state *state) {
    const char **name = state->input;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    if (*name) argp_error(state, "one configuration only: unexpected argument '%s'", arg);
    *name = arg;
    return 0;
}

static int print_keys(const char *folder, const char *name) {
    char path[PATH_MAX + 64];
    struct error err = {""};
    if (configurations_check(folder, name, &err) < 0) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        return STATUS_BAD_INPUT;
    }
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, name);
    char *text = text_file_bytes(path, LARGEST, "generate it again (make gen)", NULL, &err);
    cJSON *object = text ? cJSON_Parse(text) : NULL, *item;
    if (text && !object) error_set(&err, "%s: not JSON: generate it again (make gen)", path);
    free(text);
    if (!object) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        return STATUS_BAD_INPUT;
    }
    cJSON_ArrayForEach(item, object) {
        if (cJSON_IsString(item)) {
            printf("%-24s %s\n", item->string, item->valuestring);
        } else if (cJSON_IsNumber(item)) {
            printf("%-24s %.15g\n", item->string, item->valuedouble);
        } else if (cJSON_IsBool(item)) {
            printf("%-24s %s\n", item->string, cJSON_IsTrue(item) ? "true" : "false");
        }
    }
    cJSON_Delete(object);
    return EXIT_SUCCESS;
}

static void print_row(const char *folder, const char *name, bool generated) {
    char path[PATH_MAX + 64], width[16] = "-", mhz[16] = "-";
    struct machine_config config;
    struct error err = {""};
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, name);
    if (generated && machine_config_load(&config, path, &err) < 0) {
        warning(&cli_notices, "%s", err.text);
        return;
    }
    if (generated) {
        snprintf(width, sizeof width, "%u", config.width);
        snprintf(mhz, sizeof mhz, "%u", config.clock_mhz);
    }
    snprintf(path, sizeof path, "%s/%s/model.so", folder, name);
    if (access(path, R_OK) == 0) {
        printf("%-12s %5s %6s  built\n", name, width, mhz);
    } else {
        printf("%-12s %5s %6s  not built: " CONFIGURATION_BUILD "\n", name, width, mhz, name);
    }
}

static int list(const char *folder) {
    struct error err = {""};
    struct configurations *found = configurations_create(folder, &err);
    if (found && configurations_count(found) == 0) error_set(&err, "%s: no configuration here: run make build", folder);
    if (err.text[0]) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        configurations_destroy(found);
        return STATUS_BAD_INPUT;
    }
    printf("%-12s %5s %6s  %s\n", "name", "width", "MHz", "model");
    for (size_t i = 0; i < configurations_count(found); i++)
        print_row(folder, configurations_name(found, i), configurations_generated(found, i));
    configurations_destroy(found);
    return EXIT_SUCCESS;
}

int cmd_config(int argc, char **argv) {
    static const char text[] = "List the core configurations, with the command that builds one that is not built; or "
                               "the keys of the one called NAME.";
    const struct argp argp = {.parser = parse, .args_doc = "[NAME]", .doc = text};
    const char *name = NULL;
    char folder[PATH_MAX];
    parse_command(&argp, "config", argc, argv, &name);
    struct error err;
    if (!folder_find(folder, sizeof folder, &err)) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        return STATUS_BAD_INPUT;
    }
    return name ? print_keys(folder, name) : list(folder);
}
