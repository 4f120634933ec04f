// JSON objects that two reports have in common.
#include "report/json.h"
#include "base/plain_json.h"
#include "report/words.h"
#include <string.h>

void json_add_u64(cJSON *object, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cJSON_AddRawToObject(object, key, text);
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

bool json_print_for_page(cJSON *object, bool members, FILE *out) {
    plain_json(object);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text) return false;
    const size_t first = members, end = strlen(text) - first;
    for (size_t i = first; i < end; i++) {
        if (text[i] == '<') {
            fputs("\\u003c", out);
        } else {
            fputc(text[i], out);
        }
    }
    cJSON_free(text);
    return true;
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
