// The whole report as one JSON object: the run, the profile at one granularity, the errors.
#include "report/advice.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/json.h"
#include "report/place_columns.h"
#include "report/reasons.h"
#include "report/sampling_error.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>

enum { TEXT = REPORT_WHOLE };

static void add_images(cJSON *root, const struct samples_header *h) {
    cJSON *array = h->images.count ? cJSON_AddArrayToObject(root, "images") : NULL;
    for (uint32_t i = 0; i < h->images.count; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", h->images.list[i].name);
        cJSON_AddStringToObject(o, "file", h->images.list[i].path);
        cJSON_AddStringToObject(o, "build_id", h->images.list[i].build_id);
        cJSON_AddStringToObject(o, "digest", h->images.list[i].digest);
        cJSON_AddItemToArray(array, o);
    }
}

void json_add_run(cJSON *root, const struct run *d) {
    const struct samples_header *h = d->header;
    cJSON_AddStringToObject(root, "file", d->path);
    cJSON_AddBoolToObject(root, "complete", samples_state(d->samples) == SAMPLES_COMPLETE);
    cJSON_AddStringToObject(root, "program", h->program);
    cJSON_AddStringToObject(root, "build_id", h->build_id);
    cJSON_AddStringToObject(root, "digest", h->digest);
    add_images(root, h);
    cJSON_AddStringToObject(root, "command", h->command);
    cJSON_AddStringToObject(root, "config", h->config);
    if (h->region[0]) cJSON_AddStringToObject(root, "region", h->region); // what of the run was measured
    cJSON_AddNumberToObject(root, "clock_mhz", h->clock_mhz);
    cJSON_AddNumberToObject(root, "width", h->width);
    cJSON_AddNumberToObject(root, "U", h->units);
    json_add_u64(root, "period", h->sampling.period);
    cJSON_AddNumberToObject(root, "jitter_bits", h->sampling.jitter_bits);
    cJSON_AddBoolToObject(root, "golden", h->sampling.golden);
    json_add_u64(root, "seed", h->sampling.seed);
    cJSON *events = cJSON_AddArrayToObject(root, "events");
    for (uint32_t e = 0; e < h->event_count; e++)
        cJSON_AddItemToArray(events, cJSON_CreateString(h->events[e]));
    json_add_u64(root, "cycles", d->cycles);
    if (d->instructions) {
        json_add_u64(root, "instructions", d->instructions);
        cJSON_AddNumberToObject(root, "ipc", d->cycles ? (double)d->instructions / (double)d->cycles : 0);
    }
    json_add_u64(root, "samples", d->sample_count);
}

void json_add_profile(cJSON *root, const struct run *d) {
    json_add_run(root, d);
    cJSON_AddStringToObject(root, "profiler", d->profiler);
    json_add_u64(root, "weight", d->total);
}

void json_add_states(cJSON *root, const struct run *d) {
    const struct unit_time all = run_all(d);
    cJSON_AddItemToObject(root, "states", json_states(all.states));
}

void json_add_granularity(cJSON *root, const char *granularity, const struct confidence *sure) {
    cJSON_AddStringToObject(root, "granularity", granularity);
    char text[TEXT];
    if (!sure) return;
    const struct sampling_error error = sampling_error_of(sure);
    cJSON_AddNumberToObject(root, "by_chance", confidence_by_chance(sure));
    cJSON_AddNumberToObject(root, "sampling_error", error.part);
    cJSON_AddBoolToObject(root, "sampling_error_at_least", error.at_least);
    if (sampling_error_step_words(sure, text, sizeof text)) cJSON_AddStringToObject(root, "in_step", text);
}

static void add_contexts(cJSON *root, const struct run *d) {
    size_t count;
    const struct unit_time *units = run_contexts(d, &count);
    cJSON *array = cJSON_AddArrayToObject(root, "contexts");
    for (size_t i = 0; i < count; i++) {
        char text[TEXT];
        cJSON *object = cJSON_CreateObject();
        report_context_words(d, units[i].place, text, sizeof text);
        cJSON_AddStringToObject(object, "name", text);
        place_json(object, d, BY_INSTRUCTION, units[i].place, "?mode", "?image", "?space", "?process");
        json_add_u64(object, "weight", units[i].weight);
        cJSON_AddNumberToObject(object, "share", d->total ? (double)units[i].weight / (double)d->total : 0);
        cJSON_AddItemToObject(object, "states", json_states(units[i].states));
        cJSON_AddItemToArray(array, object);
    }
}

// rows: those of the unit, one after the other.
static cJSON *unit_object(const struct run *d, enum granularity g, const struct profile_row *rows, size_t count,
                          const struct confidence *sure) {
    struct unit_time unit = {.place = row_place(rows)};
    char text[TEXT];
    cJSON *object = cJSON_CreateObject(), *vectors = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        unit_add(&unit, &rows[i]);
        cJSON_AddItemToArray(vectors, json_vector(&rows[i]));
    }
    place_json(object, d, g, unit.place, "unit", "name", "?file", "?line", "?instruction", "?mode", "?image", "?space",
               "?process");
    json_add_u64(object, "weight", unit.weight);
    cJSON_AddNumberToObject(object, "cycles", (double)unit.weight / d->header->units);
    cJSON_AddNumberToObject(object, "share", d->total ? (double)unit.weight / (double)d->total : 0);
    if (sure) {
        const struct estimate time = confidence_of(sure, unit.place, SPREAD_TIME);
        json_add_estimate(object, &time);
    }
    if (g == BY_INSTRUCTION) {
        reasons_of_instruction(d, &unit, text, sizeof text);
    } else {
        report_why(d, &unit, text, sizeof text);
    }
    cJSON_AddStringToObject(object, "why", text);
    if (g == BY_INSTRUCTION && unit.place.pc != PROFILE_PC_END) {
        reasons_add_json(object, d, unit.place);
        reasons_add_waits_json(object, d, unit.place);
    }
    cJSON_AddItemToObject(object, "states", json_states(unit.states));
    cJSON_AddItemToObject(object, "stack", vectors);
    return object;
}

static void add_units(cJSON *array, const struct run *d, enum granularity g, const struct profile_row *rows,
                      size_t count, const struct confidence *sure) {
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && place_equal(row_place(&rows[end]), row_place(&rows[first])); end++) {
        }
        cJSON_AddItemToArray(array, unit_object(d, g, &rows[first], end - first, sure));
    }
}

int report_json(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, o->granularity, UINT16_MAX);
    cJSON *root = cJSON_CreateObject();
    size_t count, error_count;
    struct report_error *errors = report_errors(d, &error_count);
    if (!t || !root || (!errors && error_count)) {
        profile_table_destroy(t);
        cJSON_Delete(root);
        free(errors);
        return report_out_of_memory(d->path, err);
    }
    const struct confidence *sure = d->by_samples ? run_confidence(d, o->granularity, err) : NULL;
    if (d->by_samples && !sure) {
        profile_table_destroy(t);
        cJSON_Delete(root);
        free(errors);
        return -EINVAL;
    }
    json_add_profile(root, d);
    json_add_states(root, d);
    add_contexts(root, d);
    json_add_granularity(root, granularities[o->granularity], sure);
    const struct profile_row *rows = profile_table_rows(t, &count);
    add_units(cJSON_AddArrayToObject(root, "units"), d, o->granularity, rows, count, sure);
    mispredictions_add_json(root, d);
    const bool good =
        advice_add_json(root, d) && cJSON_AddItemToObject(root, "errors", report_error_json(d, errors, error_count));
    free(errors);
    profile_table_destroy(t);
    if (good) return json_print(root, d->path, out, err);
    cJSON_Delete(root);
    return report_out_of_memory(d->path, err);
}
