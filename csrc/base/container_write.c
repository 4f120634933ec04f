// Writer of block files: see container.h for the layout.
#include "base/bytes.h"
#include "base/container.h"
#include "base/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

struct container_writer {
    int fd;
    char *path;
    ZSTD_CCtx *zstd;
    uint8_t *stored; // grows to the largest block
    size_t capacity;
};

static int write_all(int fd, const uint8_t *data, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? -errno : -EIO;
        data += n;
        bytes -= (size_t)n;
    }
    return 0;
}

static void container_free(struct container_writer *w) {
    if (w->fd >= 0) close(w->fd);
    ZSTD_freeCCtx(w->zstd);
    free(w->stored);
    free(w->path);
    free(w);
}

int container_write(struct container_writer *w, uint32_t type, const void *data, size_t bytes, struct error *err) {
    if (bytes > CONTAINER_MAX_BLOCK) {
        error_set(err, "%s: block of %zu bytes is too large: write smaller blocks", w->path, bytes);
        return -EFBIG;
    }
    enum { HEAD = 20 };
    size_t need = HEAD + ZSTD_compressBound(bytes);
    if (need > w->capacity || !w->stored) {
        uint8_t *grown = realloc(w->stored, need); // NOLINT(clang-analyzer-optin.portability.UnixAPI): HEAD at least
        if (!grown) {
            error_set(err, "%s: out of memory for a block of %zu bytes", w->path, bytes);
            return -ENOMEM;
        }
        w->stored = grown;
        w->capacity = need;
    }
    uint8_t *body = w->stored + HEAD;
    size_t stored = 0;
    if (bytes > 0) {
        stored = ZSTD_compressCCtx(w->zstd, body, ZSTD_compressBound(bytes), data, bytes, 1);
        if (ZSTD_isError(stored) || stored >= bytes) {
            memcpy(body, data, bytes);
            stored = bytes;
        }
    }
    uint8_t *p = bytes_put(w->stored, type, 4);
    p = bytes_put(p, bytes, 4);
    p = bytes_put(p, stored, 4);
    p = bytes_put(p, crc32c(0, w->stored, 12), 4);
    bytes_put(p, crc32c(0, body, stored), 4);
    int result = write_all(w->fd, w->stored, HEAD + stored);
    if (result < 0) error_set(err, "%s: cannot write: %s: free some space and run again", w->path, strerror(-result));
    return result;
}

struct container_writer *container_create(const char *path, const char *kind, uint32_t version, const char *header_json,
                                          struct error *err) {
    struct container_writer *w = calloc(1, sizeof *w);
    if (w) {
        w->fd = -1;
        w->path = strdup(path);
        w->zstd = ZSTD_createCCtx();
    }
    if (!w || !w->path || !w->zstd) {
        error_nomem(err, path);
        if (w) container_free(w);
        return NULL;
    }
    w->fd = output_stream_fd(path, err);
    if (w->fd < 0) {
        container_free(w);
        return NULL;
    }
    uint8_t start[24] = "TIPOFF\r\n";
    memcpy(start + 8, kind, strnlen(kind, 8));
    bytes_put(start + 16, version, 4);
    int result = write_all(w->fd, start, sizeof start);
    if (result < 0) {
        error_set(err, "%s: cannot write: %s: free some space and run again", path, strerror(-result));
    } else {
        result = container_write(w, CONTAINER_HEADER, header_json, strlen(header_json), err);
    }
    if (result < 0) {
        container_free(w);
        return NULL;
    }
    return w;
}

int container_close(struct container_writer *w, struct error *err) {
    int result = container_write(w, CONTAINER_END, NULL, 0, err);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) < 0 && result == 0) {
        result = -errno;
        error_set(err, "%s: cannot write: %s: free some space and run again", w->path, strerror(errno));
    }
    container_free(w);
    return result;
}

void container_abandon(struct container_writer *w) {
    if (w) container_free(w);
}

int container_end(struct container_writer *w, int result, struct error *err) {
    if (result == 0) return container_close(w, err);
    container_abandon(w);
    return result;
}
