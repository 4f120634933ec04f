// Reads where slices begin: numbers line by line, the column `begin` of a table, or a regions file.
#include "workers/slice_begins.h"
#include "base/array.h"
#include "base/text_file.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_bytes = (size_t)1 << 30; // a table of blocks has a line for each slice and block
static const char remedy[] = "name the output of tipoff bbv --format csv, a regions file, or a list of numbers";
static const double most_exact = 9007199254740992.; // of a number in JSON: 2^53

struct begins {
    const char *path;
    uint64_t *list;
    size_t count, capacity;
};

// Rows of one slice follow each other, and have the same begin.
static int add(struct begins *b, uint64_t begin, unsigned line, struct error *err) {
    const uint64_t last = b->count ? b->list[b->count - 1] : 0;
    if (b->count && begin == last) return 0;
    if (begin < last) {
        error_set(err, "%s: line %u: %" PRIu64 " after %" PRIu64 ": sort the begins of slices", b->path, line, begin,
                  last);
        return -EINVAL;
    }
    if (!array_reserve(&b->list, &b->capacity, b->count, sizeof *b->list)) return error_nomem(err, b->path);
    b->list[b->count++] = begin;
    return 0;
}

static int no_number(const struct begins *b, unsigned line, struct error *err) {
    error_set(err, "%s: line %u: no number of instructions: %s", b->path, line, remedy);
    return -EINVAL;
}

// ---- text ----
// The position of the field `begin`; -1: the line has none.
static int column_of_begin(char *line) {
    int column = 0;
    for (char *rest = line, *field; (field = strsep(&rest, ",")); column++)
        if (strcmp(field, "begin") == 0) return column;
    return -1;
}

static int read_row(struct begins *b, char *line, int column, unsigned number, struct error *err) {
    char *rest = line, *field = strsep(&rest, ","), *end;
    for (int i = 0; field && i < column; i++)
        field = strsep(&rest, ",");
    errno = 0;
    const uint64_t begin = field ? strtoull(field, &end, 0) : 0;
    if (!field || end == field || *end || *field == '-' || errno) return no_number(b, number, err);
    return add(b, begin, number, err);
}

static int read_text(struct begins *b, struct error *err) {
    struct text_file t;
    if (!text_file_open(&t, b->path, most_bytes, remedy, err)) return -EINVAL;
    char *line = text_file_line(&t);
    int column = 0, rc = 0;
    if (line && strspn(line, "0123456789") == 0) {
        column = column_of_begin(line);
        if (column < 0) rc = no_number(b, t.line, err);
        line = text_file_line(&t);
    }
    for (; !rc && line; line = text_file_line(&t))
        if (*line) rc = read_row(b, line, column, t.line, err);
    text_file_close(&t);
    return rc;
}

// ---- regions files ----
// A slice is a list of numbers that begins with its begin, or an object that names it.
static int read_slices(struct begins *b, const cJSON *slices, struct error *err) {
    unsigned number = 0;
    int rc = cJSON_IsArray(slices) ? 0 : no_number(b, 1, err);
    const cJSON *slice;
    if (rc) return rc;
    cJSON_ArrayForEach(slice, slices) {
        const cJSON *const begin =
            cJSON_IsArray(slice) ? slice->child : cJSON_GetObjectItemCaseSensitive(slice, "begin");
        number++;
        if (!cJSON_IsNumber(begin) || !(begin->valuedouble >= 0 && begin->valuedouble <= most_exact)) {
            error_set(err, "%s: slice %u of `slices` has no begin: %s", b->path, number, remedy);
            return -EINVAL;
        }
        if ((rc = add(b, (uint64_t)begin->valuedouble, 1, err))) return rc;
    }
    return 0;
}

static int read_json(struct begins *b, const char *text, struct error *err) {
    cJSON *const root = cJSON_Parse(text);
    int rc = -EINVAL;
    if (root)
        rc = read_slices(b, cJSON_GetObjectItemCaseSensitive(root, "slices"), err);
    else
        error_set(err, "%s: no JSON that can be read: %s", b->path, remedy);
    cJSON_Delete(root);
    return rc;
}

int slice_begins_read(const char *path, uint64_t **list, size_t *count, struct error *err) {
    struct begins b = {.path = path};
    char *const text = text_file_bytes(path, most_bytes, remedy, NULL, err);
    if (!text) return -EINVAL;
    int rc = add(&b, 0, 0, err);
    if (!rc) rc = *text == '{' ? read_json(&b, text, err) : read_text(&b, err);
    free(text);
    if (rc) {
        free(b.list);
        return rc;
    }
    *list = b.list;
    *count = b.count;
    return 0;
}
