// Statistics of runs, read and summed: measures.h.
#include "methods/regions/measures.h"
#include "base/array.h"
#include "base/text_file.h"
#include "results.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 200, STATISTICS_MOST = 1 << 28 };

void measures_free(struct measures *m) {
    for (size_t i = 0; i < m->count; i++)
        free(m->list[i].name);
    free(m->list);
    *m = (struct measures){.list = NULL};
}

static struct measure *find(const struct measures *m, const char *name) {
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->list[i].name, name) == 0) return &m->list[i];
    return NULL;
}

double measures_get(const struct measures *m, const char *name) {
    const struct measure *const found = find(m, name);
    return found ? found->value : 0;
}

bool measures_has(const struct measures *m, const char *name) {
    return find(m, name) != NULL;
}

static bool add(struct measures *m, const char *name, double value, struct error *err) {
    struct measure *const found = find(m, name);
    if (found) {
        found->value += value;
        return true;
    }
    char *const copy = strdup(name);
    if (!copy || !array_reserve(&m->list, &m->capacity, m->count, sizeof *m->list)) {
        free(copy);
        error_nomem(err, "what a run has measured");
        return false;
    }
    m->list[m->count++] = (struct measure){copy, value};
    return true;
}

bool measures_add(struct measures *m, const struct measures *part, double times, struct error *err) {
    for (size_t i = 0; i < part->count; i++)
        if (!add(m, part->list[i].name, part->list[i].value * times, err)) return false;
    return true;
}

// ---- which numbers add up ----
// What a run checked, and its call stacks, say something of the tool alone.
static const char *const passed_over[] = {"checks", "call_stacks", "profilers", "wall_seconds", "harts"};

// By the table of results: of its members those that are merged by their sum.
static bool adds_up(const char *name) {
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++) {
        const size_t length = strlen(passed_over[i]);
        if (strncmp(name, passed_over[i], length) == 0 && (name[length] == '\0' || name[length] == '.')) return false;
    }
    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        const struct result_info *const info = result_info(i);
        if (info->stats != RESULT_STATS_MEMBERS) continue;
        for (unsigned k = 0; k < info->field_count; k++) {
            char member[NAME_MOST];
            const bool top = strcmp(info->stats_key, ".") == 0;
            snprintf(member, sizeof member, "%s%s%s", top ? "" : info->stats_key, top ? "" : ".",
                     info->fields[k].member);
            if (strcmp(member, name) == 0) return info->fields[k].merge == RESULT_MERGE_SUM;
        }
    }
    return true; // named by what it counts
}

// Numbers of an object and of those in it. False with err: no memory.
static bool take(struct measures *m, const cJSON *object, const char *before, unsigned depth, struct error *err) {
    enum { DEEPEST = 4 };
    for (const cJSON *item = object->child; item; item = item->next) {
        char name[NAME_MOST];
        if (snprintf(name, sizeof name, "%s%s%s", before, before[0] ? "." : "", item->string) >= NAME_MOST) continue;
        if (cJSON_IsObject(item) && depth < DEEPEST && !take(m, item, name, depth + 1, err)) return false;
        if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && adds_up(name) &&
            !add(m, name, item->valuedouble, err))
            return false;
    }
    return true;
}

static void copy_text(char *to, size_t size, const cJSON *root, const char *key) {
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(root, key);
    snprintf(to, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
}

// Of the fast model (tipoff gus --format json): what its instructions have met.
static bool take_rows(struct measures *m, const cJSON *rows, struct error *err) {
    static const char *const names[] = {"executions", "misses", "walks", "mispredicted"};
    for (const cJSON *row = rows ? rows->child : NULL; row; row = row->next)
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            const cJSON *const item = cJSON_GetObjectItemCaseSensitive(row, names[i]);
            if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && !add(m, names[i], item->valuedouble, err))
                return false;
        }
    return true;
}

static int take_root(struct measures *m, const cJSON *root, const char *path, struct error *err) {
    const cJSON *const seconds = cJSON_GetObjectItemCaseSensitive(root, "wall_seconds");
    const cJSON *const status = cJSON_GetObjectItemCaseSensitive(root, "status");
    const cJSON *const checks = cJSON_GetObjectItemCaseSensitive(root, "checks");
    if (!cJSON_IsObject(root)) {
        error_set(err, "%s: no statistics of a run, or not whole: name a file of `tipoff run --stats`", path);
        return -EINVAL;
    }
    if (!take(m, root, "", 0, err) || !take_rows(m, cJSON_GetObjectItemCaseSensitive(root, "rows"), err))
        return -ENOMEM;
    if (!(measures_get(m, "cycles") > 0) || !(measures_get(m, "instructions") > 0)) {
        error_set(err, "%s: statistics without cycles or instructions: name a file of `tipoff run --stats`", path);
        return -EINVAL;
    }
    m->seconds = cJSON_IsNumber(seconds) && seconds->valuedouble > 0 ? seconds->valuedouble : 0;
    m->status = cJSON_IsNumber(status) ? status->valueint : 0;
    m->exited = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(root, "exited"));
    m->passed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(checks, "passed"));
    copy_text(m->config, sizeof m->config, root, "config");
    copy_text(m->settings, sizeof m->settings, root, "settings");
    return 0;
}

int measures_read(struct measures *m, const char *path, struct error *err) {
    size_t bytes;
    *m = (struct measures){.list = NULL};
    char *const text = text_file_bytes(path, STATISTICS_MOST, "name a file of `tipoff run --stats`", &bytes, err);
    if (!text) return -EINVAL;
    cJSON *const root = cJSON_ParseWithLength(text, bytes);
    free(text);
    const int rc = take_root(m, root, path, err);
    cJSON_Delete(root);
    return rc;
}
