// Records of binary traces, and their reader.
#include "trace/trace_file.h"
#include "base/bytes.h"
#include "base/container.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct trace_file {
    struct container_reader *container;
    const char *path;
    unsigned width;
    char *program;           // NULL: not said
    const uint8_t *at, *end; // in the block
};

uint8_t *trace_record_put(uint8_t *p, uint64_t cycle, uint64_t count, const struct commit_bundle *b, unsigned width) {
    p = bytes_put(p, cycle, 8);
    p = bytes_put(p, count, 8);
    p = bytes_put(p,
                  b->rob_empty | (unsigned)b->exception << 1 | (unsigned)b->interrupt << 2 | (unsigned)b->replay << 3 |
                      (unsigned)b->redirect << 4 | (unsigned)b->fetch_valid << 5,
                  1);
    const uint8_t bytes[] = {b->oldest,     b->cause, b->valid, b->commit,
                             b->mispredict, b->flush, b->first, b->dispatch_valid};
    for (unsigned i = 0; i < sizeof bytes; i++)
        *p++ = bytes[i];
    p = bytes_put(p, b->exception_pc, 8);
    p = bytes_put(p, b->exception_psv, 2);
    p = bytes_put(p, b->fetch_pc, 8);
    p = bytes_put(p, b->dispatch_rob, 2);
    for (unsigned i = 0; i < width; i++) {
        p = bytes_put(p, b->pc[i], 8);
        p = bytes_put(p, b->insn[i], 4);
        p = bytes_put(p, b->psv[i], 2);
        p = bytes_put(p, b->dispatch_pc[i], 8);
    }
    return p;
}

static const uint8_t *get(const uint8_t *p, struct trace_record *record, unsigned width) {
    struct commit_bundle *b = &record->bundle;
    record->cycle = bytes_get(&p, 8);
    record->count = bytes_get(&p, 8);
    unsigned flags = (unsigned)bytes_get(&p, 1);
    *b = (struct commit_bundle){.rob_empty = flags & 1,
                                .exception = flags >> 1 & 1,
                                .interrupt = flags >> 2 & 1,
                                .replay = flags >> 3 & 1,
                                .redirect = flags >> 4 & 1,
                                .fetch_valid = flags >> 5 & 1};
    uint8_t *const bytes[] = {&b->oldest,     &b->cause, &b->valid, &b->commit,
                              &b->mispredict, &b->flush, &b->first, &b->dispatch_valid};
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
        *bytes[i] = *p++;
    b->exception_pc = bytes_get(&p, 8);
    b->exception_psv = (uint16_t)bytes_get(&p, 2);
    b->fetch_pc = bytes_get(&p, 8);
    b->dispatch_rob = (uint16_t)bytes_get(&p, 2);
    for (unsigned i = 0; i < width; i++) {
        b->pc[i] = bytes_get(&p, 8);
        b->insn[i] = (uint32_t)bytes_get(&p, 4);
        b->psv[i] = (uint16_t)bytes_get(&p, 2);
        b->dispatch_pc[i] = bytes_get(&p, 8);
    }
    return p;
}

static bool read_header(struct trace_file *t, struct error *err) {
    uint32_t type;
    const uint8_t *data;
    size_t bytes;
    enum container_result result = container_next(t->container, &type, &data, &bytes, err);
    cJSON *object =
        result == CONTAINER_BLOCK && type == CONTAINER_HEADER ? cJSON_ParseWithLength((const char *)data, bytes) : NULL;
    const cJSON *width = cJSON_GetObjectItemCaseSensitive(object, "width");
    bool good = cJSON_IsNumber(width) && width->valuedouble >= 1 && width->valuedouble <= MAX_LANES;
    const char *program = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "program"));
    if (good) t->width = (unsigned)width->valuedouble;
    if (good && program) t->program = strdup(program);
    cJSON_Delete(object);
    if (!good && result == CONTAINER_BLOCK)
        error_set(err, "%s: its header names no commit width: record the trace again", t->path);
    return good;
}

struct trace_file *trace_file_open(const char *path, struct error *err) {
    struct trace_file *t = calloc(1, sizeof *t);
    if (!t) {
        error_nomem(err, path);
        return NULL;
    }
    t->path = path;
    t->container = container_open(path, TRACE_KIND, TRACE_VERSION, TRACE_VERSION, err);
    if (t->container && read_header(t, err)) return t;
    trace_file_destroy(t);
    return NULL;
}

void trace_file_destroy(struct trace_file *t) {
    if (!t) return;
    container_destroy(t->container);
    free(t->program);
    free(t);
}

const char *trace_file_program(const struct trace_file *t) {
    return t->program ? t->program : "";
}

unsigned trace_file_width(const struct trace_file *t) {
    return t->width;
}

static int damaged(struct error *err, const char *path) {
    error_set(err, "%s: a block is no row of whole records: record the trace again", path);
    return -EBADMSG;
}

int trace_file_next(struct trace_file *t, struct trace_record *record, struct error *err) {
    const size_t size = TRACE_RECORD_FIXED + (size_t)t->width * TRACE_RECORD_LANE;
    while (t->at == t->end) {
        uint32_t type;
        size_t bytes;
        enum container_result result = container_next(t->container, &type, &t->at, &bytes, err);
        if (result == CONTAINER_COMPLETE) return 0;
        if (result != CONTAINER_BLOCK) return -EBADMSG;
        if (type != TRACE_BLOCK_CYCLES) bytes = 0; // of a later version: skipped
        if (bytes % size) return damaged(err, t->path);
        t->end = t->at + bytes;
    }
    t->at = get(t->at, record, t->width);
    return record->bundle.oldest < t->width && record->count ? 1 : damaged(err, t->path);
}
