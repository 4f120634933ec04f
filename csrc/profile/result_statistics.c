// The shapes: groups of rows as text by contexts, objects, arrays, members of an object, numbers by names.
#include "profile/result_statistics.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writer {
    const struct result_info *info;
    const char *rows;
    size_t count;
};

static const char *row_of(const struct writer *w, size_t i) {
    return w->rows + i * w->info->bytes;
}

static bool is_nowhere(struct place place) {
    return place.pc == PROFILE_PC_END;
}

// ---- groups ----
// The places of its key, one or two; their number.
static unsigned places_of(const struct writer *w, const char *row, struct place places[2]) {
    unsigned n = 0;
    for (unsigned i = 0; i < w->info->field_count && n < 2; i++)
        if (w->info->fields[i].type == RESULT_PLACE) places[n++] = result_place(&w->info->fields[i], row);
    return n;
}

static unsigned contexts_of(const struct writer *w, const char *row, uint64_t contexts[2]) {
    struct place places[2] = {PLACE_END, PLACE_END};
    const unsigned n = places_of(w, row, places);
    for (unsigned i = 0; i < n; i++)
        contexts[i] = n == 2 && is_nowhere(places[i]) ? places[1 - i].context : places[i].context;
    return n;
}

static bool same_group(const struct writer *w, size_t i, size_t k) {
    uint64_t a[2] = {0}, b[2] = {0};
    contexts_of(w, row_of(w, i), a);
    contexts_of(w, row_of(w, k), b);
    return a[0] == b[0] && a[1] == b[1];
}

static cJSON *add_group(const struct writer *w, cJSON *groups, const char *row) {
    static const char *const names[2][2][2] = {{{"mode", "space"}, {"", ""}},
                                               {{"from_mode", "from_space"}, {"to_mode", "to_space"}}};
    uint64_t contexts[2] = {0};
    const unsigned n = contexts_of(w, row, contexts);
    cJSON *group = cJSON_CreateObject();
    for (unsigned i = 0; i < n; i++) {
        cJSON_AddNumberToObject(group, names[n == 2][i][0], place_mode(contexts[i]));
        cJSON_AddNumberToObject(group, names[n == 2][i][1], (double)place_space(contexts[i]));
    }
    cJSON_AddItemToArray(groups, group);
    return cJSON_AddArrayToObject(group, w->info->stats_rows);
}

// Keys in hex, "-" for nowhere; counters in decimal.
static cJSON *text_of(const struct writer *w, const char *row) {
    char text[256];
    int n = 0;
    for (unsigned i = 0; i < w->info->field_count; i++) {
        const struct result_field *f = &w->info->fields[i];
        const size_t left = sizeof text - (size_t)n;
        const char *between = i ? " " : "";
        if (f->type == RESULT_PLACE) {
            const struct place place = result_place(f, row);
            n += is_nowhere(place) ? snprintf(text + n, left, "%s-", between)
                                   : snprintf(text + n, left, "%s%" PRIx64, between, place.pc);
        } else {
            n += snprintf(text + n, left, f->key ? "%s%" PRIx64 : "%s%" PRIu64, between, result_number(f, row));
        }
    }
    return cJSON_CreateString(text);
}

static void add_groups(const struct writer *w, cJSON *groups) {
    cJSON *rows = NULL;
    for (size_t i = 0; i < w->count; i++) {
        if (i == 0 || !same_group(w, i - 1, i)) rows = add_group(w, groups, row_of(w, i));
        cJSON_AddItemToArray(rows, text_of(w, row_of(w, i)));
    }
}

// ---- members, objects and arrays ----
// The object that a name "OUTER.INNER" is in, made where it is missing, and the name in it.
static cJSON *owner(cJSON *object, const char **name) {
    char outer[64];
    const char *dot = strchr(*name, '.');
    if (!dot || !dot[1]) return object;
    snprintf(outer, sizeof outer, "%.*s", (int)(dot - *name), *name);
    *name = dot + 1;
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, outer);
    return found ? found : cJSON_AddObjectToObject(object, outer);
}

static void add_place(cJSON *object, struct place place) {
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, place.pc);
    cJSON_AddStringToObject(object, "pc", text);
    cJSON_AddNumberToObject(object, "mode", place_mode(place.context));
    cJSON_AddNumberToObject(object, "space", (double)place_space(place.context));
}

static void add_member(cJSON *object, const char *name, const struct result_field *f, const char *row) {
    object = owner(object, &name);
    switch (f->type) {
    case RESULT_PLACE: add_place(object, result_place(f, row)); return;
    case RESULT_TEXT: cJSON_AddStringToObject(object, name, result_text(f, row)); return;
    case RESULT_FLAG: cJSON_AddBoolToObject(object, name, result_number(f, row) != 0); return;
    default: cJSON_AddNumberToObject(object, name, result_real(f, row));
    }
}

static void add_members(const struct writer *w, cJSON *object, unsigned first, const char *row) {
    for (unsigned i = first; i < w->info->field_count; i++)
        add_member(object, w->info->fields[i].member, &w->info->fields[i], row);
}

static void add_objects(const struct writer *w, cJSON *array) {
    for (size_t i = 0; i < w->count; i++) {
        cJSON *object = cJSON_CreateObject();
        add_members(w, object, 0, row_of(w, i));
        cJSON_AddItemToArray(array, object);
    }
}

static void add_arrays(const struct writer *w, cJSON *array) {
    for (size_t i = 0; i < w->count; i++) {
        cJSON *numbers = cJSON_CreateArray();
        for (unsigned k = 0; k < w->info->field_count; k++)
            cJSON_AddItemToArray(numbers, cJSON_CreateNumber((double)result_number(&w->info->fields[k], row_of(w, i))));
        cJSON_AddItemToArray(array, numbers);
    }
}

static void add_number(cJSON *object, const char *name, double number) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (found) {
        cJSON_SetNumberValue(found, found->valuedouble + number);
    } else {
        cJSON_AddNumberToObject(object, name, number);
    }
}

// By what the first field says: the number after it, or an object of them where there are several. Rows of one name, as
// of several harts, are one number.
static void add_names(const struct writer *w, cJSON *object) {
    const struct result_field *key = &w->info->fields[0], *first = key + 1;
    for (size_t i = 0; i < w->count; i++) {
        const char *row = row_of(w, i);
        const char *name = key->names ? key->names[result_number(key, row)] : result_text(key, row);
        if (w->info->field_count > 2)
            add_members(w, cJSON_AddObjectToObject(object, name), 1, row);
        else
            add_number(object, name, result_real(first, row));
    }
}

// Where a result goes: an existing object goes on.
static cJSON *place_of(cJSON *statistics, const struct result_info *info) {
    const char *key = info->stats_key;
    const bool object = info->stats == RESULT_STATS_MEMBERS || info->stats == RESULT_STATS_NAMES;
    if (strcmp(key, ".") == 0) return statistics;
    cJSON *parent = owner(statistics, &key), *found = cJSON_GetObjectItemCaseSensitive(parent, key);
    if (found) return found;
    return object ? cJSON_AddObjectToObject(parent, key) : cJSON_AddArrayToObject(parent, key);
}

static bool add_result(cJSON *statistics, const struct results *r, unsigned number) {
    struct writer w = {.info = result_info(number)};
    if (w.info->stats == RESULT_STATS_NONE || !results_known(r, number)) return true;
    w.rows = results_rows(r, number, &w.count);
    cJSON *own = place_of(statistics, w.info);
    if (!own) return false;
    switch (w.info->stats) {
    case RESULT_STATS_GROUPS: add_groups(&w, own); break;
    case RESULT_STATS_OBJECTS: add_objects(&w, own); break;
    case RESULT_STATS_ARRAYS: add_arrays(&w, own); break;
    case RESULT_STATS_NAMES: add_names(&w, own); break;
    case RESULT_STATS_MEMBERS:
        if (w.count) add_members(&w, own, 0, w.rows);
        break;
    case RESULT_STATS_NONE: break;
    }
    return true;
}

bool result_statistics_add(cJSON *statistics, const struct results *r) {
    bool good = true;
    for (unsigned i = 0; good && i < RESULT_COUNT; i++)
        good = add_result(statistics, r, i);
    return good;
}
