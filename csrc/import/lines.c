// gzip and plain files by zlib, which distinguishes them; zstd by its magic number, in a stream of its own.
#include "import/lines.h"
#include "base/paths.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { LINE = 1 << 16, PIECE = 1 << 17 };

struct lines {
    const char *path;
    gzFile plain; // plain or gzip; NULL: zstd
    FILE *packed; // zstd
    ZSTD_DStream *zstd;
    ZSTD_inBuffer in;
    char *in_bytes;
    size_t due;  // bytes that the frame of zstd still wants, about; 0: it is whole
    char *bytes; // decoded
    size_t at, count;
    char line[LINE + 1];
    size_t length; // of the line, as it came
    uint64_t number;
    bool again, cut, ended;
    char fault[128];
};

static bool is_zstd(FILE *file) {
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char head[sizeof magic];
    const bool is = fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, magic, sizeof magic) == 0;
    rewind(file);
    return is;
}

static bool open_zstd(struct lines *l, FILE *file) {
    l->packed = file;
    l->zstd = ZSTD_createDStream();
    l->in_bytes = malloc(PIECE);
    l->in.src = l->in_bytes;
    return l->zstd && l->in_bytes;
}

static bool open_plain(struct lines *l, FILE *file) {
    const int fd = dup(fileno(file));
    fclose(file);
    l->plain = fd < 0 ? NULL : gzdopen(fd, "rb");
    if (!l->plain && fd >= 0) close(fd);
    return l->plain;
}

struct lines *lines_open(const char *path, struct error *err) {
    FILE *file = paths_open(path, err);
    if (!file) return NULL;
    struct lines *l = error_calloc(sizeof *l, path, err);
    if (!l) {
        fclose(file);
        return NULL;
    }
    l->path = path;
    l->bytes = malloc(PIECE);
    const bool zstd = is_zstd(file);
    if (l->bytes && (zstd ? open_zstd(l, file) : open_plain(l, file))) return l;
    if (!l->bytes) fclose(file);
    lines_close(l);
    error_nomem(err, path);
    return NULL;
}

void lines_close(struct lines *l) {
    if (!l) return;
    if (l->plain) gzclose(l->plain);
    if (l->packed) fclose(l->packed);
    ZSTD_freeDStream(l->zstd);
    free(l->in_bytes);
    free(l->bytes);
    free(l);
}

// Some more decoded bytes; 0: the end.
static size_t decode(struct lines *l) {
    ZSTD_outBuffer out = {l->bytes, PIECE, 0};
    while (out.pos == 0) {
        if (l->in.pos == l->in.size) {
            l->in.size = fread(l->in_bytes, 1, PIECE, l->packed);
            l->in.pos = 0;
            if (l->in.size == 0) {
                if (l->due || ferror(l->packed))
                    snprintf(l->fault, sizeof l->fault, "not whole: compressed data ends early");
                return 0;
            }
        }
        l->due = ZSTD_decompressStream(l->zstd, &out, &l->in);
        if (!ZSTD_isError(l->due)) continue;
        snprintf(l->fault, sizeof l->fault, "damaged: %s", ZSTD_getErrorName(l->due));
        return 0;
    }
    return out.pos;
}

static size_t read_plain(struct lines *l) {
    const int n = gzread(l->plain, l->bytes, PIECE);
    int code = Z_OK;
    const char *text = n > 0 ? "" : gzerror(l->plain, &code);
    // Of a file that is cut zlib gives all bytes, and its fault at the end alone.
    if (code == Z_BUF_ERROR)
        snprintf(l->fault, sizeof l->fault, "not whole: compressed data ends early");
    else if (n < 0)
        snprintf(l->fault, sizeof l->fault, "damaged: %s", code == Z_ERRNO ? strerror(errno) : text);
    return n > 0 ? (size_t)n : 0;
}

static bool fill(struct lines *l) {
    if (l->ended) return false;
    l->at = 0;
    l->count = l->plain ? read_plain(l) : decode(l);
    l->ended = l->count == 0;
    return !l->ended;
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
    return l->fault;
}

int lines_bad(const struct lines *l, const char *what, struct error *err) {
    error_set(err, "%s: line %" PRIu64 ": %s", l->path, l->number, what);
    return -EBADMSG;
}
