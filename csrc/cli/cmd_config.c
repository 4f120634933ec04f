// tipoff config: the core configurations that were built, and their keys.
#include "cli/cli.h"
#include "cli/folder.h"
#include "harness/machine_config.h"
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 16 };

static error_t parse(int key, char *arg, struct argp_state *state) {
    const char **name = state->input;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    if (*name) argp_error(state, "one configuration only: '%s' is too much", arg);
    *name = arg;
    return 0;
}

static cJSON *read_config(const char *path) {
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(LARGEST) : NULL;
    size_t n = text ? fread(text, 1, LARGEST - 1, file) : 0;
    if (file) fclose(file);
    cJSON *object = text ? cJSON_ParseWithLength(text, n) : NULL;
    free(text);
    return object;
}

static int print_keys(const char *folder, const char *name) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, name);
    cJSON *object = read_config(path), *item;
    if (!object) {
        fprintf(stderr,
                "tipoff: %s: no such configuration: `tipoff config` lists them; build it with make CONFIGS=%s\n", name,
                name);
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

static int list(const char *folder) {
    char pattern[PATH_MAX + 64], model[PATH_MAX + 64];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/gen/config.json", folder);
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "tipoff: %s: no configuration here: run make build\n", folder);
        return STATUS_BAD_INPUT;
    }
    printf("%-12s %5s %6s  %s\n", "name", "width", "MHz", "model");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct machine_config config;
        struct error err = {""};
        if (machine_config_load(&config, found.gl_pathv[i], &err) < 0) {
            fprintf(stderr, "tipoff: warning: %s\n", err.text);
            continue;
        }
        snprintf(model, sizeof model, "%s/%s/model.so", folder, config.name);
        printf("%-12s %5u %6u  %s\n", config.name, config.width, config.clock_mhz,
               access(model, R_OK) == 0 ? "built" : "not built");
    }
    globfree(&found);
    return EXIT_SUCCESS;
}

int cmd_config(int argc, char **argv) {
    static const char text[] = "List the core configurations, or the keys of the one called NAME.";
    const struct argp argp = {.parser = parse, .args_doc = "[NAME]", .doc = text};
    const char *name = NULL;
    char folder[PATH_MAX];
    char command[] = "tipoff config"; // as argp is to call it
    argv[0] = command;
    argp_err_exit_status = STATUS_BAD_INPUT;
    argp_parse(&argp, argc, argv, 0, NULL, &name);
    if (!folder_find(folder, sizeof folder)) {
        fputs("tipoff: cannot find the program's own folder: is /proc mounted?\n", stderr);
        return STATUS_BAD_INPUT;
    }
    return name ? print_keys(folder, name) : list(folder);
}
