// Loads the hub's model: looked up once a run, it stays loaded until the program ends.
#include "base/paths.h"
#include "harness/links.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool path_beside(char path[PATH_MAX], const char *model) {
    const int folder = (int)(paths_name(model) - model);
    const int length = snprintf(path, PATH_MAX, "%s%.*shub.so", folder ? "" : "./", folder, model);
    return length > 0 && length < PATH_MAX;
}

const struct hub_model_api *links_load(const char *model, const char *config, const char *digest, struct error *err) {
    char path[PATH_MAX];
    if (!path_beside(path, model) || access(path, R_OK) < 0) {
        error_set(err, "%s: cannot read the hub's model: %s: build it (make build/%s/hub.so)", path, strerror(errno),
                  config);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(err, "%s: cannot load: %s: build it again (make build/%s/hub.so)", path, dlerror(), config);
        return NULL;
    }
    const struct hub_model_api *(*entry)(void) =
        (const struct hub_model_api *(*)(void))dlsym(library, "tipoff_hub_model");
    const struct hub_model_api *api = entry ? entry() : NULL;
    if (api && api->version == HUB_MODEL_VERSION && strcmp(api->config, config) == 0 &&
        strcmp(api->digest, digest) == 0)
        return api;
    error_set(err,
              "%s: of another version, configuration or tables than the model: build it again (make build/%s/hub.so)",
              path, config);
    return NULL;
}
