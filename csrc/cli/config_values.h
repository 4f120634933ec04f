// The keys of core configurations (tables/config_keys.tsv) and their values in one: of a build's, or of the source
// tree's table where it is not built.
#ifndef TIPOFF_CLI_CONFIG_VALUES_H
#define TIPOFF_CLI_CONFIG_VALUES_H

#include "base/error.h"
#include "config_keys.h"
#include <stdbool.h>

extern const struct config_key config_key_rows[CONFIG_KEY_COUNT];

struct config_values {
    bool known[CONFIG_KEY_COUNT];
    uint64_t value[CONFIG_KEY_COUNT];
};

// Of FOLDER/NAME/gen/config.json, or of FOLDER/../tables/config/NAME.toml; keys that are not in it are not known.
// False with err: there is none, with the names of all; or it is no such file.
bool config_values_read(struct config_values *v, const char *folder, const char *name, struct error *err);
// The number of the key, or CONFIG_KEY_COUNT: there is none.
unsigned config_key_find(const char *name);

#endif
