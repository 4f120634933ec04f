// Records of binary traces, and their reader.
#include "trace/trace_file.h"
#include "base/bytes.h"
#include "base/container.h"
#include "trace/rows_read.h"
#include <stdlib.h>
#include <string.h>

struct trace_file {
    struct rows_read rows;
    unsigned width;
    char *program; // NULL: not said
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

static bool take_header(void *file, const cJSON *header) {
    struct trace_file *t = file;
    const cJSON *width = cJSON_GetObjectItemCaseSensitive(header, "width");
    const char *program = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(header, "program"));
    if (!cJSON_IsNumber(width) || !(width->valuedouble >= 1 && width->valuedouble <= MAX_LANES)) return false;
    t->width = (unsigned)width->valuedouble;
    if (program) t->program = strdup(program);
    return true;
}

struct trace_file *trace_file_open(const char *path, struct error *err) {
    struct trace_file *t = error_calloc(sizeof *t, path, err);
    if (!t) return NULL;
    if (rows_open(&t->rows, path, TRACE_KIND, TRACE_VERSION, err) &&
        rows_header(&t->rows, take_header, t, "commit width", err))
        return t;
    trace_file_destroy(t);
    return NULL;
}

void trace_file_destroy(struct trace_file *t) {
    if (!t) return;
    rows_close(&t->rows);
    free(t->program);
    free(t);
}

const char *trace_file_program(const struct trace_file *t) {
    return t->program ? t->program : "";
}

unsigned trace_file_width(const struct trace_file *t) {
    return t->width;
}

int trace_file_next(struct trace_file *t, struct trace_record *record, struct error *err) {
    const size_t size = TRACE_RECORD_FIXED + (size_t)t->width * TRACE_RECORD_LANE;
    const int found = rows_next(&t->rows, TRACE_BLOCK_CYCLES, size, err);
    if (found <= 0) return found;
    t->rows.at = get(t->rows.at, record, t->width);
    return record->bundle.oldest < t->width && record->count ? 1 : rows_damaged(&t->rows, err);
}
