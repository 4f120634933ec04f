// Reader of binary traces of signals.
#include "base/bytes.h"
#include "base/container.h"
#include "trace/rows_read.h"
#include "trace/signal_trace.h"
#include <stdio.h>
#include <stdlib.h>

struct signal_file {
    struct rows_read rows;
    struct signal_columns columns;
    uint64_t values[SIGNAL_SLOTS];
};

static bool take_columns(void *file, const cJSON *object) {
    struct signal_columns *columns = &((struct signal_file *)file)->columns;
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(object, "columns"), *name;
    const cJSON *hex = cJSON_GetObjectItemCaseSensitive(object, "hex");
    const char *group = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "group"));
    int count = cJSON_GetArraySize(names);
    if (!group || count < 1 || count > SIGNAL_SLOTS || cJSON_GetArraySize(hex) != count) return false;
    snprintf(columns->group, sizeof columns->group, "%s", group);
    cJSON_ArrayForEach(name, names) {
        struct signal_column *column = &columns->list[columns->count];
        if (!cJSON_IsString(name)) return false;
        snprintf(column->name, sizeof column->name, "%s", name->valuestring);
        column->hex = cJSON_GetNumberValue(cJSON_GetArrayItem(hex, (int)columns->count)) != 0;
        columns->count++;
    }
    return true;
}

bool signal_file_is(const char *path) {
    return container_is(path, SIGNALS_KIND);
}

struct signal_file *signal_file_open(const char *path, struct error *err) {
    struct signal_file *f = error_calloc(sizeof *f, path, err);
    if (!f) return NULL;
    if (rows_open(&f->rows, path, SIGNALS_KIND, SIGNALS_VERSION, err) &&
        rows_header(&f->rows, take_columns, f, "columns", err))
        return f;
    signal_file_destroy(f);
    return NULL;
}

void signal_file_destroy(struct signal_file *f) {
    if (!f) return;
    rows_close(&f->rows);
    free(f);
}

const struct signal_columns *signal_file_columns(const struct signal_file *f) {
    return &f->columns;
}

int signal_file_next(struct signal_file *f, uint64_t *cycle, uint64_t *count, const uint64_t **values,
                     struct error *err) {
    const int found = rows_next(&f->rows, SIGNALS_BLOCK_CYCLES, 16 + 8 * (size_t)f->columns.count, err);
    if (found <= 0) return found;
    *cycle = bytes_get(&f->rows.at, 8);
    *count = bytes_get(&f->rows.at, 8);
    for (unsigned i = 0; i < f->columns.count; i++)
        f->values[i] = bytes_get(&f->rows.at, 8);
    *values = f->values;
    return *count ? 1 : rows_damaged(&f->rows, err);
}
