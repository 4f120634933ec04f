// Reading and writing what SimPoint reads and writes: simpoint_files.h.
#include "methods/regions/simpoint_files.h"
#include "base/array.h"
#include "base/text_file.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// ---- .bb ----
enum { PIECE = 1 << 16 };
struct bb {
    const char *path;
    gzFile file; // plain text, too
    unsigned long line;
    char piece[PIECE];
    size_t next, end; // of the piece
    bool bad;         // it could not be read to its end
    struct points_part *parts;
    size_t count, capacity;
};

static int next(struct bb *b) { // a byte; -1: the end
    if (b->next == b->end) {
        const int got = gzread(b->file, b->piece, PIECE);
        b->bad |= got < 0;
        b->next = 0;
        b->end = got > 0 ? (size_t)got : 0;
        if (got <= 0) return -1;
    }
    return (unsigned char)b->piece[b->next++];
}

// A number, and the byte after it in *c. False: none, or one of more than 64 bits.
static bool number(struct bb *b, int *c, uint64_t *value) {
    bool any = false;
    *value = 0;
    while ((*c = next(b)) >= '0' && *c <= '9') {
        any = true;
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, (uint64_t)(*c - '0'), value))
            return false;
    }
    return any;
}

static int malformed(const struct bb *b, struct error *err) {
    error_set(err, "%s:%lu: no frequency vector: write T and, for each block, :ID:COUNT (ID from 1 on)", b->path,
              b->line);
    return -EINVAL;
}

static bool blank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// The rest of a line that began with T; what ended it in *c.
static int read_parts(struct bb *b, int *c, struct error *err) {
    b->count = 0;
    for (*c = next(b); *c >= 0 && *c != '\n';) {
        struct points_part part;
        if (blank(*c)) {
            *c = next(b);
            continue;
        }
        if (*c != ':' || !number(b, c, &part.dimension) || *c != ':' || !part.dimension || !number(b, c, &part.count))
            return malformed(b, err);
        if (*c >= 0 && *c != '\n' && *c != ':' && !blank(*c)) return malformed(b, err);
        if (!array_reserve(&b->parts, &b->capacity, b->count, sizeof *b->parts)) return error_nomem(err, b->path);
        b->parts[b->count++] = part;
    }
    return 0;
}

static int read_lines(struct bb *b, bb_vector *vector, void *context, struct error *err) {
    int rc = 0, c;
    for (size_t vectors = 0; !rc && (c = next(b)) >= 0;) {
        b->line++;
        if (c == 'T') {
            rc = read_parts(b, &c, err);
            if (!rc && !vector(context, vectors++, b->parts, b->count, err)) rc = -ECANCELED;
        }
        while (!rc && c >= 0 && c != '\n')
            c = next(b);
    }
    return rc;
}

// zlib says of some files only here that their end is missing.
static int close_bb(struct bb *b, int rc, struct error *err) {
    if ((gzclose(b->file) == Z_OK && !b->bad) || rc) return rc;
    error_set(err, "%s: cannot be read to its end: damaged, or not whole; make it again", b->path);
    return -EIO;
}

int bb_read(const char *path, bb_vector *vector, void *context, struct error *err) {
    struct bb *const b = calloc(1, sizeof *b);
    if (!b) return error_nomem(err, path);
    b->path = path;
    errno = 0;
    b->file = gzopen(path, "rbe");
    int rc = b->file ? 0 : errno ? -errno : -ENOMEM;
    if (rc)
        error_set(err, "%s: %s; name a file of frequency vectors (.bb, or .bb.gz)", path, strerror(-rc));
    else
        rc = close_bb(b, read_lines(b, vector, context, err), err);
    free(b->parts);
    free(b);
    return rc;
}

void bb_write(FILE *file, const struct points_part *parts, size_t count) {
    fputc('T', file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, ":%" PRIu64 ":%" PRIu64 " ", parts[i].dimension, parts[i].count);
    fputc('\n', file);
}

// ---- .simpoints, .weights, .labels ----
void simpoints_write(FILE *file, const struct clustering *c) {
    for (size_t i = 0; i < c->kmeans.k; i++)
        if (c->share[i] > 0) fprintf(file, "%zu %zu\n", c->representative[i], i);
}
void weights_write(FILE *file, const struct clustering *c) {
    for (size_t i = 0; i < c->kmeans.k; i++)
        if (c->share[i] > 0) fprintf(file, "%.9g %zu\n", c->share[i], i);
}
void labels_write(FILE *file, const struct clustering *c, size_t intervals) {
    for (size_t i = 0; i < intervals; i++)
        fprintf(file, "%" PRIu32 " %.9g\n", c->kmeans.label[i], c->distance[i]);
}

static bool two(char *line, double *first, uint64_t *second) {
    char *end, *after;
    *first = strtod(line, &end);
    if (end == line || (*end != ' ' && *end != '\t')) return false;
    const uint64_t label = strtoull(end, &after, 10);
    *second = label;
    return after != end && *after == '\0' && !strchr(end, '-') && *first >= 0;
}

// The lines of both, side by side.
static int read_pairs(struct text_file *points, struct text_file *weights, const char *const path[2],
                      struct simpoint **list, size_t *count, struct error *err) {
    size_t capacity = 0;
    double all = 0;
    for (;;) {
        char *const point = text_file_line(points), *const weight = text_file_line(weights);
        struct simpoint s = {0};
        double interval;
        uint64_t label;
        if (!point && !weight) break;
        if (!point || !weight) {
            error_set(err, "%s has fewer lines than %s: name two files of one run of SimPoint", path[point ? 1 : 0],
                      path[point ? 0 : 1]);
            return -EINVAL;
        }
        if (!two(point, &interval, &s.label) || interval >= 0x1p53 || interval != (double)(uint64_t)interval) {
            error_set(err, "%s:%u: write INTERVAL LABEL, two whole numbers", path[0], points->line);
            return -EINVAL;
        }
        if (!two(weight, &s.weight, &label) || s.weight > 1) {
            error_set(err, "%s:%u: write WEIGHT LABEL, the weight from 0 to 1", path[1], weights->line);
            return -EINVAL;
        }
        if (label != s.label) {
            error_set(err, "%s:%u: label %" PRIu64 ", but %" PRIu64 " in %s: name two files of one run of SimPoint",
                      path[1], weights->line, label, s.label, path[0]);
            return -EINVAL;
        }
        s.interval = (uint64_t)interval;
        if (!array_reserve(list, &capacity, *count, sizeof **list)) return error_nomem(err, path[0]);
        (*list)[(*count)++] = s;
        all += s.weight;
    }
    if (*count && all > 0.99 && all < 1.01) return 0;
    error_set(err, "%s: %zu weights that sum to %.4f, not 1: make it again", path[1], *count, all);
    return -EINVAL;
}

int simpoints_read(const char *simpoints, const char *weights, struct simpoint **list, size_t *count,
                   struct error *err) {
    static const char remedy[] = "name a file that SimPoint, or tipoff regions find, has written";
    const char *const path[2] = {simpoints, weights};
    struct text_file files[2];
    *list = NULL;
    *count = 0;
    if (!text_file_open(&files[0], simpoints, TEXT_FILE_MOST, remedy, err)) return -EINVAL;
    int rc = -EINVAL;
    if (text_file_open(&files[1], weights, TEXT_FILE_MOST, remedy, err)) {
        rc = read_pairs(&files[0], &files[1], path, list, count, err);
        text_file_close(&files[1]);
    }
    text_file_close(&files[0]);
    if (rc) {
        free(*list);
        *list = NULL;
        *count = 0;
    }
    return rc;
}
