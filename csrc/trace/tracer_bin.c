// Trace in binary: a container of kind "trace" (base/container.h), blocks of records of changed cycles.
//
// Record: cycle u64, count u64 (equal cycles from there on), flags u8 (rob_empty, exception, interrupt, replay,
// redirect, fetch_valid: bits 0..5), oldest u8, cause u8, masks u8 each (valid, commit, mispredict, flush, first,
// dispatch_valid), exception_pc u64, exception_psv u16, fetch_pc u64, dispatch_rob u16; then for each lane of the
// configuration pc u64, insn u32, psv u16, dispatch_pc u64.
#include "base/bytes.h"
#include "base/container.h"
#include "trace/tracer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK_CYCLES = 16, TRACE_VERSION = 1, RECORD_FIXED = 45, RECORD_LANE = 22, BUFFER = 1 << 18 };

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
    t->container = container_create(path, "trace", TRACE_VERSION, header, err);
    if (t->container) return t;
    free(t);
    return NULL;
}

static int flush(struct tracer *t, struct error *err) {
    if (t->end == t->buffer) return 0;
    int result = container_write(t->container, BLOCK_CYCLES, t->buffer, (size_t)(t->end - t->buffer), err);
    t->end = t->buffer;
    return result;
}

static int bin_cycle(struct tracer *t, uint64_t cycle, uint64_t count, const struct commit_bundle *b,
                     struct error *err) {
    uint8_t *p = t->end;
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
    for (unsigned i = 0; i < t->width; i++) {
        p = bytes_put(p, b->pc[i], 8);
        p = bytes_put(p, b->insn[i], 4);
        p = bytes_put(p, b->psv[i], 2);
        p = bytes_put(p, b->dispatch_pc[i], 8);
    }
    t->end = p;
    return t->end + RECORD_FIXED + MAX_LANES * RECORD_LANE > t->buffer + BUFFER ? flush(t, err) : 0;
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
