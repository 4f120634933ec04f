// Writer of sample files: serialises records into a buffer of one block and hands full blocks to the container.
#include "base/bytes.h"
#include "results.h"
#include "samples/samples.h"
#include "samples/samples_format.h"
#include "samples/write_results.h"
#include "tables_digest.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct samples_writer {
    struct container_writer *container;
    uint64_t added;
    unsigned held; // records in the buffer
    uint8_t *end;  // of the records in the buffer
    uint8_t buffer[2 + SAMPLES_BLOCK * RECORD_MAX];
    uint32_t stacks, stacks_held; // their numbers so far; those of them that are still to be written
    uint8_t *stacks_end;
    uint8_t stacks_buffer[4 + STACKS_BLOCK * STACK_BYTES];
    unsigned instructions; // records of ProfileMe in their buffer
    uint8_t *instructions_end;
    uint8_t instructions_buffer[INSTRUCTIONS_HEAD + INSTRUCTIONS_BLOCK * INSTRUCTION_SAMPLE_WORDS * 8];
};

// 64-bit numbers go as decimal strings where a double could not hold them.
static void add_u64(cJSON *object, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cJSON_AddStringToObject(object, key, text);
}

static char *header_json(const struct samples_header *h) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "config", h->config);
    cJSON_AddNumberToObject(object, "clock_mhz", h->clock_mhz);
    cJSON_AddNumberToObject(object, "width", h->width);
    cJSON_AddNumberToObject(object, "units", h->units);
    add_u64(object, "period", h->sampling.period);
    cJSON_AddNumberToObject(object, "jitter_bits", h->sampling.jitter_bits);
    if (h->sampling.golden) cJSON_AddTrueToObject(object, "golden");
    add_u64(object, "seed", h->sampling.seed);
    cJSON_AddStringToObject(object, "vectors", vectors_names[h->vectors]);
    cJSON *events = cJSON_AddArrayToObject(object, "events");
    for (uint32_t i = 0; i < h->event_count; i++)
        cJSON_AddItemToArray(events, cJSON_CreateString(h->events[i]));
    cJSON_AddStringToObject(object, "program", h->program);
    cJSON_AddStringToObject(object, "real_path", h->real_path);
    cJSON_AddStringToObject(object, "settings", h->settings);
    if (h->region[0]) cJSON_AddStringToObject(object, "region", h->region);
    cJSON_AddStringToObject(object, "tables", EVENTS_DIGEST);
    cJSON_AddStringToObject(object, "build_id", h->build_id);
    if (h->digest[0]) cJSON_AddStringToObject(object, "digest", h->digest);
    cJSON_AddStringToObject(object, "command", h->command);
    cJSON_AddBoolToObject(object, "contexts", !h->without_contexts);
    guest_images_put(object, &h->images);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

struct samples_writer *samples_create(const char *path, const struct samples_header *header, struct error *err) {
    struct samples_writer *w = malloc(sizeof *w);
    char *json = header_json(header);
    if (!w || !json) {
        error_nomem(err, path);
    } else {
        w->added = 0;
        w->held = 0;
        w->end = w->buffer;
        w->stacks = STACK_LOST + 1;
        w->stacks_held = 0;
        w->instructions = 0;
        w->container = container_create(path, SAMPLES_KIND, SAMPLES_VERSION, json, err);
        if (w->container) {
            cJSON_free(json);
            return w;
        }
    }
    cJSON_free(json);
    free(w);
    return NULL;
}

static int flush_stacks(struct samples_writer *w, struct error *err) {
    if (w->stacks_held == 0) return 0;
    w->stacks_held = 0;
    return container_write(w->container, SAMPLES_BLOCK_STACKS, w->stacks_buffer,
                           (size_t)(w->stacks_end - w->stacks_buffer), err);
}

int samples_add_stack(struct samples_writer *w, const struct stack_node *node, struct error *err) {
    uint8_t *p = w->stacks_held ? w->stacks_end : bytes_put(w->stacks_buffer, w->stacks, 4);
    p = bytes_put(p, node->parent, 4);
    p = bytes_put(p, node->kind, 1);
    p = bytes_put(p, node->site, 8);
    p = bytes_put(p, node->entry, 8);
    w->stacks_end = bytes_put(p, node->context, 8);
    w->stacks++;
    return ++w->stacks_held == STACKS_BLOCK ? flush_stacks(w, err) : 0;
}

static int flush_instructions(struct samples_writer *w, struct error *err) {
    if (w->instructions == 0) return 0;
    w->instructions = 0;
    return container_write(w->container, SAMPLES_BLOCK_INSTRUCTIONS, w->instructions_buffer,
                           (size_t)(w->instructions_end - w->instructions_buffer), err);
}

int samples_add_instruction(struct samples_writer *w, const struct instruction_settings *settings,
                            const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    uint8_t *p = w->instructions_end;
    if (w->instructions == 0) {
        p = bytes_put(bytes_put(w->instructions_buffer, INSTRUCTIONS_HEAD, 2), INSTRUCTION_SAMPLE_WORDS, 2);
        p = bytes_put(bytes_put(bytes_put(p, settings->interval, 8), settings->jitter, 1), settings->window, 1);
        p = bytes_put(bytes_put(p, settings->pairs, 1), settings->opportunities, 1);
    }
    for (unsigned i = 0; i < INSTRUCTION_SAMPLE_WORDS; i++)
        p = bytes_put(p, words[i], 8);
    w->instructions_end = p;
    return ++w->instructions == INSTRUCTIONS_BLOCK ? flush_instructions(w, err) : 0;
}

int samples_flush(struct samples_writer *w, struct error *err) {
    int first = flush_stacks(w, err);
    if (first == 0) first = flush_instructions(w, err);
    if (first < 0 || w->held == 0) return first;
    int result = container_write(w->container, SAMPLES_BLOCK_SAMPLES, w->buffer, (size_t)(w->end - w->buffer), err);
    w->held = 0;
    w->end = w->buffer;
    return result;
}

int samples_add(struct samples_writer *w, const struct sample_record *record, struct error *err) {
    const struct sample *s = &record->sample;
    uint8_t *p = w->held ? w->end : bytes_put(w->buffer, RECORD_FIXED, 2);
    p = bytes_put(p, record->cycle, 8);
    p = bytes_put(p, record->cycles, 8);
    p = bytes_put(p, record->stalled_cycles, 8);
    p = bytes_put(p, record->sample.space, 8);
    p = bytes_put(p, record->repeats, 4);
    p = bytes_put(p, record->stalled, 4);
    p = bytes_put(p, s->state, 1);
    p = bytes_put(p, s->valid, 1);
    p = bytes_put(p, s->oldest, 1);
    p = bytes_put(p,
                  (uint64_t)s->exception | (uint64_t)s->flush << 1 | (uint64_t)s->mispredict << 2 |
                      (uint64_t)record->partial << 3,
                  1);
    p = bytes_put(p, record->hart, 1);
    p = bytes_put(p, record->sample.priv, 1);
    p = bytes_put(bytes_put(p, record->data_of, 1), record->data, 8);
    for (int lane = 0; lane < MAX_LANES; lane++) {
        if (!(s->valid >> lane & 1)) continue;
        p = bytes_put(p, s->addr[lane], 8);
        p = bytes_put(p, s->psv[lane], 2);
        p = bytes_put(p, record->stack[lane], 4);
    }
    w->end = p;
    w->added++;
    return ++w->held == SAMPLES_BLOCK ? samples_flush(w, err) : 0;
}

uint64_t samples_added(const struct samples_writer *w) {
    return w->added;
}

int samples_add_profile(struct samples_writer *w, const char *profiler, uint16_t events, const struct profile_row *rows,
                        size_t count, struct error *err) {
    int result = samples_flush(w, err);
    size_t name = strlen(profiler);
    if (name > 255) {
        error_set(err, "profiler name '%.40s...' is too long: use at most 255 bytes", profiler);
        return -EINVAL;
    }
    size_t start = 1 + name + 2 + 8, fit = (sizeof w->buffer - start) / ROW_BYTES;
    size_t done = 0;
    do { // at least one block, so that a profile without rows appears, too
        uint8_t *p = bytes_put(w->buffer, name, 1);
        memcpy(p, profiler, name);
        p = bytes_put(bytes_put(p + name, events, 2), count, 8);
        for (size_t n = 0; n < fit && done < count; n++, done++) {
            p = bytes_put(p, rows[done].pc, 8);
            p = bytes_put(p, rows[done].context, 8);
            p = bytes_put(p, rows[done].weight, 8);
            p = bytes_put(p, rows[done].psv, 2);
            p = bytes_put(p, rows[done].state, 1);
            p = bytes_put(p, rows[done].stack, 4);
        }
        if (result == 0) {
            result = container_write(w->container, SAMPLES_BLOCK_PROFILE, w->buffer, (size_t)(p - w->buffer), err);
        }
    } while (result == 0 && done < count);
    return result;
}

int samples_add_results(struct samples_writer *w, const struct results *results, uint32_t hart, struct error *err) {
    int result = samples_flush(w, err);
    for (unsigned i = 0; result == 0 && i < RESULT_COUNT; i++)
        result = write_result(w->container, results, i, hart, err);
    return result;
}

int samples_close(struct samples_writer *w, struct error *err) {
    int result = samples_flush(w, err);
    result = container_end(w->container, result, err);
    free(w);
    return result;
}

void samples_abandon(struct samples_writer *w) {
    if (!w) return;
    container_abandon(w->container);
    free(w);
}
