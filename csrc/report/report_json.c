// The whole report as one JSON object: the run, the profile at one granularity, the errors.
#include "report/advice.h"
#include "report/computing.h"
#include "report/contexts.h"
#include "report/errors.h"
#include "report/formats.h"
#include "report/hot_paths.h"
#include "report/json.h"
#include "report/reasons.h"
#include "report/sampling_error.h"
#include "report/time_columns.h"
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
    if (d->harts > 1) cJSON_AddNumberToObject(root, "harts", (double)d->harts);
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
    if (!d->shown) return;
    char words[TEXT];
    filter_words(d, words, sizeof words);
    cJSON_AddStringToObject(root, "shown", words);
    json_add_u64(root, "weight_of_run", d->whole);
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
    static const struct columns columns = {.json = "name,?mode,?image,?space,?process,?hart,weight,share,states",
                                           .get = context_value};
    size_t count;
    const struct unit_time *units = run_contexts(d, &count);
    cJSON *array = cJSON_AddArrayToObject(root, "contexts");
    for (size_t i = 0; i < count; i++) {
        const struct time_row time = {.run = d, .time = &units[i]};
        cJSON_AddItemToArray(array, columns_json(&columns, &(struct unit_row){time, BY_INSTRUCTION, units[i].place}));
    }
}

static bool add_units(cJSON *array, const struct run *d, enum granularity g, const struct profile_row *rows,
                      size_t count, const struct confidence *sure) {
    static const struct columns columns = {
        .json = "unit,name,?file,?line,?instruction,?mode,?image,?space,?process,?hart,weight,cycles,share,?deviation,"
                "?samples,why,?executions,?met,?waits_for,states,stack",
        .get = unit_value};
    for (size_t first = 0, end; first < count; first = end) {
        const struct place place = row_place(&rows[first]);
        struct unit_time unit = {.place = place};
        for (end = first; end < count && place_equal(row_place(&rows[end]), place); end++)
            unit_add(&unit, &rows[end]);
        struct time_row time = {
            .run = d, .time = &unit, .estimated = sure, .rows = &rows[first], .row_count = end - first};
        if (sure) time.estimate = confidence_of(sure, place, SPREAD_TIME);
        if (!cJSON_AddItemToArray(array, columns_json(&columns, &(struct unit_row){time, g, place}))) return false;
    }
    return true;
}

int report_json(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    size_t count, error_count;
    const struct profile_row *rows = run_rows(d, o->granularity, &count);
    cJSON *root = cJSON_CreateObject();
    struct report_error *errors = report_errors(d, &error_count);
    if ((!rows && d->total) || !root || (!errors && error_count)) {
        cJSON_Delete(root);
        free(errors);
        return report_out_of_memory(d->path, err);
    }
    const struct confidence *sure = d->by_samples ? run_confidence(d, o->granularity, err) : NULL;
    if (d->by_samples && !sure) {
        cJSON_Delete(root);
        free(errors);
        return -EINVAL;
    }
    json_add_profile(root, d);
    json_add_states(root, d);
    add_contexts(root, d);
    json_add_granularity(root, granularities[o->granularity], sure);
    bool good = add_units(cJSON_AddArrayToObject(root, "units"), d, o->granularity, rows, count, sure);
    hot_paths_add_json(root, d);
    computing_add_json(root, d);
    mispredictions_add_json(root, d);
    good = good && advice_add_json(root, d) &&
           cJSON_AddItemToObject(root, "errors", report_error_json(d, errors, error_count));
    free(errors);
    if (good) return json_print(root, d->path, out, err);
    cJSON_Delete(root);
    return report_out_of_memory(d->path, err);
}
