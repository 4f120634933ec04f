// Bytes of a long file, plain or compressed by gzip or zstd, piece by piece: memory does not grow with it.
#ifndef TIPOFF_IMPORT_UNPACK_H
#define TIPOFF_IMPORT_UNPACK_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct unpack;
struct unpack *unpack_open(const char *path, struct error *err); // NULL with err
void unpack_close(struct unpack *u);                             // NULL is fine
// The next piece, which lives until the next call, and its length; 0: the end, or what could not be read: unpack_fault.
size_t unpack_next(struct unpack *u, const char **bytes);
uint64_t unpack_count(const struct unpack *u); // bytes so far, as unpacked
// "" or why the rest cannot be read: compressed data that is damaged, or not whole.
const char *unpack_fault(const struct unpack *u);

#endif
