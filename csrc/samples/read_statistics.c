// Results of a file before version 3, which has them in its statistics, as JSON: the only place that reads those.
#include "samples/read_internal.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_FIELDS = 6 }; // of the results that are pairs, at most

static const cJSON *member(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

// 0 where there is none. Numbers in strings: those that a double may not hold.
static uint64_t number_of(const cJSON *item) {
    if (cJSON_IsString(item)) return strtoull(item->valuestring, NULL, 0);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 0x1p64)) return 0;
    return (uint64_t)item->valuedouble;
}

static uint64_t number(const cJSON *object, const char *key) {
    return number_of(member(object, key));
}

static uint64_t context_of(const cJSON *group, const char *mode, const char *space) {
    return place_context((uint8_t)(number(group, mode) & 3), number(group, space));
}

// "-": nowhere. False: the text ends.
static bool take_place(char **text, uint64_t context, struct place *place) {
    char *rest;
    while (**text == ' ')
        ++*text;
    if (**text == '-') {
        *place = PLACE_END;
        ++*text;
        return true;
    }
    *place = (struct place){strtoull(*text, &rest, 16), context};
    const bool any = rest != *text;
    *text = rest;
    return any;
}

// "FROM TO COUNT ...", into a row of two places and counts.
static bool add_pair(struct results *r, unsigned result, const cJSON *item, const uint64_t contexts[2]) {
    const struct result_info *info = result_info(result);
    union {
        char bytes[RESULT_ROW_MOST];
        uint64_t aligned;
    } row = {{0}};
    char *text = cJSON_IsString(item) ? item->valuestring : "";
    for (unsigned i = 0; i < 2; i++) {
        struct place place;
        if (!take_place(&text, contexts[i], &place)) return true; // no row
        memcpy(row.bytes + info->fields[i].offset, &place, sizeof place);
    }
    for (unsigned i = 2; i < info->field_count && i < PAIR_FIELDS; i++)
        result_set_number(&info->fields[i], row.bytes, strtoull(text, &text, 10));
    return results_add(r, result, row.bytes);
}

static bool read_pairs(struct results *r, const cJSON *statistics, unsigned result) {
    const struct result_info *info = result_info(result);
    const cJSON *groups = member(statistics, info->stats_key), *group, *item;
    if (!cJSON_IsArray(groups)) return true;
    results_keep(r, result);
    cJSON_ArrayForEach(group, groups) {
        const uint64_t contexts[2] = {context_of(group, "from_mode", "from_space"),
                                      context_of(group, "to_mode", "to_space")};
        cJSON_ArrayForEach(item, member(group, info->stats_rows)) {
            if (!add_pair(r, result, item, contexts)) return false;
        }
    }
    return true;
}

static bool read_met(struct results *r, const cJSON *statistics) {
    const cJSON *groups = member(statistics, "met"), *group, *item;
    if (!cJSON_IsArray(groups)) return true;
    results_keep(r, RESULT_EVENT_MET);
    cJSON_ArrayForEach(group, groups) {
        cJSON_ArrayForEach(item, member(group, "met")) {
            char *text = cJSON_IsString(item) ? item->valuestring : "";
            struct event_met met = {.times = 0};
            if (!take_place(&text, context_of(group, "mode", "space"), &met.instruction)) continue;
            met.psv = (uint16_t)strtoul(text, &text, 16);
            met.times = strtoull(text, &text, 10);
            if (!results_add_event_met(r, &met)) return false;
        }
    }
    return true;
}

static bool read_executions(struct results *r, const cJSON *array) {
    const cJSON *item;
    if (cJSON_IsArray(array)) results_keep(r, RESULT_EXECUTION);
    cJSON_ArrayForEach(item, array) {
        if (!results_add_execution(r, &(struct execution){(uint16_t)number(item, "psv"), number(item, "count")}))
            return false;
    }
    return true;
}

static bool read_stalls(struct results *r, const cJSON *base) {
    const cJSON *item;
    if (!cJSON_IsObject(base)) return true;
    bool good = results_add_base_stalls(r, &(struct base_stalls){number(base, "count"), number(base, "cycles")});
    results_keep(r, RESULT_STALL_LENGTH);
    cJSON_ArrayForEach(item, member(base, "lengths")) {
        const struct stall_length row = {(uint16_t)number_of(cJSON_GetArrayItem(item, 0)),
                                         number_of(cJSON_GetArrayItem(item, 1))};
        good = good && results_add_stall_length(r, &row);
    }
    results_keep(r, RESULT_LONG_STALL);
    cJSON_ArrayForEach(item, member(base, "long")) {
        const cJSON *pc = member(item, "pc");
        const struct long_stall row = {
            {cJSON_IsString(pc) ? strtoull(pc->valuestring, NULL, 16) : 0, context_of(item, "mode", "space")},
            number(item, "count"),
            number(item, "cycles"),
            (uint16_t)number(item, "longest")};
        good = good && results_add_long_stall(r, &row);
    }
    return good;
}

bool read_statistics(struct results *r, const char *text) {
    static const unsigned pairs[] = {RESULT_JUMP, RESULT_REFILL, RESULT_FLUSH, RESULT_WAIT};
    cJSON *statistics = cJSON_Parse(text);
    if (!statistics) return true; // the run left none that can be read
    bool good =
        results_add_run_totals(r, &(struct run_totals){.cycles = number(statistics, "cycles"),
                                                       .instructions = number(statistics, "instructions"),
                                                       .from_cycle = number(statistics, "from_cycle"),
                                                       .from_instruction = number(statistics, "from_instruction")});
    for (size_t i = 0; good && i < sizeof pairs / sizeof *pairs; i++)
        good = read_pairs(r, statistics, pairs[i]);
    const uint64_t tags = number(member(statistics, "profilers"), "tags");
    if (tags) good = good && results_add_tag_limit(r, &(struct tag_limit){(uint32_t)tags});
    good = good && read_met(r, statistics) && read_executions(r, member(statistics, "executions")) &&
           read_stalls(r, member(statistics, "base_stalls"));
    cJSON_Delete(statistics);
    return good;
}

void read_statistics_begin(struct results *r, const char *text) {
    cJSON *statistics = cJSON_Parse(text);
    struct run_totals *totals = results_run_totals(r) ? results_row(r, RESULT_RUN_TOTALS, 0) : NULL;
    if (statistics && totals) {
        totals->from_cycle = number(statistics, "from_cycle");
        totals->from_instruction = number(statistics, "from_instruction");
    }
    cJSON_Delete(statistics);
}
