// tipoff workloads: the programs that were built to be run.
#include "base/elf.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include <argp.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    argp_error(state, "unexpected argument '%s'", arg);
    return 0;
}

static void print_program(const char *path) {
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
    printf("%-24s %12llu %14llu  %s\n", paths_name(path), (unsigned long long)file_bytes,
           (unsigned long long)memory_bytes, path);
    image_destroy(image);
}

int cmd_workloads(int argc, char **argv) {
    static const char text[] =
        "List the programs in build/workloads: NAME.SIZE.elf, the bytes they load and the bytes of "
        "memory they occupy.";
    const struct argp argp = {.parser = parse, .doc = text};
    char folder[PATH_MAX], pattern[PATH_MAX + 64];
    glob_t found;
    parse_command(&argp, "workloads", argc, argv, NULL);
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
    printf("%-24s %12s %14s  %s\n", "name", "loaded bytes", "memory bytes", "file");
    for (size_t i = 0; i < found.gl_pathc; i++)
        print_program(found.gl_pathv[i]);
    globfree(&found);
    return EXIT_SUCCESS;
}
