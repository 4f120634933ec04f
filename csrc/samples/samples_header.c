// The header of a sample file: JSON, strings for numbers that a double does not hold.
#include "base/plain_text.h"
#include "samples/samples.h"
#include "samples/samples_format.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_string(const cJSON *object, const char *key, char *out, size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item)) return false;
    snprintf(out, size, "%s", item->valuestring);
    return true;
}

// Of what is shown, and no name of a file to open.
static void make_plain(char *text, size_t size) {
    char plain[sizeof((struct samples_header *)0)->command];
    plain_put(plain, size < sizeof plain ? size : sizeof plain, text);
    memcpy(text, plain, strlen(plain) + 1);
}

static void make_all_plain(struct samples_header *h) {
    if (!h->real_path[0] && !plain_is(h->program)) snprintf(h->real_path, sizeof h->real_path, "%s", h->program);
    make_plain(h->program, sizeof h->program);
    make_plain(h->config, sizeof h->config);
    make_plain(h->settings, sizeof h->settings);
    make_plain(h->command, sizeof h->command);
    make_plain(h->region, sizeof h->region);
    for (uint32_t i = 0; i < h->event_count; i++)
        make_plain(h->events[i], sizeof h->events[i]);
}

static bool take_u64(const cJSON *object, const char *key, uint64_t *out) {
    char text[24], *end;
    if (!take_string(object, key, text, sizeof text)) return false;
    *out = strtoull(text, &end, 10);
    return end != text && *end == '\0';
}

static bool take_u32(const cJSON *object, const char *key, uint32_t low, uint32_t high, uint32_t *out) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || item->valuedouble < low || item->valuedouble > high) return false;
    *out = (uint32_t)item->valuedouble;
    return true;
}

static bool take_events(const cJSON *object, struct samples_header *h) {
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(object, "events"), *event;
    if (!cJSON_IsArray(events)) return false;
    cJSON_ArrayForEach(event, events) {
        if (!cJSON_IsString(event) || h->event_count == 16) return false;
        snprintf(h->events[h->event_count++], sizeof h->events[0], "%s", event->valuestring);
    }
    return true;
}

static bool take_vectors(const cJSON *object, enum samples_vectors *vectors) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "vectors");
    for (unsigned i = 0; i < sizeof vectors_names / sizeof *vectors_names; i++) {
        *vectors = (enum samples_vectors)i;
        if (cJSON_IsString(item) && strcmp(item->valuestring, vectors_names[i]) == 0) return true;
    }
    return false;
}

bool samples_parse_header(struct samples_header *h, uint32_t version, const uint8_t *data, size_t bytes) {
    cJSON *object = cJSON_ParseWithLength((const char *)data, bytes);
    bool good = object && take_string(object, "config", h->config, sizeof h->config) &&
                take_u32(object, "clock_mhz", 1, UINT32_MAX, &h->clock_mhz) &&
                take_u32(object, "width", 1, MAX_LANES, &h->width) &&
                take_u32(object, "units", 1, UINT32_MAX, &h->units) &&
                take_u64(object, "period", &h->sampling.period) &&
                take_u32(object, "jitter_bits", 0, 64, &h->sampling.jitter_bits) &&
                take_u64(object, "seed", &h->sampling.seed) && take_events(object, h) &&
                take_vectors(object, &h->vectors) && take_string(object, "program", h->program, sizeof h->program) &&
                take_string(object, "build_id", h->build_id, sizeof h->build_id) &&
                take_string(object, "command", h->command, sizeof h->command);
    if (version > 1)
        good = good && take_string(object, "real_path", h->real_path, sizeof h->real_path) &&
               take_string(object, "settings", h->settings, sizeof h->settings) &&
               take_string(object, "tables", h->tables, sizeof h->tables);
    // There may be none; older files call it a window.
    if (!take_string(object, "region", h->region, sizeof h->region) &&
        !take_string(object, "window", h->region, sizeof h->region))
        h->region[0] = '\0';
    if (!take_string(object, "digest", h->digest, sizeof h->digest)) h->digest[0] = '\0';
    h->sampling.golden = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "golden"));
    h->contexts = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "contexts"));
    good = good && guest_images_take(object, &h->images);
    if (good) make_all_plain(h);
    cJSON_Delete(object);
    return good;
}

static bool same_build(const char *id, const char *other_id, const char *digest, const char *other_digest) {
    if (id[0] || other_id[0]) return strcmp(id, other_id) == 0;
    return digest[0] && strcmp(digest, other_digest) == 0;
}

static bool same_image(const struct guest_image *a, const struct guest_image *b) {
    return strcmp(a->name, b->name) == 0 && same_build(a->build_id, b->build_id, a->digest, b->digest);
}

bool samples_same_builds(const struct samples_header *a, const struct samples_header *b) {
    const struct guest_images *x = &a->images, *y = &b->images;
    if (!x->count || !y->count)
        return !x->count && !y->count && same_build(a->build_id, b->build_id, a->digest, b->digest);
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t k = 0;
        while (k < y->count && !same_image(&x->list[i], &y->list[k]))
            k++;
        if (k == y->count) return false;
    }
    return true;
}
