// Records come from a file as it is, gzip, or zstd, or from the blocks of a container.
#include "import/fields.h"
#include "import/formats.h"
#include "import/unpack.h"
#include "trace/rows_read.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *path;
    const struct layout *layout;
    struct watch *watch;
    uint64_t records, first, now; // of the trace: its first cycle, the next one, both as it counts
    struct error *err;
};

static int bad(struct reading *r, const char *what) {
    error_set(r->err, "%s: record %" PRIu64 ": %s", r->path, r->records, what);
    return -EBADMSG;
}

static int follows(struct reading *r, const struct trace_record *t) {
    char what[96];
    if (!layout_has_cycle(r->layout)) return 0;
    if (r->records == 1) r->first = r->now = t->cycle;
    if (t->cycle == r->now) return 0;
    snprintf(what, sizeof what, "cycle %" PRIu64 " where %" PRIu64 " follows", t->cycle, r->now);
    return bad(r, what);
}

static int record(struct reading *r, const uint8_t *bytes) {
    struct trace_record t;
    struct error why = {""};
    char what[96];
    r->records++;
    if (!layout_get(r->layout, bytes, &t, &why)) return bad(r, why.text);
    if (follows(r, &t) < 0) return -EBADMSG;
    const unsigned rule = watch_rule_broken(r->watch, &t.bundle);
    if (rule) {
        snprintf(what, sizeof what, "breaks rule %u of a commit bundle (docs/guide/integration.md)", rule);
        return bad(r, what);
    }
    if (!watch_show(r->watch, &t.bundle, r->now - r->first, t.count, r->err)) return -ECANCELED;
    r->now += t.count;
    return 0;
}

static int read_blocks(struct reading *r, char *fault, uint64_t *bytes) {
    struct rows_read rows;
    struct error damage = {""};
    const size_t size = layout_bytes(r->layout);
    int rc = rows_open(&rows, r->path, TRACE_KIND, TRACE_VERSION, r->err) ? 0 : -EBADMSG, more = 0;
    while (!rc && (more = rows_next(&rows, TRACE_BLOCK_CYCLES, size, &damage)) == 1) {
        rc = record(r, rows.at);
        rows.at += size;
    }
    if (!rc && more < 0) snprintf(fault, sizeof damage.text, "%s", damage.text);
    *bytes = r->records * size;
    rows_close(&rows);
    return rc;
}

// A record may lie across two pieces.
static int read_pieces(struct reading *r, struct unpack *file, uint8_t *whole) {
    const size_t size = layout_bytes(r->layout);
    const char *piece;
    size_t have = 0;
    int rc = 0;
    for (size_t count; rc == 0 && (count = unpack_next(file, &piece));) {
        while (rc == 0 && have + count >= size) {
            const size_t part = size - have;
            memcpy(whole + have, piece, part);
            rc = record(r, whole);
            piece += part;
            count -= part;
            have = 0;
        }
        memcpy(whole + have, piece, rc ? 0 : count);
        have += rc ? 0 : count;
    }
    return rc ? rc : have ? 1 : 0;
}

static int read_plain(struct reading *r, char *fault, uint64_t *bytes) {
    uint8_t *whole = malloc(layout_bytes(r->layout));
    if (!whole) return error_nomem(r->err, r->path);
    struct unpack *file = unpack_open(r->path, r->err);
    const int rc = file ? read_pieces(r, file, whole) : -EINVAL;
    if (rc >= 0 && unpack_fault(file)[0])
        snprintf(fault, sizeof r->err->text, "%s: %s", r->path, unpack_fault(file));
    else if (rc == 1)
        snprintf(fault, sizeof r->err->text, "%s: ends in the midst of a record", r->path);
    *bytes = file ? unpack_count(file) : 0;
    unpack_close(file);
    free(whole);
    return rc < 0 ? rc : 0;
}

int fields_read(const char *path, const struct layout *layout, struct watch *watch, char *fault, uint64_t *bytes,
                struct error *err) {
    struct reading r = {.path = path, .layout = layout, .watch = watch, .err = err};
    *fault = '\0';
    *bytes = 0;
    const int rc = layout_container(layout)[0] ? read_blocks(&r, fault, bytes) : read_plain(&r, fault, bytes);
    if (rc || watch_counts(watch)->retired) return rc;
    error_set(err, "%s: no instruction of it commits: is it a trace of this layout?", path);
    return -EBADMSG;
}

const struct import_format import_fields = {
    .name = "fields", .text = "binary records of fixed size, TraceDoctor's say: see --layout", .cycles = true};
