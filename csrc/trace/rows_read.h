// Traces, read: a container whose header is JSON, and whose blocks are rows of records of one size. Not for others.
#ifndef TIPOFF_TRACE_ROWS_READ_H
#define TIPOFF_TRACE_ROWS_READ_H

#include "base/error.h"
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rows_read {
    struct container_reader *container;
    const char *path;        // borrowed
    const uint8_t *at, *end; // in the block
};
// False with err: the file cannot be read, or has another kind or version. rows_close in either case.
bool rows_open(struct rows_read *r, const char *path, const char *kind, unsigned version, struct error *err);
void rows_close(struct rows_read *r);
// The header goes to take (NULL: it is no JSON), which returns whether it has what it needs. False with err: it has
// not: `lacks` says what.
bool rows_header(struct rows_read *r, bool (*take)(void *file, const cJSON *header), void *file, const char *lacks,
                 struct error *err);
// 1: a record of `size` bytes is at r->at; 0: there are no more; a negative errno with err. Blocks of another type are
// skipped.
int rows_next(struct rows_read *r, uint32_t type, size_t size, struct error *err);
int rows_damaged(const struct rows_read *r, struct error *err); // -EBADMSG with err

#endif
