// The files that the options of `tipoff run` name: no output is an input, of any hart.
#include "base/paths.h"
#include "cli/run_harts.h"
#include "cli/run_options.h"
#include <stdlib.h>
#include <string.h>

enum { FILES = 32, ALONE = 10 }; // ALONE: those that have no list of their own

// By the names that hart 0, 1, ... writes to. A memory dump and a failure's checkpoint are the machine's.
static bool check_hart(const struct path_use *typed, size_t count, unsigned hart, struct error *err) {
    struct path_use uses[FILES];
    char(*names)[PATH_MAX] = error_calloc(FILES * sizeof *names, "files", err);
    if (!names) return false;
    for (size_t i = 0; i < count; i++) {
        uses[i] = typed[i];
        if (!uses[i].output || !uses[i].path || strcmp(uses[i].what, "--dump-memory") == 0) continue;
        run_harts_file(names[i], sizeof names[i], uses[i].path, hart);
        uses[i].path = names[i];
    }
    const bool good = paths_check(uses, count, err);
    free(names);
    return good;
}

bool run_options_check_files(const struct run_options *a, struct error *err) {
    const struct simulation_options *o = &a->run;
    struct path_use uses[FILES] = {{"the program", o->program, false},
                                   {"the model", o->model_path, false},
                                   {"the configuration", o->config_path, false},
                                   {"--input", o->input, false},
                                   {"--restore", o->restore, false},
                                   {"--samples", o->samples, true},
                                   {"--stats", o->stats, true},
                                   {"--profile", o->profile, true},
                                   {"--fst", o->fst, true},
                                   {"--failure-checkpoint", o->failure_checkpoint, true}};
    size_t count = ALONE;
    const char *path;
    for (size_t i = 0; count < FILES && (path = worker_requests_file(a->workers, i)); i++)
        uses[count++] = (struct path_use){path == a->trace    ? "--trace"
                                          : path == a->kanata ? "--kanata"
                                                              : "--worker",
                                          path, true};
    for (unsigned i = 0; count < FILES && i < a->dumps.count; i++)
        uses[count++] = (struct path_use){"--dump-memory", a->dumps.list[i].path, true};
    bool good = paths_check(uses, count, err);
    for (unsigned hart = 0; good && a->harts > 1 && hart < a->harts; hart++)
        good = check_hart(uses, count, hart, err);
    return good;
}
