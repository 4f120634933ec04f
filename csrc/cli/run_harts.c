// The harts of a run: the options of each, with files of its own, and one end of them all.
#include "cli/run_harts.h"
#include "cli/configurations.h"
#include "cli/waves_model.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// It is one, or will be.
static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

void run_harts_file(char *out, size_t size, const char *path, unsigned hart) {
    if (!is_file(path)) { // /dev/null, a pipe: one for all
        snprintf(out, size, "%s", path);
        return;
    }
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
    struct worker_requests *workers[RUN_HARTS_MOST];
    struct simulation_search searches[RUN_HARTS_MOST]; // each for itself; the earliest cycle is the answer
    struct {
        char samples[PATH_MAX], stats[PATH_MAX], profile[PATH_MAX], fst[PATH_MAX];
    } files[RUN_HARTS_MOST];
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

// All files that a hart's options name are its own.
static bool name_files(struct harts *h, unsigned hart, struct error *err) {
    struct simulation_options *o = &h->options[hart];
    o->samples = file_of(h->files[hart].samples, o->samples, hart);
    o->stats_together = o->stats && is_file(o->stats) ? o->stats : NULL;
    o->stats = file_of(h->files[hart].stats, o->stats, hart);
    o->profile = file_of(h->files[hart].profile, o->profile, hart);
    o->fst = file_of(h->files[hart].fst, o->fst, hart);
    if (hart > 0) o->note = NULL;
    if (o->search) h->searches[hart] = *o->search;
    if (o->search) o->search = &h->searches[hart];
    o->workers = h->workers[hart] = worker_requests_renamed(o->workers, run_harts_file, hart);
    if (!o->workers) error_nomem(err, "harts");
    return o->workers != NULL;
}

static bool choose_kind(struct harts *h, unsigned hart, const char *folder, const char *name, struct error *err) {
    snprintf(h->config[hart], BUILT, "%s/%s/gen/config.json", folder, name);
    snprintf(h->model[hart], BUILT, "%s/%s/model.so", folder, name);
    h->options[hart].config_path = h->config[hart];
    h->options[hart].model_path = h->model[hart];
    return !h->options[hart].fst || waves_model_find(folder, name, h->model[hart], BUILT, err);
}

static bool choose(struct harts *h, unsigned hart, const struct run_kinds *kinds, const char *folder,
                   struct error *err) {
    struct machine_config config;
    if (!name_files(h, hart, err)) return false;
    if (kinds && kinds->count && !choose_kind(h, hart, folder, kinds->names[hart], err)) return false;
    return machine_config_load(&config, h->options[hart].config_path, err) == 0 && run_harts_coherent(&config, err);
}

// One that finds it ends the run of all some cycles later: no other has found it before that turn.
static void take_earliest(const struct harts *h, unsigned harts, struct simulation_search *search) {
    for (unsigned i = 0; search && i < harts; i++)
        if (h->searches[i].found && (!search->found || h->searches[i].cycle < search->cycle)) *search = h->searches[i];
}

static void destroy(struct harts *h, unsigned harts) {
    for (unsigned i = 0; i < harts; i++)
        worker_requests_destroy(h->workers[i]);
    free(h);
}

int run_harts(const struct simulation_options *options, unsigned harts, const struct run_kinds *kinds,
              const char *folder, struct error *err) {
    struct harts *h = error_calloc(sizeof *h, "harts", err);
    if (!h) return EXIT_USAGE;
    for (unsigned i = 0; i < harts; i++) {
        h->options[i] = *options;
        if (choose(h, i, kinds, folder, err)) continue;
        destroy(h, harts);
        return EXIT_USAGE;
    }
    simulation_run_harts(h->options, harts, h->ends);
    take_earliest(h, harts, options->search);
    unsigned which = 0; // the first that something befell; else all have the program's end
    for (unsigned i = harts; i-- > 0;)
        which = h->ends[i].err.text[0] ? i : which;
    const int status = h->ends[which].status;
    *err = h->ends[which].err;
    destroy(h, harts);
    return status;
}
