// Loads a model: the shared object is looked up once a run and stays loaded until the program ends.
#include "base/paths.h"
#include "harness/model_load.h"
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

const char *model_file(const char *path) {
    const size_t length = strlen(path), end = strlen(MODEL_FILE_WAVES);
    return length >= end && strcmp(path + length - end, MODEL_FILE_WAVES) == 0 ? MODEL_FILE_WAVES : MODEL_FILE;
}

static bool fits(const struct model_api *api, const char *path, const struct machine_config *config,
                 struct error *err) {
    if (strcmp(api->digest, config->model_digest) == 0) return true;
    if (strcmp(api->config, config->name) != 0) {
        error_set(err, "%s: model of configuration %s, not of %s: name it with --config, or omit --model", path,
                  api->config, config->name);
    } else {
        error_set(
            err,
            "%s: built from other tables, or from another tables/config/%s.toml, than those of today (digest %s, not "
            "%s): build it again (make build/%s/%s)",
            path, config->name, api->digest, config->model_digest, config->name, model_file(path));
    }
    return false;
}

// NULL: no model that this version can run.
static const struct model_api *look_up(const char *path) {
    char found[PATH_MAX];
    const char *name = paths_library(path, found);
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct model_api *(*entry)(void) =
        library ? (const struct model_api *(*)(void))dlsym(library, "tipoff_model") : NULL;
    const struct model_api *api = entry ? entry() : NULL;
    return api && api->version == MODEL_VERSION ? api : NULL;
}

const char *model_configuration(const char *path) {
    const struct model_api *api = look_up(path);
    return api ? api->config : NULL;
}

const struct model_api *model_load(const char *path, const struct machine_config *config, struct error *err) {
    if (access(path, R_OK) < 0) {
        error_set(err, "%s: cannot read the model: %s: build it (make build/%s/%s), or name another with --config",
                  path, strerror(errno), config->name, model_file(path));
        return NULL;
    }
    char found[PATH_MAX];
    const char *name = paths_library(path, found);
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        error_set(err, "%s: cannot load: %s: build it again (make build/%s/%s)", path, dlerror(), config->name,
                  model_file(path));
        return NULL;
    }
    const struct model_api *(*entry)(void) = (const struct model_api *(*)(void))dlsym(library, "tipoff_model");
    const struct model_api *api = entry ? entry() : NULL;
    if (!api || api->version != MODEL_VERSION) {
        error_set(err, "%s: not a model of this version (%u): build it again (make build/%s/%s)", path, MODEL_VERSION,
                  config->name, model_file(path));
        return NULL;
    }
    return fits(api, path, config, err) ? api : NULL;
}
