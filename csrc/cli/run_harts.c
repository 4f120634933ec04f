// The harts of a run: the options of each, with files of its own, and one end of them all.
#include "cli/run_harts.h"
#include "cli/configurations.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_harts_file(char *out, size_t size, const char *path, unsigned hart) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (!dot || dot == name) dot = name + strlen(name);
    snprintf(out, size, "%.*s.hart%u%s", (int)(dot - path), path, hart, dot);
}

bool run_kinds_parse(struct run_kinds *kinds, const char *text, struct error *err) {
    kinds->count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (kinds->count == RUN_HARTS_MOST) {
            error_set(err, "--harts %s: more than %d: name fewer configurations", text, RUN_HARTS_MOST);
            return false;
        }
        if (length == 0 || length >= RUN_KIND_NAME) {
            error_set(err,
                      "--harts %s: not a number from 1 to %d, nor names of configurations with commas between them",
                      text, RUN_HARTS_MOST);
            return false;
        }
        snprintf(kinds->names[kinds->count++], RUN_KIND_NAME, "%.*s", (int)length, at);
        at += length;
        if (!*at) return true;
    }
}

bool run_kinds_check(const struct run_kinds *kinds, const char *folder, struct error *err) {
    for (unsigned i = 0; i < kinds->count; i++) {
        if (configurations_check(folder, kinds->names[i], err) < 0) return false;
    }
    return true;
}

enum { BUILT = PATH_MAX + RUN_KIND_NAME + 32 }; // of a path in the folder of what is built
struct harts {
    struct simulation_options options[RUN_HARTS_MOST];
    char config[RUN_HARTS_MOST][BUILT], model[RUN_HARTS_MOST][BUILT];
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
    error_set(err,
              "--harts: the caches of %s are not coherent (harts.coherent = 0): name configurations whose are, as "
              "small2c and tea4c",
              config->name);
    return false;
}

static void choose_kind(struct harts *h, unsigned hart, const char *folder, const char *name) {
    snprintf(h->config[hart], BUILT, "%s/%s/gen/config.json", folder, name);
    snprintf(h->model[hart], BUILT, "%s/%s/model.so", folder, name);
    h->options[hart].config_path = h->config[hart];
    h->options[hart].model_path = h->model[hart];
}

int run_harts(const struct simulation_options *options, unsigned harts, const struct run_kinds *kinds,
              const char *folder, struct error *err) {
    struct harts *h = error_calloc(sizeof *h, "harts", err);
    if (!h) return EXIT_USAGE;
    for (unsigned i = 0; i < harts; i++) {
        struct simulation_options *o = &h->options[i];
        *o = *options;
        o->samples = file_of(h->samples[i], options->samples, i);
        o->stats = file_of(h->stats[i], options->stats, i);
        o->profile = file_of(h->profile[i], options->profile, i);
        if (i > 0) o->note = NULL;
        if (kinds && kinds->count) choose_kind(h, i, folder, kinds->names[i]);
        struct machine_config config;
        if (machine_config_load(&config, o->config_path, err) < 0 || !run_harts_coherent(&config, err)) {
            free(h);
            return EXIT_USAGE;
        }
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
