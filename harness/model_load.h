// Loading of core models (model.h).
#ifndef TIPOFF_HARNESS_MODEL_LOAD_H
#define TIPOFF_HARNESS_MODEL_LOAD_H

#include "base/error.h"
#include "harness/machine_config.h"
#include "harness/model.h"

#define MODEL_FILE "model.so"
#define MODEL_FILE_WAVES "model-fst.so"

// What a model at this path is called in the folder of its configuration, for messages: one of these two.
const char *model_file(const char *path);

// A model's configuration; NULL: this version cannot load it, and model_load says why.
const char *model_configuration(const char *path);
// NULL with err: no such file, not loadable, another version, of another configuration, or built from other tables.
const struct model_api *model_load(const char *path, const struct machine_config *config, struct error *err);

#endif
