// Reader of block files: see container.h for the layout. Trusts no length before the checksum has passed.
#include "base/bytes.h"
#include "base/container.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct container_reader {
    FILE *file;
    char *path;
    uint32_t version;
    uint64_t offset;   // of the next block
    uint64_t unpacked; // bytes of all blocks up to here, as their heads say
    uint64_t spare;    // ... free ones, and `times` for each byte of the file (0: no bound)
    unsigned times;
    uint8_t *stored, *raw;
    size_t stored_capacity, raw_capacity;
};

void container_destroy(struct container_reader *r) {
    if (!r) return;
    if (r->file) fclose(r->file);
    free(r->stored);
    free(r->raw);
    free(r->path);
    free(r);
}

uint32_t container_version(const struct container_reader *r) {
    return r->version;
}

void container_bound(struct container_reader *r, uint64_t spare, unsigned times) {
    r->spare = spare;
    r->times = times;
}

bool container_is(const char *path, const char *kind) {
    char start[16] = "", want[8] = {0};
    FILE *file = fopen(path, "rbe");
    if (!file) return false;
    size_t got = fread(start, 1, sizeof start, file);
    fclose(file);
    memcpy(want, kind, strnlen(kind, sizeof want));
    return got == sizeof start && memcmp(start, "TIPOFF\r\n", 8) == 0 && memcmp(start + 8, want, sizeof want) == 0;
}

struct container_reader *container_open(const char *path, const char *kind, uint32_t oldest, uint32_t newest,
                                        struct error *err) {
    bool is;
    return container_open_if(path, kind, oldest, newest, &is, err);
}

struct container_reader *container_open_if(const char *path, const char *kind, uint32_t oldest, uint32_t newest,
                                           bool *is, struct error *err) {
    *is = false;
    struct container_reader *r = calloc(1, sizeof *r);
    if (r) r->path = strdup(path);
    if (!r || !r->path) {
        error_nomem(err, path);
        container_destroy(r);
        return NULL;
    }
    r->file = fopen(path, "rbe");
    if (!r->file) {
        error_set(err, "%s: cannot open: %s: name a file that exists", path, strerror(errno));
        container_destroy(r);
        return NULL;
    }
    uint8_t start[24];
    char want[8] = {0};
    memcpy(want, kind, strnlen(kind, sizeof want));
    size_t got = fread(start, 1, sizeof start, r->file);
    *is = got >= 16 && memcmp(start, "TIPOFF\r\n", 8) == 0 && memcmp(start + 8, want, 8) == 0;
    const uint8_t *p = start + 16;
    uint32_t found = got == sizeof start ? (uint32_t)bytes_get(&p, 4) : 0;
    if (got < 16 || memcmp(start, "TIPOFF\r\n", 8) != 0) {
        error_set(err, "%s: not a tipoff file: name a file that `tipoff run` has written", path);
    } else if (memcmp(start + 8, want, 8) != 0) {
        error_set(err, "%s: a tipoff file of kind '%.8s', not '%s': name the other file", path, (char *)start + 8,
                  kind);
    } else if (got < sizeof start) {
        error_set(err, "%s: truncated at offset %zu, in the file header: run again to write it", path, got);
    } else if (found < oldest || found > newest) {
        error_set(
            err,
            "%s: file version %u, this program reads versions %u to %u: use the tipoff that wrote it, or run again",
            path, found, oldest, newest);
    } else {
        r->version = found;
        r->offset = sizeof start;
        return r;
    }
    container_destroy(r);
    return NULL;
}

static bool reserve(uint8_t **buffer, size_t *capacity, size_t need) {
    if (need <= *capacity) return true;
    uint8_t *grown = realloc(*buffer, need);
    if (!grown) return false;
    *buffer = grown;
    *capacity = need;
    return true;
}

static enum container_result truncated(struct container_reader *r, struct error *err) {
    error_set(err, "%s: truncated at offset %llu: the run that wrote it did not end; run again for the whole", r->path,
              (unsigned long long)r->offset);
    return CONTAINER_TRUNCATED;
}

static void bad_block(struct container_reader *r, const char *what, struct error *err) {
    error_set(err, "%s: bad block at offset %llu (%s): copy the file again, or run again", r->path,
              (unsigned long long)r->offset, what);
}

static enum container_result corrupt(struct container_reader *r, const char *what, struct error *err) {
    bad_block(r, what, err);
    return CONTAINER_CORRUPT;
}

// The block is read whole, and wrong: the next one starts where it should.
static enum container_result damaged(struct container_reader *r, const char *what, size_t bytes, struct error *err) {
    bad_block(r, what, err);
    r->offset += bytes;
    return CONTAINER_DAMAGED;
}

// A file of 2^64 / times bytes and more has no bound.
static bool unpacks_too_much(const struct container_reader *r, size_t stored) {
    uint64_t most;
    if (!r->times || __builtin_mul_overflow(r->offset + stored, r->times, &most)) return false;
    return r->unpacked > r->spare && r->unpacked - r->spare > most;
}

enum container_result container_next(struct container_reader *r, uint32_t *type, const uint8_t **data, size_t *bytes,
                                     struct error *err) {
    uint8_t head[20];
    size_t got = fread(head, 1, sizeof head, r->file);
    if (got < sizeof head) return truncated(r, err);
    const uint8_t *p = head;
    *type = (uint32_t)bytes_get(&p, 4);
    uint32_t raw = (uint32_t)bytes_get(&p, 4), stored = (uint32_t)bytes_get(&p, 4);
    uint32_t head_crc = (uint32_t)bytes_get(&p, 4), body_crc = (uint32_t)bytes_get(&p, 4);
    if (crc32c(0, head, 12) != head_crc) return corrupt(r, "block header", err);
    if (raw > CONTAINER_MAX_BLOCK || stored > raw) return corrupt(r, "length", err);
    r->unpacked += raw;
    if (unpacks_too_much(r, sizeof head + stored)) return corrupt(r, "unpacks to far more than a run writes", err);
    if (!reserve(&r->stored, &r->stored_capacity, stored + 1) || !reserve(&r->raw, &r->raw_capacity, raw + 1)) {
        error_set(err, "%s: out of memory for a block of %u bytes", r->path, raw);
        return CONTAINER_CORRUPT;
    }
    if (fread(r->stored, 1, stored, r->file) < stored) return truncated(r, err);
    const size_t size = sizeof head + stored;
    *bytes = raw;
    if (crc32c(0, r->stored, stored) != body_crc) return damaged(r, "checksum", size, err);
    if (stored == raw) {
        memcpy(r->raw, r->stored, raw);
    } else {
        size_t n = ZSTD_decompress(r->raw, raw, r->stored, stored);
        if (ZSTD_isError(n) || n != raw) return damaged(r, "compressed data", size, err);
    }
    r->offset += size;
    *data = r->raw;
    if (*type != CONTAINER_END) return CONTAINER_BLOCK;
    if (fgetc(r->file) != EOF) return corrupt(r, "data after the end mark", err);
    return CONTAINER_COMPLETE;
}
