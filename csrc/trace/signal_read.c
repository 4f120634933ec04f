// Reader of binary traces of signals.
#include "base/bytes.h"
#include "base/container.h"
#include "trace/signal_trace.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct signal_file {
    struct container_reader *container;
    const char *path;
    struct signal_columns columns;
    uint64_t values[SIGNAL_SLOTS];
    const uint8_t *at, *end; // in the block
};

static bool read_columns(struct signal_columns *columns, const cJSON *object) {
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

static bool read_header(struct signal_file *f, struct error *err) {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    enum container_result result = container_next(f->container, &type, &data, &bytes, err);
    cJSON *object =
        result == CONTAINER_BLOCK && type == CONTAINER_HEADER ? cJSON_ParseWithLength((const char *)data, bytes) : NULL;
    bool good = read_columns(&f->columns, object);
    cJSON_Delete(object);
    if (!good && result == CONTAINER_BLOCK)
        error_set(err, "%s: its header names no columns: record the trace again", f->path);
    return good;
}

bool signal_file_is(const char *path) {
    return container_is(path, SIGNALS_KIND);
}

struct signal_file *signal_file_open(const char *path, struct error *err) {
    struct signal_file *f = calloc(1, sizeof *f);
    if (!f) {
        error_nomem(err, path);
        return NULL;
    }
    f->path = path;
    f->container = container_open(path, SIGNALS_KIND, SIGNALS_VERSION, SIGNALS_VERSION, err);
    if (f->container && read_header(f, err)) return f;
    signal_file_destroy(f);
    return NULL;
}

void signal_file_destroy(struct signal_file *f) {
    if (!f) return;
    container_destroy(f->container);
    free(f);
}

const struct signal_columns *signal_file_columns(const struct signal_file *f) {
    return &f->columns;
}

static int damaged(struct error *err, const char *path) {
    error_set(err, "%s: a block is no row of whole records: record the trace again", path);
    return -EBADMSG;
}

int signal_file_next(struct signal_file *f, uint64_t *cycle, uint64_t *count, const uint64_t **values,
                     struct error *err) {
    const size_t size = 16 + 8 * (size_t)f->columns.count;
    while (f->at == f->end) {
        uint32_t type;
        size_t bytes;
        enum container_result result = container_next(f->container, &type, &f->at, &bytes, err);
        if (result == CONTAINER_COMPLETE) return 0;
        if (result != CONTAINER_BLOCK) return -EBADMSG;
        if (type != SIGNALS_BLOCK_CYCLES) bytes = 0; // of a later version: skipped
        if (bytes % size) return damaged(err, f->path);
        f->end = f->at + bytes;
    }
    *cycle = bytes_get(&f->at, 8);
    *count = bytes_get(&f->at, 8);
    for (unsigned i = 0; i < f->columns.count; i++)
        f->values[i] = bytes_get(&f->at, 8);
    *values = f->values;
    return *count ? 1 : damaged(err, f->path);
}
