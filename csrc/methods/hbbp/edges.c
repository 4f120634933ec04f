// Exact executions from a run's jumps: all arrivals up to an instruction, less all departures from those before it.
#include "methods/hbbp/mix.h"
#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const cJSON *group, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(group, key);
    return cJSON_IsString(item)   ? strtoull(item->valuestring, NULL, 0)
           : cJSON_IsNumber(item) ? (uint64_t)item->valuedouble
                                  : 0;
}

static uint64_t context_of(const cJSON *group, const char *mode, const char *space) {
    return place_context((uint8_t)(number_of(group, mode) & 3), number_of(group, space));
}

struct flow {
    int64_t *arrivals, *departures; // by instruction
};

static void add_end(struct mix *m, int64_t *ends, const char *text, uint64_t context, uint64_t count,
                    uint64_t *outside) {
    if (*text == '-') return;
    const uint32_t i = code_find(m->code, (struct place){strtoull(text, NULL, 16), context});
    if (i == CODE_NONE) {
        *outside += count;
    } else {
        ends[i] += (int64_t)count;
    }
}

static void add_group(struct mix *m, const struct flow *f, const cJSON *group) {
    const uint64_t from = context_of(group, "from_mode", "from_space"), to = context_of(group, "to_mode", "to_space");
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, "taken")) {
        const char *text = cJSON_IsString(item) ? item->valuestring : "";
        const char *second = strchr(text, ' '), *third = second ? strchr(second + 1, ' ') : NULL;
        if (!third) continue;
        const uint64_t count = strtoull(third + 1, NULL, 10);
        uint64_t left = 0;
        add_end(m, f->departures, text, from, count, &left);
        add_end(m, f->arrivals, second + 1, to, count, &m->outside[MIX_EXACT]);
    }
}

bool mix_add_edges(struct mix *m, const cJSON *statistics, struct error *err) {
    const cJSON *groups = cJSON_GetObjectItemCaseSensitive(statistics, "edges"), *group;
    const size_t n = m->code->count;
    struct flow f = {calloc(n + 1, sizeof *f.arrivals), calloc(n + 1, sizeof *f.departures)};
    int64_t flow = 0;
    free(m->counts[MIX_EXACT]);
    double *counts = m->counts[MIX_EXACT] = calloc(n + 1, sizeof *counts);
    bool good = f.arrivals && f.departures && counts;
    if (!good) {
        error_nomem(err, "instruction mix");
    } else if (!cJSON_IsArray(groups)) {
        error_set(err, "the run has no exact counts to compare with: run it again to its end, with lockstep");
        good = false;
    }
    cJSON_ArrayForEach(group, groups) {
        if (good) add_group(m, &f, group);
    }
    for (size_t i = 0; good && i < n; i++) {
        flow = (m->code->instructions[i].follows ? flow : 0) + f.arrivals[i];
        counts[i] = flow > 0 ? (double)flow : 0;
        flow -= f.departures[i];
    }
    free(f.arrivals);
    free(f.departures);
    return good;
}
