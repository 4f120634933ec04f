// Self-describing block files: the container of sample files and binary traces.
//
// Layout, little-endian:
//   "TIPOFF\r\n"  8 bytes  magic (shows text-mode damage)
//   kind          8 bytes  ASCII, zero-padded: "samples", "trace"
//   version       u32      of that kind's content
//   reserved      u32      0
//   blocks: type u32, raw length u32, stored length u32, CRC-32C u32 of these three words, CRC-32C u32 of what follows:
//           the stored bytes: one zstd frame, or the raw bytes where that is not shorter (lengths equal)
//   The first block is the header (JSON text); a block of type CONTAINER_END and length 0 closes a complete file.
// A writer that dies leaves a file whose blocks, up to the one it was writing, all read.
#ifndef TIPOFF_BASE_CONTAINER_H
#define TIPOFF_BASE_CONTAINER_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTAINER_HEADER = 1, CONTAINER_END = 2 }; // block types common to all kinds; a kind's own start at 16
#define CONTAINER_MAX_BLOCK (64u << 20)           // bytes of a block; a longer length is damage

struct container_writer;
// Creates or truncates the file. NULL with err if it cannot be written.
struct container_writer *container_create(const char *path, const char *kind, uint32_t version, const char *header_json,
                                          struct error *err);
// Both: 0, or a negative errno with err.
int container_write(struct container_writer *w, uint32_t type, const void *data, size_t bytes, struct error *err);
int container_close(struct container_writer *w, struct error *err); // end mark, then frees w
void container_abandon(struct container_writer *w);                 // no end mark; frees w
// One of the two: result is that of what was written. Returns the first error.
int container_end(struct container_writer *w, int result, struct error *err);

struct container_reader;
// CONTAINER_DAMAGED: this block does not read, later ones may. CONTAINER_CORRUPT: no later one can be found.
enum container_result {
    CONTAINER_BLOCK,
    CONTAINER_COMPLETE,
    CONTAINER_TRUNCATED,
    CONTAINER_DAMAGED,
    CONTAINER_CORRUPT
};
// NULL with err: no file, another kind, a version that is not one from `oldest` to `newest`. The header block is read
// by the first container_next.
struct container_reader *container_open(const char *path, const char *kind, uint32_t oldest, uint32_t newest,
                                        struct error *err);
// As container_open; *is: the file begins as one of that kind, whatever else is wrong with it. So a file that may be
// something else is opened once.
struct container_reader *container_open_if(const char *path, const char *kind, uint32_t oldest, uint32_t newest,
                                           bool *is, struct error *err);
bool container_is(const char *path, const char *kind); // a file that can be read, and that begins as such a container
uint32_t container_version(const struct container_reader *r);
// From here on, blocks that unpack, all together, to more than `spare` bytes and `times` the bytes that they take in
// the file are corrupt: so what the file costs to read is bounded by its size.
void container_bound(struct container_reader *r, uint64_t spare, unsigned times);
// CONTAINER_BLOCK: *data (valid until the next call) holds *bytes bytes. Otherwise err says what is wrong and where.
// *type and *bytes are known of a damaged block, too.
enum container_result container_next(struct container_reader *r, uint32_t *type, const uint8_t **data, size_t *bytes,
                                     struct error *err);
void container_destroy(struct container_reader *r);

// CRC-32C (Castagnoli, reflected 0x82f63b78, initial and final inversion), continued from an earlier result or 0.
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

#endif
