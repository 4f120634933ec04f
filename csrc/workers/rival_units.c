// Loads the rival profilers' units: looked up once a run, they stay loaded until the program ends.
#include "workers/rival_units.h"
#include "base/paths.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool path_beside(char path[PATH_MAX], const char *model) {
    const int folder = (int)(paths_name(model) - model);
    int length = snprintf(path, PATH_MAX, "%s%.*srivals.so", folder ? "" : "./", folder, model);
    return length > 0 && length < PATH_MAX;
}

const struct rival_units_api *rival_units_load(const char *model, const char *config, const char *digest,
                                               struct error *err) {
    char path[PATH_MAX];
    if (!path_beside(path, model) || access(path, R_OK) < 0) {
        error_set(err, "worker rivals: %s: cannot read the units: %s: build them (make build/%s/rivals.so)", path,
                  strerror(errno), config);
        return NULL;
    }
    char found[PATH_MAX];
    const char *name = paths_library(path, found);
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        error_set(err, "worker rivals: %s: cannot load: %s: build it again (make build/%s/rivals.so)", path, dlerror(),
                  config);
        return NULL;
    }
    const struct rival_units_api *(*entry)(void) =
        (const struct rival_units_api *(*)(void))dlsym(library, "tipoff_rival_units");
    const struct rival_units_api *api = entry ? entry() : NULL;
    if (!api || api->version != RIVAL_UNITS_VERSION || strcmp(api->config, config) != 0 ||
        strcmp(api->digest, digest) != 0) {
        error_set(err,
                  "worker rivals: %s: of another version, configuration or tables than the model: build it again (make "
                  "build/%s/rivals.so)",
                  path, config);
        return NULL;
    }
    return api;
}
