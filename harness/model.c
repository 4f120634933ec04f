// Loads a model: the shared object is looked up once a run and stays loaded until the program ends.
#include "harness/model_load.h"
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

const struct model_api *model_load(const char *path, struct error *err) {
    if (access(path, R_OK) < 0) {
        error_set(err, "%s: no model of this configuration: build it (make %s) or name another with --config", path,
                  path);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(err, "%s: cannot load: %s: build it again", path, dlerror());
        return NULL;
    }
    const struct model_api *(*entry)(void) = (const struct model_api *(*)(void))dlsym(library, "tipoff_model");
    const struct model_api *api = entry ? entry() : NULL;
    if (!api || api->version != MODEL_VERSION) {
        error_set(err, "%s: not a model of this version (%u): build it again", path, MODEL_VERSION);
        return NULL;
    }
    return api;
}
