// The core configurations: those that are built, and those of the source tree that are not built yet.
#ifndef TIPOFF_CLI_CONFIGURATIONS_H
#define TIPOFF_CLI_CONFIGURATIONS_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// What builds a configuration, typed in the source tree: a format for its name.
#define CONFIGURATION_BUILD "make build/%s/model.so"

// Of every command that names none, so that a profile, a model and a sensitivity describe the same core.
#define DEFAULT_CONFIGURATION "tea4"

struct configurations;

// Those of FOLDER/NAME/gen/config.json and of FOLDER/../tables/config/NAME.toml, each once, by name. A folder that is
// not there has none: an installed tipoff has no tables. NULL with err: out of memory. configurations_destroy frees it.
struct configurations *configurations_create(const char *folder, struct error *err);
void configurations_destroy(struct configurations *list);
size_t configurations_count(const struct configurations *list);
// i: less than the count. The name is the list's.
const char *configurations_name(const struct configurations *list, size_t i);
// Whether its keys can be read, from FOLDER/NAME/gen/config.json. Its model may be missing still.
bool configurations_generated(const struct configurations *list, size_t i);

// 0: the keys of the configuration `name` can be read. -ENOENT with err: it is not built, with what builds it; or there
// is no such configuration, with the names of all.
int configurations_check(const char *folder, const char *name, struct error *err);
// The configuration of a run that names none: that of its model, if it names one that can be loaded; else tea4.
const char *configurations_of(const char *model_path);

#endif
