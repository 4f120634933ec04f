// The harts of a run: the options of each, with files of its own, and one end of them all.
#include "cli/run_harts.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_harts_file(char *out, size_t size, const char *path, unsigned hart) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || dot == name) dot = name + strlen(name);
    snprintf(out, size, "%.*s.hart%u%s", (int)(dot - path), path, hart, dot);
}

struct harts {
    struct simulation_options options[RUN_HARTS_MOST];
    struct simulation_end ends[RUN_HARTS_MOST];
    char samples[RUN_HARTS_MOST][PATH_MAX], stats[RUN_HARTS_MOST][PATH_MAX], profile[RUN_HARTS_MOST][PATH_MAX];
};

static const char *file_of(char *name, const char *path, unsigned hart) {
    if (!path) return NULL;
    run_harts_file(name, PATH_MAX, path, hart);
    return name;
}

bool run_harts_coherent(const struct machine_config *config, struct error *err) {
    if (config->coherent) return true;
    error_set(
        err, "--harts: the caches of %s are not coherent (harts.coherent = 0): name a configuration whose are, small2c",
        config->name);
    return false;
}

int run_harts(const struct simulation_options *options, unsigned harts, struct error *err) {
    struct machine_config config;
    if (machine_config_load(&config, options->config_path, err) < 0 || !run_harts_coherent(&config, err))
        return EXIT_USAGE;
    struct harts *h = error_calloc(sizeof *h, "harts", err);
    if (!h) return EXIT_USAGE;
    for (unsigned i = 0; i < harts; i++) {
        struct simulation_options *o = &h->options[i];
        *o = *options;
        o->samples = file_of(h->samples[i], options->samples, i);
        o->stats = file_of(h->stats[i], options->stats, i);
        o->profile = file_of(h->profile[i], options->profile, i);
        if (i > 0) o->note = NULL;
    }
    simulation_run_harts(h->options, harts, h->ends);
    unsigned which = 0; // the first that something befell; else all have the program's end
    for (unsigned i = harts; i-- > 0;)
        which = h->ends[i].err.text[0] ? i : which;
    const int status = h->ends[which].status;
    *err = h->ends[which].err;
    free(h);
    return status;
}
