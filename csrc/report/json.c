// JSON objects that two reports have in common.
#include "report/json.h"
#include "base/plain_json.h"
#include "report/errors.h"
#include "report/words.h"

void json_add_u64(cJSON *object, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cJSON_AddRawToObject(object, key, text);
}

static void add_error(cJSON *array, const struct run *d, const char *profiler, const char *granularity,
                      const char *components, const struct profile_error *e, const struct chance_estimate *chance) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "file", d->path);
    cJSON_AddStringToObject(o, "profiler", profiler);
    cJSON_AddStringToObject(o, "granularity", granularity);
    cJSON_AddStringToObject(o, "components", components);
    cJSON_AddNumberToObject(o, "error", e->error);
    json_add_u64(o, "total", e->total);
    json_add_u64(o, "correct", e->correct);
    json_add_u64(o, "booked", e->booked);
    json_add_u64(o, "samples", d->sample_count);
    if (chance->draws > 0) {
        cJSON_AddNumberToObject(o, "chance", chance->error);
        cJSON_AddNumberToObject(o, "chance_deviation", chance->deviation);
    }
    cJSON_AddItemToArray(array, o);
}

void json_add_errors(cJSON *array, const struct run *d, const struct report_error *error) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    for (int g = 0; g < GRANULARITY_COUNT && !error->hidden; g++) {
        if (report_error_known(d, (enum granularity)g))
            add_error(array, d, error->profiler, granularities[g], "time", &error->by[g], &error->chance[g]);
        if (report_error_known(d, (enum granularity)g) && error->has_stacks)
            add_error(array, d, error->profiler, granularities[g], "events", &error->stacks[g],
                      &error->chance_of_stacks[g]);
    }
}

cJSON *json_states(const uint64_t states[STATE_COUNT + 1]) {
    cJSON *object = cJSON_CreateObject();
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        if (s < STATE_COUNT || states[s]) json_add_u64(object, report_state_name(s), states[s]);
    }
    return object;
}

cJSON *json_vector(const struct profile_row *row) {
    cJSON *v = cJSON_CreateObject();
    cJSON_AddStringToObject(v, "state", report_state_name(row->state));
    cJSON_AddNumberToObject(v, "psv", row->psv);
    json_add_u64(v, "weight", row->weight);
    return v;
}

void json_add_estimate(cJSON *object, const struct estimate *time) {
    cJSON_AddNumberToObject(object, "deviation", time->deviation);
    json_add_u64(object, "samples", time->samples);
}

int json_print(cJSON *object, const char *path, FILE *out, struct error *err) {
    plain_json(object);
    char *text = cJSON_Print(object);
    cJSON_Delete(object);
    if (!text) return report_out_of_memory(path, err);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return 0;
}
