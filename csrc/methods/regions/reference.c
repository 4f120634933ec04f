// Reads a full run's vectors and its table of slices, and holds one against the other.
#include "methods/regions/reference.h"
#include "base/array.h"
#include "methods/regions/simpoint_files.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char remedy[] = "name what worker slices has written";
enum { LINE = 4096 }; // bytes of a row, at most

void reference_free(struct reference *r) {
    for (size_t i = 0; i < r->count; i++)
        free(r->slices[i].parts);
    free(r->slices);
    *r = (struct reference){0};
}

static bool add_vector(void *context, size_t number, const struct points_part *parts, size_t count, struct error *err) {
    struct reference *r = context;
    (void)number;
    struct points_part *const mine = malloc((count + 1) * sizeof *mine);
    if (!mine || !array_reserve(&r->slices, &r->capacity, r->count, sizeof *r->slices)) {
        free(mine);
        error_nomem(err, "slices");
        return false;
    }
    if (count) memcpy(mine, parts, count * sizeof *mine);
    struct reference_slice *const s = &r->slices[r->count++];
    *s = (struct reference_slice){.parts = mine, .count = count};
    for (size_t i = 0; i < count; i++)
        s->instructions += parts[i].count;
    return true;
}

// ---- the table ----
struct table {
    const char *path;
    gzFile file;
    unsigned line;
    int instructions, cycles; // columns
};

static int refuse(const struct table *t, const char *fault, struct error *err) {
    error_set(err, "%s: line %u: %s: %s", t->path, t->line, fault, remedy);
    return -EINVAL;
}

// Its end becomes a zero. False: there is no further row.
static bool next_row(struct table *t, char line[LINE]) {
    t->line++;
    if (!gzgets(t->file, line, LINE)) return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static int find_columns(struct table *t, struct error *err) {
    char line[LINE], *rest = line, *field;
    t->instructions = t->cycles = -1;
    if (!next_row(t, line)) return refuse(t, "it is empty", err);
    for (int i = 0; (field = strsep(&rest, ",")); i++) {
        if (strcmp(field, "instructions") == 0) t->instructions = i;
        if (strcmp(field, "cycles") == 0) t->cycles = i;
    }
    return t->instructions < 0 || t->cycles < 0 ? refuse(t, "no columns 'instructions' and 'cycles'", err) : 0;
}

static bool whole(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return end != text && !*end && *text >= '0' && *text <= '9' && !errno;
}

static int read_row(const struct table *t, char *line, struct reference_slice *s, struct error *err) {
    uint64_t instructions = 0;
    bool good[2] = {false, false};
    char *field;
    for (int i = 0; (field = strsep(&line, ",")); i++) {
        if (i == t->instructions) good[0] = whole(field, &instructions);
        if (i == t->cycles) good[1] = whole(field, &s->cycles);
    }
    if (!good[0] || !good[1]) return refuse(t, "no numbers of instructions and cycles", err);
    if (instructions == s->instructions) return 0;
    error_set(err,
              "%s: line %u: %" PRIu64 " instructions, and the vector has %" PRIu64
              ": cut the run by at= and the begins of the same vectors (tipoff bbv)",
              t->path, t->line, instructions, s->instructions);
    return -EINVAL;
}

static int read_rows(struct table *t, struct reference *r, struct error *err) {
    char line[LINE];
    size_t rows = 0;
    int rc = find_columns(t, err);
    while (!rc && next_row(t, line)) {
        if (rows == r->count) return refuse(t, "more slices than vectors", err);
        rc = read_row(t, line, &r->slices[rows], err);
        r->instructions += r->slices[rows].instructions;
        r->cycles += r->slices[rows++].cycles;
    }
    if (rc) return rc;
    if (rows < r->count) return refuse(t, "fewer slices than vectors", err);
    return r->cycles ? 0 : refuse(t, "no cycles", err);
}

int reference_read(struct reference *r, const char *vectors, const char *slices, struct error *err) {
    struct table t = {.path = slices};
    int rc = bb_read(vectors, add_vector, r, err);
    if (rc) return rc;
    if (r->count == 0) {
        error_set(err, "%s: no vectors: name a file of frequency vectors (.bb, or .bb.gz)", vectors);
        return -EINVAL;
    }
    errno = 0;
    t.file = gzopen(slices, "rbe");
    if (!t.file) {
        error_set(err, "%s: %s: %s", slices, strerror(errno ? errno : ENOMEM), remedy);
        return -EINVAL;
    }
    rc = read_rows(&t, r, err);
    gzclose(t.file);
    return rc;
}
