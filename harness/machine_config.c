#include "harness/machine_config.h"
#include "oracle/oracle.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path, struct error *err) {
    FILE *file = fopen(path, "re");
    if (!file) {
        error_set(err, "%s: cannot open: %s: build the configuration (make build) or name one of `tipoff config`", path,
                  strerror(errno));
        return NULL;
    }
    enum { LARGEST = 1 << 16 };
    char *text = malloc(LARGEST);
    size_t n = text ? fread(text, 1, LARGEST - 1, file) : 0;
    fclose(file);
    if (text) text[n] = '\0';
    return text;
}

static bool take(const cJSON *object, const char *key, uint32_t *value, const char *path, struct error *err) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX) {
        *value = (uint32_t)item->valuedouble;
        return true;
    }
    error_set(err, "%s: key %s is missing or no number: generate it again (make gen)", path, key);
    return false;
}

int machine_config_load(struct machine_config *config, const char *path, struct error *err) {
    char *text = read_text(path, err);
    if (!text) return -ENOENT;
    memset(config, 0, sizeof *config);
    cJSON *object = cJSON_Parse(text);
    free(text);
    if (!object) {
        error_set(err, "%s: not JSON: generate it again (make gen)", path);
        return -EINVAL;
    }
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (cJSON_IsString(name)) snprintf(config->name, sizeof config->name, "%s", name->valuestring);
    bool good =
        take(object, "core.width", &config->width, path, err) && take(object, "core.fp", &config->fp, path, err) &&
        take(object, "clock.mhz", &config->clock_mhz, path, err) &&
        take(object, "profile.counter", &config->sample_counter, path, err) &&
        take(object, "profile.tea", &config->tea, path, err) && take(object, "llc.kib", &config->llc_kib, path, err) &&
        take(object, "llc.ways", &config->llc_ways, path, err) &&
        take(object, "llc.mshrs", &config->llc_mshrs, path, err) &&
        take(object, "llc.latency", &config->llc_latency, path, err) &&
        take(object, "memory.latency", &config->memory_latency, path, err) &&
        take(object, "memory.cycles_per_line", &config->memory_cycles_per_line, path, err);
    cJSON_Delete(object);
    return good ? 0 : -EINVAL;
}

uint32_t machine_config_units(const struct machine_config *config) {
    return oracle_units(config->width);
}
