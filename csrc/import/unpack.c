// gzip and plain files by zlib, which distinguishes them; zstd by its magic number, in a stream of its own.
#include "import/unpack.h"
#include "base/paths.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PIECE = 1 << 17 };

struct unpack {
    gzFile plain; // plain or gzip; NULL: zstd
    FILE *packed; // zstd
    ZSTD_DStream *zstd;
    ZSTD_inBuffer in;
    char *in_bytes;
    size_t due;  // bytes that the frame of zstd still wants, about; 0: it is whole
    char *bytes; // decoded
    uint64_t count;
    bool ended;
    char fault[128];
};

static bool is_zstd(FILE *file) {
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char head[sizeof magic];
    const bool is = fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, magic, sizeof magic) == 0;
    rewind(file);
    return is;
}

static bool open_zstd(struct unpack *u, FILE *file) {
    u->packed = file;
    u->zstd = ZSTD_createDStream();
    u->in_bytes = malloc(PIECE);
    u->in.src = u->in_bytes;
    return u->zstd && u->in_bytes;
}

static bool open_plain(struct unpack *u, FILE *file) {
    const int fd = dup(fileno(file));
    fclose(file);
    u->plain = fd < 0 ? NULL : gzdopen(fd, "rb");
    if (!u->plain && fd >= 0) close(fd);
    return u->plain;
}

struct unpack *unpack_open(const char *path, struct error *err) {
    FILE *file = paths_open(path, err);
    if (!file) return NULL;
    struct unpack *u = error_calloc(sizeof *u, path, err);
    if (!u) {
        fclose(file);
        return NULL;
    }
    u->bytes = malloc(PIECE);
    const bool zstd = is_zstd(file);
    if (u->bytes && (zstd ? open_zstd(u, file) : open_plain(u, file))) return u;
    if (!u->bytes) fclose(file);
    unpack_close(u);
    error_nomem(err, path);
    return NULL;
}

void unpack_close(struct unpack *u) {
    if (!u) return;
    if (u->plain) gzclose(u->plain);
    if (u->packed) fclose(u->packed);
    ZSTD_freeDStream(u->zstd);
    free(u->in_bytes);
    free(u->bytes);
    free(u);
}

// Some more decoded bytes; 0: the end.
static size_t decode(struct unpack *u) {
    ZSTD_outBuffer out = {u->bytes, PIECE, 0};
    while (out.pos == 0) {
        if (u->in.pos == u->in.size) {
            u->in.size = fread(u->in_bytes, 1, PIECE, u->packed);
            u->in.pos = 0;
            if (u->in.size == 0) {
                if (u->due || ferror(u->packed))
                    snprintf(u->fault, sizeof u->fault, "not whole: compressed data ends early");
                return 0;
            }
        }
        u->due = ZSTD_decompressStream(u->zstd, &out, &u->in);
        if (!ZSTD_isError(u->due)) continue;
        snprintf(u->fault, sizeof u->fault, "damaged: %s", ZSTD_getErrorName(u->due));
        return 0;
    }
    return out.pos;
}

static size_t read_plain(struct unpack *u) {
    const int n = gzread(u->plain, u->bytes, PIECE);
    int code = Z_OK;
    const char *text = n > 0 ? "" : gzerror(u->plain, &code);
    // Of a file that is cut zlib gives all bytes, and its fault at the end alone.
    if (code == Z_BUF_ERROR)
        snprintf(u->fault, sizeof u->fault, "not whole: compressed data ends early");
    else if (n < 0)
        snprintf(u->fault, sizeof u->fault, "damaged: %s", code == Z_ERRNO ? strerror(errno) : text);
    return n > 0 ? (size_t)n : 0;
}

size_t unpack_next(struct unpack *u, const char **bytes) {
    const size_t count = u->ended ? 0 : u->plain ? read_plain(u) : decode(u);
    u->ended = count == 0;
    u->count += count;
    *bytes = u->bytes;
    return count;
}

uint64_t unpack_count(const struct unpack *u) {
    return u->count;
}
const char *unpack_fault(const struct unpack *u) {
    return u->fault;
}
