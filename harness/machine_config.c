#include "harness/machine_config.h"
#include "base/units.h"
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
    const struct {
        const char *key;
        uint32_t *value;
    } keys[] = {
        {"core.width", &config->width},
        {"core.rob_entries", &config->rob_entries},
        {"core.fp", &config->fp},
        {"core.fcsr_flush", &config->fcsr_flush},
        {"core.pmp_entries", &config->pmp_entries},
        {"mmu.ad_update", &config->ad_update},
        {"clock.mhz", &config->clock_mhz},
        {"profile.counters", &config->counters},
        {"profile.counter", &config->sample_counter},
        {"profile.vectors", &config->vectors},
        {"profile.tea", &config->tea},
        {"l2.kib", &config->l2.kib},
        {"l2.ways", &config->l2.ways},
        {"l2.mshrs", &config->l2.mshrs},
        {"l2.latency", &config->l2.latency},
        {"llc.kib", &config->llc.kib},
        {"llc.ways", &config->llc.ways},
        {"llc.mshrs", &config->llc.mshrs},
        {"llc.latency", &config->llc.latency},
        {"dram.mhz", &config->dram.mhz},
        {"dram.mb_per_s", &config->dram.mb_per_s},
        {"dram.ranks", &config->dram.ranks},
        {"dram.banks", &config->dram.banks},
        {"dram.row_bytes", &config->dram.row_bytes},
        {"dram.tcas", &config->dram.tcas},
        {"dram.trcd", &config->dram.trcd},
        {"dram.trp", &config->dram.trp},
        {"dram.rank_switch", &config->dram.rank_switch},
        {"dram.age_limit", &config->dram.age_limit},
        {"dram.write_queue", &config->dram.write_queue},
        {"dram.latency", &config->dram.latency},
    };
    bool good = true;
    for (size_t i = 0; good && i < sizeof keys / sizeof *keys; i++)
        good = take(object, keys[i].key, keys[i].value, path, err);
    cJSON_Delete(object);
    return good ? 0 : -EINVAL;
}

uint32_t machine_config_units(const struct machine_config *config) {
    return units_per_cycle(config->width);
}
