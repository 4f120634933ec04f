// The format's lines, put together in a buffer that is written up to its last whole line. Time lines appear only in
// front of something that happens.
#include "trace/kanata.h"
#include "base/output.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, LONGEST = 512 }; // bytes; of a line

struct kanata {
    int fd;
    char *path;
    int failed;              // errno of the first write that failed
    bool started;            // C= is written
    uint64_t cycle, written; // now; of the last time line
    size_t used;
    char buffer[BUFFER];
};

static void flush(struct kanata *k) {
    size_t done = 0;
    while (done < k->used && !k->failed) {
        ssize_t n = write(k->fd, k->buffer + done, k->used - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            k->failed = n == 0 ? EIO : errno;
        }
    }
    k->used = 0;
}

// One line, ending with a newline whatever its length.
__attribute__((format(printf, 2, 0))) static void put(struct kanata *k, const char *format, va_list values) {
    if (k->used + LONGEST > BUFFER) flush(k);
    char *line = k->buffer + k->used;
    int n = vsnprintf(line, LONGEST, format, values);
    size_t length = n < 0 ? 0 : n >= LONGEST ? LONGEST - 1 : (size_t)n;
    if (length == LONGEST - 1) line[length - 1] = '\n';
    k->used += length;
}

__attribute__((format(printf, 2, 3))) static void line(struct kanata *k, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put(k, format, values);
    va_end(values);
}

// In front of every line of an instruction.
static void at(struct kanata *k) {
    if (!k->started) {
        line(k, "C=\t%llu\n", (unsigned long long)k->cycle);
    } else if (k->cycle > k->written) {
        line(k, "C\t%llu\n", (unsigned long long)(k->cycle - k->written));
    }
    k->started = true;
    k->written = k->cycle;
}

struct kanata *kanata_create(const char *path, struct error *err) {
    struct kanata *k = calloc(1, sizeof *k);
    if (!k || !(k->path = strdup(path))) {
        error_nomem(err, path);
        free(k);
        return NULL;
    }
    k->fd = output_stream_fd(path, err);
    if (k->fd < 0) {
        free(k->path);
        free(k);
        return NULL;
    }
    line(k, "Kanata\t0004\n");
    return k;
}

int kanata_close(struct kanata *k, struct error *err) {
    if (!k) return 0;
    flush(k);
    if (close(k->fd) != 0 && !k->failed) k->failed = errno;
    int failed = k->failed;
    if (failed) error_set(err, "%s: cannot write: %s: free some space and run again", k->path, strerror(failed));
    free(k->path);
    free(k);
    return -failed;
}

void kanata_time(struct kanata *k, uint64_t cycle) {
    k->cycle = cycle;
}

void kanata_begin(struct kanata *k, uint64_t file_id, uint64_t id) {
    at(k);
    line(k, "I\t%llu\t%llu\t0\n", (unsigned long long)file_id, (unsigned long long)id);
}

void kanata_label(struct kanata *k, uint64_t file_id, enum kanata_label where, const char *format, ...) {
    char text[LONGEST / 2];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (char *c = text; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r') *c = ' ';
    at(k);
    line(k, "L\t%llu\t%d\t%s\n", (unsigned long long)file_id, (int)where, text);
}

void kanata_start(struct kanata *k, uint64_t file_id, char stage) {
    at(k);
    line(k, "S\t%llu\t0\t%c\n", (unsigned long long)file_id, stage);
}

void kanata_end(struct kanata *k, uint64_t file_id, char stage) {
    at(k);
    line(k, "E\t%llu\t0\t%c\n", (unsigned long long)file_id, stage);
}

void kanata_wake(struct kanata *k, uint64_t consumer, uint64_t producer) {
    at(k);
    line(k, "W\t%llu\t%llu\t0\n", (unsigned long long)consumer, (unsigned long long)producer);
}

void kanata_leave(struct kanata *k, uint64_t file_id, uint64_t order, bool flushed) {
    at(k);
    line(k, "R\t%llu\t%llu\t%d\n", (unsigned long long)file_id, (unsigned long long)order, flushed ? 1 : 0);
}
