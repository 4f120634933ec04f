// Trace in binary (trace/trace_file.h): records of changed cycles, gathered to blocks.
#include "base/container.h"
#include "trace/trace_file.h"
#include "trace/tracer.h"
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

static struct tracer *bin_create(const char *path, unsigned width, struct error *err) {
    struct tracer *t = malloc(sizeof *t);
    if (!t) {
        error_set(err, "%s: out of memory", path);
        return NULL;
    }
    t->width = width;
    t->end = t->buffer;
    char header[64];
    snprintf(header, sizeof header, "{\"width\":%u}", width);
    t->container = container_create(path, TRACE_KIND, TRACE_VERSION, header, err);
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
    if (result == 0) {
        result = container_close(t->container, err);
    } else {
        container_abandon(t->container);
    }
    free(t);
    return result;
}

const struct tracer_format tracer_bin = {"bin", bin_create, bin_cycle, bin_close};
