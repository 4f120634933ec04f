// Configurations: reads config.json, checks its tables, and takes settings for one run.
#include "harness/machine_config.h"
#include "base/text_file.h"
#include "config_keys.h"
#include "events.h"
#include "profile/units.h"
#include "tables_digest.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The name in the path FOLDER/NAME/gen/config.json.
static void config_name(const char *path, char *name, size_t size) {
    size_t end = strlen(path);
    for (int up = 0; up < 2; up++) {
        while (end > 0 && path[--end] != '/')
            ;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    snprintf(name, size, "%.*s", (int)(end - start), path + start);
}

static char *read_text(const char *path, struct error *err) {
    enum { LARGEST = 1 << 16 };
    char name[64], remedy[256];
    config_name(path, name, sizeof name);
    snprintf(remedy, sizeof remedy, "build it (make build/%s/model.so), or name one of `tipoff config`", name);
    return text_file_bytes(path, LARGEST, remedy, NULL, err);
}

static bool take(const cJSON *object, const char *key, uint32_t *value, const char *path, struct error *err) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX) {
        *value = (uint32_t)item->valuedouble;
        return true;
    }
    error_set(err, "%s: key %s is missing or not a number: generate it again (make gen)", path, key);
    return false;
}

// Where each key is kept. Keys that are not here are the model's alone.
struct place {
    const char *key;
    uint32_t *value;
};
enum { PLACES = 52 };

static void places(struct machine_config *config, struct place out[PLACES]) {
    const struct place all[PLACES] = {
        {"core.width", &config->width},
        {"core.rob_entries", &config->rob_entries},
        {"fetch.width", &config->fetch_width},
        {"lsu.load_queue", &config->load_queue},
        {"lsu.store_queue", &config->store_queue},
        {"l1i.sets", &config->l1i.sets},
        {"l1i.ways", &config->l1i.ways},
        {"l1d.sets", &config->l1d.sets},
        {"l1d.ways", &config->l1d.ways},
        {"l1d.mshrs", &config->mshrs},
        {"core.fp", &config->fp},
        {"core.fcsr_flush", &config->fcsr_flush},
        {"core.pmp_entries", &config->pmp_entries},
        {"harts.coherent", &config->coherent},
        {"mmu.ad_update", &config->ad_update},
        {"clock.mhz", &config->clock_mhz},
        {"profile.counters", &config->counters},
        {"profile.counter", &config->sample_counter},
        {"profile.vectors", &config->vectors},
        {"profile.vector_window", &config->vector_window},
        {"profile.tea", &config->tea},
        {"profile.address_bits", &config->address_bits},
        {"profile.tags", &config->profile_tags},
        {"profile.window", &config->window},
        {"profile.ctr_depth", &config->ctr_depth},
        {"profile.triggers", &config->triggers},
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
        {"ideal.sockets", &config->ideal.sockets},
        {"ideal.branches", &config->ideal.branches},
        {"ideal.l1i", &config->ideal.l1i},
        {"ideal.l1d", &config->ideal.l1d},
        {"ideal.tlb", &config->ideal.tlb},
        {"ideal.memory_order", &config->ideal.memory_order},
    };
    memcpy(out, all, sizeof all);
}

static bool same_tables(const cJSON *object, const char *path, struct error *err) {
    const cJSON *digest = cJSON_GetObjectItemCaseSensitive(object, "digest.tables");
    if (cJSON_IsString(digest) && strcmp(digest->valuestring, TABLES_DIGEST) == 0) return true;
    char name[64];
    config_name(path, name, sizeof name);
    error_set(err,
              "%s: made from other tables (digest %s) than this program (%s): build both again (make CONFIGS=%s build)",
              path, cJSON_IsString(digest) ? digest->valuestring : "unknown", TABLES_DIGEST, name);
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
    const cJSON *digest = cJSON_GetObjectItemCaseSensitive(object, "digest.model");
    if (cJSON_IsString(name)) snprintf(config->name, sizeof config->name, "%s", name->valuestring);
    if (cJSON_IsString(digest)) snprintf(config->model_digest, sizeof config->model_digest, "%s", digest->valuestring);
    struct place all[PLACES];
    places(config, all);
    bool good = same_tables(object, path, err);
    for (size_t i = 0; good && i < PLACES; i++)
        good = take(object, all[i].key, all[i].value, path, err);
    cJSON_Delete(object);
    return good ? 0 : -EINVAL;
}

// ---- settings of one run ----
static const struct config_key keys[] = {CONFIG_KEY_ROWS};

static const struct config_key *find_key(const char *text, size_t length, struct error *err) {
    char known[400] = "";
    for (size_t i = 0, n = 0; i < CONFIG_KEY_COUNT; i++) {
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, text, length) == 0) return &keys[i];
        if (!keys[i].model && n < sizeof known)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", keys[i].name);
    }
    error_set(err,
              "--set %.*s: no such key: use one of %s; a key of the core needs a configuration and a model of its own: "
              "docs/guide/configurations.md",
              (int)length, text, known);
    return NULL;
}

static bool set_value(struct machine_config *config, const struct config_key *key, const char *text,
                      struct error *err) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    bool good = errno == 0 && end != text && *end == '\0' && *text != '-' && value >= key->min && value <= key->max;
    if (!good || (key->power_of_two && value & (value - 1))) {
        error_set(err, "--set %s=%s: %s from %u to %u is needed", key->name, text,
                  key->power_of_two ? "a power of two" : "a number", key->min, key->max);
        return false;
    }
    struct place all[PLACES];
    places(config, all);
    for (size_t i = 0; i < PLACES; i++) {
        if (strcmp(all[i].key, key->name) == 0) *all[i].value = (uint32_t)value;
    }
    return true;
}

int machine_config_set(struct machine_config *config, const char *setting, struct error *err) {
    const char *equals = strchr(setting, '=');
    if (!equals) {
        error_set(err, "--set %s: no value: write KEY=VALUE", setting);
        return -EINVAL;
    }
    const struct config_key *key = find_key(setting, (size_t)(equals - setting), err);
    if (!key) return -EINVAL;
    if (key->model) {
        error_set(err,
                  "--set %s: changes the core itself, so it needs another model: write a file in tables/config "
                  "(docs/guide/configurations.md)",
                  key->name);
        return -EINVAL;
    }
    if (!set_value(config, key, equals + 1, err)) return -EINVAL;
    size_t used = strlen(config->settings), need = strlen(setting) + 2;
    if (used + need > sizeof config->settings) {
        error_set(err, "--set %s: too many settings: write a file in tables/config", setting);
        return -EINVAL;
    }
    snprintf(config->settings + used, sizeof config->settings - used, "%s%s", used ? " " : "", setting);
    return 0;
}

uint32_t machine_config_events(const struct machine_config *config) {
    return config->coherent ? EVENT_COUNT : EVENT_COUNT_ALONE;
}

uint32_t machine_config_units(const struct machine_config *config) {
    return units_per_cycle(config->width);
}
