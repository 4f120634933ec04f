// The records of a perf.data file, one after the other, unpacked where they are compressed.
#include "base/paths.h"
#include "import/perf_data_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD = sizeof(struct perf_event_header), UNPACKED = 1 << 20 };
// Records of perf itself (tools/lib/perf/include/perf/event.h).
enum { TRACING_DATA = 66, AUXTRACE = 71, COMPRESSED = 81, COMPRESSED_2 = 83 };

// ---- bytes ----
uint64_t perf_get(struct perf_bytes *b, size_t bytes) {
    uint64_t value = 0;
    if ((size_t)(b->end - b->at) < bytes) {
        b->at = b->end;
        b->bad = true;
        return 0;
    }
    memcpy(&value, b->at, bytes);
    b->at += bytes;
    return value;
}

void perf_pass(struct perf_bytes *b, uint64_t bytes) {
    if ((uint64_t)(b->end - b->at) < bytes) {
        b->at = b->end;
        b->bad = true;
    } else {
        b->at += bytes;
    }
}

const char *perf_get_text(struct perf_bytes *b) {
    const char *text = (const char *)b->at;
    const uint8_t *end = b->at < b->end ? memchr(b->at, '\0', (size_t)(b->end - b->at)) : NULL;
    if (!end) {
        b->bad = true;
        return "";
    }
    b->at = end + 1;
    return text;
}

// ---- records ----
static void fault(struct perf_data *p, const char *what) {
    if (!p->fault[0]) snprintf(p->fault, sizeof p->fault, "%s", what);
}

// Whole records of the unpacked bytes; the rest waits for more.
static bool take_unpacked(struct perf_data *p, const struct perf_takes *t, struct error *err) {
    size_t at = 0;
    while (p->unpacked_count - at >= HEAD) {
        struct perf_event_header h;
        memcpy(&h, p->unpacked + at, HEAD);
        if (h.size < HEAD) {
            fault(p, "a compressed record of no size");
            p->unpacked_count = 0;
            return true;
        }
        if (h.size > p->unpacked_count - at) break;
        struct perf_bytes b = {p->unpacked + at + HEAD, p->unpacked + at + h.size, false};
        if (!perf_take_record(p, &h, &b, t, err)) return false;
        at += h.size;
    }
    memmove(p->unpacked, p->unpacked + at, p->unpacked_count - at);
    p->unpacked_count -= at;
    return true;
}

// One stream of zstd goes through all of them.
static bool unpack(struct perf_data *p, struct perf_bytes *b, const struct perf_takes *t, struct error *err) {
    ZSTD_inBuffer in = {b->at, (size_t)(b->end - b->at), 0};
    if (!p->unpacked) p->unpacked = malloc(UNPACKED);
    if (!p->zstd) p->zstd = ZSTD_createDStream();
    if (!p->unpacked || !p->zstd) return error_nomem(err, p->path) == 0;
    for (bool full = true; in.pos < in.size || full;) {
        ZSTD_outBuffer out = {p->unpacked, UNPACKED, p->unpacked_count};
        const size_t rc = ZSTD_decompressStream(p->zstd, &out, &in);
        if (ZSTD_isError(rc)) {
            fault(p, "a compressed record is damaged");
            return true;
        }
        full = out.pos == UNPACKED && p->unpacked_count < UNPACKED;
        p->unpacked_count = out.pos;
        if (!take_unpacked(p, t, err)) return false;
    }
    return true;
}

// What follows some records, and is not in their size.
static uint64_t behind(const struct perf_event_header *h, struct perf_bytes b) {
    if (h->type == AUXTRACE) return perf_get(&b, 8);
    return h->type == TRACING_DATA ? perf_get(&b, 4) : 0;
}

static bool take(struct perf_data *p, const struct perf_event_header *h, const struct perf_takes *t,
                 struct error *err) {
    struct perf_bytes b = {p->record, p->record + h->size - HEAD, false};
    if (h->type == COMPRESSED_2) { // its bytes, without those that fill it up
        const uint64_t bytes = perf_get(&b, 8);
        if (bytes < (uint64_t)(b.end - b.at)) b.end = b.at + bytes;
    }
    if (h->type == COMPRESSED || h->type == COMPRESSED_2) return unpack(p, &b, t, err);
    return perf_take_record(p, h, &b, t, err);
}

// False: the end, or err.
static bool next(struct perf_data *p, uint64_t *left, const struct perf_takes *t, struct error *err) {
    struct perf_event_header h;
    if (*left < HEAD) {
        if (*left) fault(p, "it ends in the midst of a record");
        return false;
    }
    if (fread(&h, HEAD, 1, p->file) != 1) return fault(p, "it ends in the midst of a record"), false;
    if (h.size < HEAD) return fault(p, "a record of no size"), false;
    if (h.size > *left || fread(p->record, 1, h.size - HEAD, p->file) != (size_t)h.size - HEAD)
        return fault(p, "it ends in the midst of a record"), false;
    *left -= h.size;
    const struct perf_bytes b = {p->record, p->record + h.size - HEAD, false};
    const uint64_t more = behind(&h, b);
    if (more > *left) return fault(p, "it ends in the midst of a record"), false;
    *left -= more;
    return take(p, &h, t, err) && (!more || fseeko(p->file, (off_t)more, SEEK_CUR) == 0);
}

int perf_data_read(struct perf_data *p, const struct perf_takes *t, struct error *err) {
    p->fault[0] = '\0';
    p->number = p->lost = 0;
    p->unpacked_count = 0;
    if (p->zstd) ZSTD_initDStream(p->zstd);
    if (!perf_read_head(p, err) || !perf_read_features(p, t, err)) return -EBADMSG;
    uint64_t left = p->file_bytes - p->data_at;
    if (p->data_bytes > left)
        fault(p, "it is cut");
    else if (p->data_bytes)
        left = p->data_bytes;
    else if (left)
        fault(p, "perf record did not end");
    err->text[0] = '\0';
    if (fseeko(p->file, (off_t)p->data_at, SEEK_SET) != 0) return error_set(err, "%s: cannot seek", p->path), -EIO;
    while (next(p, &left, t, err)) {
    }
    if (p->unpacked_count) fault(p, "it ends in the midst of a compressed record");
    return err->text[0] ? -EBADMSG : 0;
}

struct perf_data *perf_data_open(const char *path, struct error *err) {
    FILE *file = paths_open(path, err);
    struct stat status;
    struct perf_data *p = file ? error_calloc(sizeof *p, path, err) : NULL;
    if (!p) {
        if (file) fclose(file);
        return NULL;
    }
    p->path = path;
    p->file = file;
    p->chain = malloc(PERF_RECORD_BYTES);
    if (fstat(fileno(file), &status) == 0 && status.st_size > 0) p->file_bytes = (uint64_t)status.st_size;
    if (p->chain && perf_read_head(p, err)) return p;
    if (!p->chain) error_nomem(err, path);
    perf_data_close(p);
    return NULL;
}

void perf_data_close(struct perf_data *p) {
    if (!p) return;
    fclose(p->file);
    ZSTD_freeDStream(p->zstd);
    free(p->unpacked);
    free(p->chain);
    free(p->ids);
    free(p);
}

const struct perf_event_kind *perf_data_events(const struct perf_data *p, unsigned *count) {
    *count = p->event_count;
    return p->events;
}
const char *perf_data_fault(const struct perf_data *p) {
    return p->fault;
}
uint64_t perf_data_lost(const struct perf_data *p) {
    return p->lost;
}
const char *perf_data_arch(const struct perf_data *p) {
    return p->arch;
}
const char *perf_data_cpu(const struct perf_data *p) {
    return p->cpu;
}
