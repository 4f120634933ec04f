// Pieces of an unpacked file, cut at the ends of lines.
#include "import/lines.h"
#include "import/unpack.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16 };

struct lines {
    const char *path;
    struct unpack *file;
    const char *bytes;
    size_t at, count;
    char line[LINE + 1];
    size_t length; // of the line, as it came
    uint64_t number;
    bool again, cut;
};

struct lines *lines_open(const char *path, struct error *err) {
    struct lines *l = error_calloc(sizeof *l, path, err);
    if (!l) return NULL;
    l->path = path;
    l->file = unpack_open(path, err);
    if (l->file) return l;
    free(l);
    return NULL;
}

void lines_close(struct lines *l) {
    if (!l) return;
    unpack_close(l->file);
    free(l);
}

static bool fill(struct lines *l) {
    l->at = 0;
    l->count = unpack_next(l->file, &l->bytes);
    return l->count;
}

char *lines_next(struct lines *l) {
    if (l->again) {
        l->again = false;
        return l->line;
    }
    l->length = 0;
    l->cut = true;
    while (l->cut && (l->at < l->count || fill(l))) {
        const char *from = l->bytes + l->at, *end = memchr(from, '\n', l->count - l->at);
        const size_t n = end ? (size_t)(end - from) : l->count - l->at, room = LINE - l->length;
        memcpy(l->line + l->length, from, n < room ? n : room);
        l->length += n < room ? n : room;
        l->at += n + (end ? 1 : 0);
        l->cut = !end;
    }
    if (l->cut && l->length == 0) {
        l->cut = false;
        return NULL;
    }
    if (l->length && l->line[l->length - 1] == '\r') l->length--;
    l->line[l->length] = '\0';
    l->number++;
    return l->line;
}

uint64_t lines_number(const struct lines *l) {
    return l->number;
}
uint64_t lines_bytes(const struct lines *l) {
    return unpack_count(l->file);
}
const char *lines_path(const struct lines *l) {
    return l->path;
}
void lines_again(struct lines *l) {
    l->again = true;
}
bool lines_cut(const struct lines *l) {
    return l->cut && !l->again;
}
const char *lines_fault(const struct lines *l) {
    return unpack_fault(l->file);
}

int lines_bad(const struct lines *l, const char *what, struct error *err) {
    error_set(err, "%s: line %" PRIu64 ": %s", l->path, l->number, what);
    return -EBADMSG;
}
