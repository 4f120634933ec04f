// Trace in binary (trace/trace_file.h): records of changed cycles, gathered to blocks.
#include "base/container.h"
#include "trace/trace_file.h"
#include "trace/tracer.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUFFER = 1 << 18 };

struct tracer {
    struct container_writer *container;
    unsigned width;
    uint8_t *end;
    uint8_t buffer[BUFFER];
};

static char *header_of(unsigned width, const char *program) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "width", width);
    cJSON_AddStringToObject(object, "program", program);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

static struct tracer *bin_create(const char *path, unsigned width, const char *program, struct error *err) {
    struct tracer *t = malloc(sizeof *t);
    char *header = header_of(width, program);
    if (!t || !header) {
        error_nomem(err, path);
        free(t);
        free(header);
        return NULL;
    }
    t->width = width;
    t->end = t->buffer;
    t->container = container_create(path, TRACE_KIND, TRACE_VERSION, header, err);
    free(header);
    if (t->container) return t;
    free(t);
    return NULL;
}

static int flush(struct tracer *t, struct error *err) {
    if (t->end == t->buffer) return 0;
    int result = container_write(t->container, TRACE_BLOCK_CYCLES, t->buffer, (size_t)(t->end - t->buffer), err);
    t->end = t->buffer;
    return result;
}

static int bin_cycle(struct tracer *t, uint64_t cycle, uint64_t count, const struct commit_bundle *b,
                     struct error *err) {
    t->end = trace_record_put(t->end, cycle, count, b, t->width);
    return t->end + TRACE_RECORD_FIXED + MAX_LANES * TRACE_RECORD_LANE > t->buffer + BUFFER ? flush(t, err) : 0;
}

static int bin_close(struct tracer *t, struct error *err) {
    int result = flush(t, err);
    result = container_end(t->container, result, err);
    free(t);
    return result;
}

const struct tracer_format tracer_bin = {"bin", bin_create, bin_cycle, bin_close};
