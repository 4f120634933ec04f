// tipoff regions: which slices of a long program stand for all of it, and what follows from them; each action is a
// file.
#include "cli/cli.h"
#include "cli/regions.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*action)(int argc, char **argv); // argv[0]: its name
} actions[] = {
    {"find", regions_find},   {"import", regions_import}, {"live", regions_live},         {"run", regions_run_action},
    {"study", regions_study}, {"table", regions_table},   {"validate", regions_validate},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

int cmd_regions(int argc, char **argv) {
    for (unsigned i = 0; argc > 1 && i < ACTIONS; i++)
        if (strcmp(argv[1], actions[i].name) == 0) return actions[i].action(argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] == '-') return regions_find(argc, argv); // --help, and what has no action
    fprintf(stderr, "tipoff: regions: %s%s%s: use", argc > 1 ? "'" : "say what to do", argc > 1 ? argv[1] : "",
            argc > 1 ? "' is no part of it" : "");
    for (unsigned i = 0; i < ACTIONS; i++)
        fprintf(stderr, "%s `tipoff regions %s`", i == 0 ? "" : i + 1 < ACTIONS ? "," : " or", actions[i].name);
    fputc('\n', stderr);
    return STATUS_BAD_INPUT;
}
