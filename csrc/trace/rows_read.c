// Blocks of a trace, record by record.
#include "trace/rows_read.h"
#include "base/container.h"
#include <errno.h>

bool rows_open(struct rows_read *r, const char *path, const char *kind, unsigned version, struct error *err) {
    *r = (struct rows_read){.path = path};
    r->container = container_open(path, kind, version, version, err);
    return r->container;
}

void rows_close(struct rows_read *r) {
    container_destroy(r->container);
}

bool rows_header(struct rows_read *r, bool (*take)(void *file, const cJSON *header), void *file, const char *lacks,
                 struct error *err) {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    const enum container_result result = container_next(r->container, &type, &data, &bytes, err);
    cJSON *header =
        result == CONTAINER_BLOCK && type == CONTAINER_HEADER ? cJSON_ParseWithLength((const char *)data, bytes) : NULL;
    const bool good = take(file, header);
    cJSON_Delete(header);
    if (!good && result == CONTAINER_BLOCK)
        error_set(err, "%s: its header names no %s: record the trace again", r->path, lacks);
    return good;
}

int rows_damaged(const struct rows_read *r, struct error *err) {
    error_set(err, "%s: a block does not consist of whole records: record the trace again", r->path);
    return -EBADMSG;
}

int rows_next(struct rows_read *r, uint32_t type, size_t size, struct error *err) {
    while (r->at == r->end) {
        uint32_t found;
        size_t bytes;
        const enum container_result result = container_next(r->container, &found, &r->at, &bytes, err);
        if (result == CONTAINER_COMPLETE) return 0;
        if (result != CONTAINER_BLOCK) return -EBADMSG;
        if (found != type) bytes = 0; // of a later version: skipped
        if (bytes % size) return rows_damaged(r, err);
        r->end = r->at + bytes;
    }
    return 1;
}
