// Reader of sample files: takes every good block, then says how the file ends.
#include "base/bytes.h"
#include "samples/samples.h"
#include "samples/samples_format.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct samples {
    struct samples_header header;
    enum samples_state state;
    struct error fault;
    struct sample_record *records;
    size_t count, capacity;
    struct samples_profile *profiles;
    size_t profile_count;
    char *statistics;
};

static bool take_string(const cJSON *object, const char *key, char *out, size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item)) return false;
    snprintf(out, size, "%s", item->valuestring);
    return true;
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

static bool parse_header(struct samples_header *h, const uint8_t *data, size_t bytes) {
    cJSON *object = cJSON_ParseWithLength((const char *)data, bytes);
    bool good = object && take_string(object, "config", h->config, sizeof h->config) &&
                take_u32(object, "clock_mhz", 1, UINT32_MAX, &h->clock_mhz) &&
                take_u32(object, "width", 1, MAX_LANES, &h->width) &&
                take_u32(object, "units", 1, UINT32_MAX, &h->units) && take_u64(object, "period", &h->period) &&
                take_u32(object, "jitter_bits", 0, 64, &h->jitter_bits) && take_u64(object, "seed", &h->seed) &&
                take_events(object, h) && take_vectors(object, &h->vectors) &&
                take_string(object, "program", h->program, sizeof h->program) &&
                take_string(object, "build_id", h->build_id, sizeof h->build_id) &&
                take_string(object, "command", h->command, sizeof h->command);
    cJSON_Delete(object);
    return good;
}

static bool parse_samples(struct samples *s, const uint8_t *p, size_t bytes) {
    const uint8_t *end = p + bytes;
    while (p < end) {
        if (end - p < RECORD_FIXED) return false;
        if (s->count == s->capacity) {
            size_t capacity = s->capacity ? 2 * s->capacity : SAMPLES_BLOCK;
            struct sample_record *grown = realloc(s->records, capacity * sizeof *grown);
            if (!grown) return false;
            s->records = grown;
            s->capacity = capacity;
        }
        struct sample_record *r = &s->records[s->count];
        memset(r, 0, sizeof *r);
        r->cycle = bytes_get(&p, 8);
        r->cycles = bytes_get(&p, 8);
        r->stalled_cycles = bytes_get(&p, 8);
        r->space = bytes_get(&p, 8);
        r->repeats = (uint32_t)bytes_get(&p, 4);
        r->stalled = (uint32_t)bytes_get(&p, 4);
        r->sample.state = (uint8_t)bytes_get(&p, 1);
        r->sample.valid = (uint8_t)bytes_get(&p, 1);
        r->sample.oldest = (uint8_t)bytes_get(&p, 1);
        unsigned flags = (unsigned)bytes_get(&p, 1);
        r->sample.exception = flags & 1;
        r->sample.flush = flags >> 1 & 1;
        r->sample.mispredict = flags >> 2 & 1;
        r->hart = (uint8_t)bytes_get(&p, 1);
        r->priv = (uint8_t)bytes_get(&p, 1);
        if (r->sample.state >= STATE_COUNT || r->sample.valid >> s->header.width) return false;
        if (end - p < RECORD_LANE * __builtin_popcount(r->sample.valid)) return false;
        for (int lane = 0; lane < MAX_LANES; lane++) {
            if (!(r->sample.valid >> lane & 1)) continue;
            r->sample.addr[lane] = bytes_get(&p, 8);
            r->sample.psv[lane] = (uint16_t)bytes_get(&p, 2);
        }
        s->count++;
    }
    return true;
}

static bool same_name(const char *text, const uint8_t *name, size_t length) {
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

static struct samples_profile *profile_of(struct samples *s, const uint8_t *name, size_t length) {
    for (size_t i = 0; i < s->profile_count; i++) {
        if (same_name(s->profiles[i].profiler, name, length)) return &s->profiles[i];
    }
    struct samples_profile *grown = realloc(s->profiles, (s->profile_count + 1) * sizeof *grown);
    if (!grown) return NULL;
    s->profiles = grown;
    char *copy = strndup((const char *)name, length);
    if (!copy) return NULL;
    s->profiles[s->profile_count] = (struct samples_profile){.profiler = copy};
    return &s->profiles[s->profile_count++];
}

static bool parse_profile(struct samples *s, const uint8_t *p, size_t bytes) {
    if (bytes < 1) return false;
    size_t length = *p++;
    if (bytes - 1 < length || (bytes - 1 - length) % ROW_BYTES != 0) return false;
    size_t count = (bytes - 1 - length) / ROW_BYTES;
    struct samples_profile *profile = profile_of(s, p, length);
    if (!profile) return false;
    p += length;
    struct profile_row *rows = realloc((void *)profile->rows, (profile->count + count + 1) * sizeof *rows);
    if (!rows) return false;
    profile->rows = rows;
    for (size_t i = 0; i < count; i++) {
        struct profile_row *row = &rows[profile->count++];
        row->pc = bytes_get(&p, 8);
        row->weight = bytes_get(&p, 8);
        row->psv = (uint16_t)bytes_get(&p, 2);
        row->state = (uint8_t)bytes_get(&p, 1);
        if (row->state > SAMPLES_NO_STATE) return false;
    }
    return true;
}

static bool parse_block(struct samples *s, uint32_t type, const uint8_t *data, size_t bytes) {
    switch (type) {
    case SAMPLES_BLOCK_SAMPLES: return parse_samples(s, data, bytes);
    case SAMPLES_BLOCK_PROFILE: return parse_profile(s, data, bytes);
    case SAMPLES_BLOCK_STATISTICS:
        free(s->statistics);
        s->statistics = strndup((const char *)data, bytes);
        return s->statistics != NULL;
    default: return false;
    }
}

struct samples *samples_open(const char *path, struct error *err) {
    struct container_reader *r = container_open(path, SAMPLES_KIND, SAMPLES_VERSION, err);
    if (!r) return NULL;
    struct samples *s = calloc(1, sizeof *s);
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    if (!s) {
        error_set(err, "%s: out of memory", path);
        container_destroy(r);
        return NULL;
    }
    enum container_result result = container_next(r, &type, &data, &bytes, err);
    if (result == CONTAINER_BLOCK && (type != CONTAINER_HEADER || !parse_header(&s->header, data, bytes))) {
        error_set(err, "%s: bad header block: copy the file again, or run again", path);
        result = CONTAINER_CORRUPT;
    }
    if (result != CONTAINER_BLOCK) {
        container_destroy(r);
        samples_destroy(s);
        return NULL;
    }
    uint64_t blocks = 1;
    while ((result = container_next(r, &type, &data, &bytes, &s->fault)) == CONTAINER_BLOCK) {
        size_t good = s->count;
        if (!parse_block(s, type, data, bytes)) {
            s->count = good;
            error_set(&s->fault, "%s: bad block %llu (type %u does not parse): copy the file again, or run again", path,
                      (unsigned long long)blocks, type);
            result = CONTAINER_CORRUPT;
            break;
        }
        blocks++;
    }
    container_destroy(r);
    if (result == CONTAINER_COMPLETE) {
        s->state = SAMPLES_COMPLETE;
        s->fault.text[0] = '\0';
    } else {
        s->state = result == CONTAINER_TRUNCATED ? SAMPLES_TRUNCATED : SAMPLES_CORRUPT;
    }
    return s;
}

void samples_destroy(struct samples *s) {
    if (!s) return;
    for (size_t i = 0; i < s->profile_count; i++) {
        free((void *)s->profiles[i].profiler);
        free((void *)s->profiles[i].rows);
    }
    free(s->profiles);
    free(s->records);
    free(s->statistics);
    free(s);
}

enum samples_state samples_state(const struct samples *s) {
    return s->state;
}
const char *samples_fault(const struct samples *s) {
    return s->fault.text;
}
const struct samples_header *samples_header(const struct samples *s) {
    return &s->header;
}

const struct sample_record *samples_records(const struct samples *s, size_t *count) {
    *count = s->count;
    return s->records;
}

size_t samples_profile_count(const struct samples *s) {
    return s->profile_count;
}
const struct samples_profile *samples_profile(const struct samples *s, size_t i) {
    return &s->profiles[i];
}

const struct samples_profile *samples_find_profile(const struct samples *s, const char *profiler) {
    for (size_t i = 0; i < s->profile_count; i++) {
        if (strcmp(s->profiles[i].profiler, profiler) == 0) return &s->profiles[i];
    }
    return NULL;
}

const char *samples_statistics(const struct samples *s) {
    return s->statistics;
}
