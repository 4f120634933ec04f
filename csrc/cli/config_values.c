// Reads the values of a configuration: config_values.h.
#include "cli/config_values.h"
#include "base/text_file.h"
#include "base/toml.h"
#include "cli/configurations.h"
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 16, KEY_TEXT = 132 };
#define REMEDY "generate it again (make gen)"

const struct config_key config_key_rows[CONFIG_KEY_COUNT] = {CONFIG_KEY_ROWS};

unsigned config_key_find(const char *name) {
    unsigned i = 0;
    while (i < CONFIG_KEY_COUNT && strcmp(config_key_rows[i].name, name) != 0)
        i++;
    return i;
}

static void set(struct config_values *v, const char *key, uint64_t value) {
    const unsigned i = config_key_find(key);
    if (i == CONFIG_KEY_COUNT) return; // the name, digests, and what gen.py refuses
    v->known[i] = true;
    v->value[i] = value;
}

static bool read_json(struct config_values *v, const char *path, struct error *err) {
    char *text = text_file_bytes(path, LARGEST, REMEDY, NULL, err);
    cJSON *object = text ? cJSON_Parse(text) : NULL, *item;
    if (text && !object) error_set(err, "%s: not JSON: " REMEDY, path);
    free(text);
    if (!object) return false;
    cJSON_ArrayForEach(item, object) {
        if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX)
            set(v, item->string, (uint64_t)item->valuedouble);
    }
    cJSON_Delete(object);
    return true;
}

// gen.py refuses what is no number of a key.
static bool take(void *context, const struct toml_value *v, struct error *err) {
    char name[KEY_TEXT];
    (void)err;
    snprintf(name, sizeof name, "%s.%s", v->table, v->key);
    if (v->kind == TOML_NUMBER && !v->member && v->number >= 0) set(context, name, (uint64_t)v->number);
    return true;
}

bool config_values_read(struct config_values *v, const char *folder, const char *name, struct error *err) {
    char path[PATH_MAX + 64];
    memset(v, 0, sizeof *v);
    snprintf(path, sizeof path, "%s/%s/gen/config.json", folder, name);
    if (access(path, R_OK) == 0) return read_json(v, path, err);
    snprintf(path, sizeof path, "%s/../tables/config/%s.toml", folder, name);
    if (access(path, R_OK) == 0 && !strchr(name, '/')) return toml_read(path, take, v, err);
    return configurations_check(folder, name, err) == 0; // no: all that exist
}
