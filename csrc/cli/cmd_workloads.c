// tipoff workloads: the programs that were built to be run.
#include "base/elf.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include "cli/table_output.h"
#include <argp.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
    if (key == ARGP_KEY_INIT) state->child_inputs[0] = state->input;
    if (key != ARGP_KEY_ARG) return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
    argp_error(state, "unexpected argument '%s'", arg);
    return 0;
}

static void add_program(struct sheet *s, const char *path) {
    struct error err = {""};
    struct image *image = image_load(path, &err);
    if (!image) {
        warning(&cli_notices, "%s", err.text);
        return;
    }
    uint64_t file_bytes = 0, memory_bytes = 0;
    for (size_t i = 0; i < image_segment_count(image); i++) {
        file_bytes += image_segment(image, i)->file_bytes;
        memory_bytes += image_segment(image, i)->bytes;
    }
    sheet_text(s, paths_name(path));
    sheet_add(s, value_count(file_bytes));
    sheet_add(s, value_count(memory_bytes));
    sheet_text(s, path);
    image_destroy(image);
}

static void add_columns(struct sheet *s) {
    sheet_column(s, "name", "name", SHEET_LEFT);
    sheet_column(s, "loaded_bytes", "loaded bytes", SHEET_RIGHT);
    sheet_column(s, "memory_bytes", "memory bytes", SHEET_RIGHT);
    sheet_column(s, "file", "file", SHEET_LEFT);
}

int cmd_workloads(int argc, char **argv) {
    static const char text[] =
        "List the programs in build/workloads: NAME.SIZE.elf, the bytes they load and the bytes of "
        "memory they occupy.\v"
        "Exit status: 0; 2 on bad usage, or without programs; 4 if the output cannot be written.";
    const struct argp_child children[] = {{&table_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.parser = parse, .doc = text, .children = children};
    struct table_output to = {.path = NULL};
    char folder[PATH_MAX], pattern[PATH_MAX + 64];
    glob_t found;
    parse_command(&argp, "workloads", argc, argv, &to);
    struct error err;
    if (!folder_find(folder, sizeof folder, &err)) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        return STATUS_BAD_INPUT;
    }
    snprintf(pattern, sizeof pattern, "%s/workloads/*.elf", folder);
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "tipoff: %s/workloads: no programs here: run make build\n", folder);
        return STATUS_BAD_INPUT;
    }
    struct sheet *sheet = sheet_create();
    add_columns(sheet);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_program(sheet, found.gl_pathv[i]);
    globfree(&found);
    const int status = table_output_write(&to, sheet, &err);
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    sheet_destroy(sheet);
    return status;
}
