// Reads by blocks, so that what says nothing of its size has an end, too.
#include "base/text_file.h"
#include "base/plain_text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The next bytes; 0: the end. -1 with errno.
static ssize_t read_some(int fd, char *to, size_t bytes) {
    ssize_t n;
    do {
        n = read(fd, to, bytes);
    } while (n < 0 && errno == EINTR);
    return n;
}

// NULL with errno: EFBIG, there are more than `most` bytes.
static char *read_all(int fd, size_t most, size_t *bytes) {
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity + 1);
    while (text) {
        const ssize_t n = read_some(fd, text + used, capacity - used);
        if (n == 0 && used < capacity) break;
        if (n > 0) used += (size_t)n;
        if (n > 0 && used < capacity) continue;
        char *grown = n < 0 || used > most ? NULL : realloc(text, 2 * capacity + 1);
        if (!grown) {
            const int fault = n < 0 ? errno : used > most ? EFBIG : ENOMEM;
            free(text);
            errno = fault;
            return NULL;
        }
        text = grown;
        capacity *= 2;
    }
    if (text && used > most) {
        free(text);
        errno = EFBIG;
        return NULL;
    }
    if (text) text[used] = '\0';
    *bytes = used;
    return text;
}

char *text_file_bytes(const char *path, size_t most, const char *remedy, size_t *bytes, struct error *err) {
    size_t count = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = fd < 0 ? NULL : read_all(fd, most, &count);
    const int fault = errno;
    if (fd < 0) {
        error_set(err, "%s: cannot open: %s: %s", path, strerror(fault), remedy);
    } else if (!text && fault == EISDIR) {
        error_set(err, "%s: is a folder: %s", path, remedy);
    } else if (!text && fault == EFBIG) {
        error_set(err, "%s: has more than %zu bytes: %s", path, most, remedy);
    } else if (!text) {
        error_set(err, "%s: cannot read: %s: %s", path, strerror(fault), remedy);
    }
    if (fd >= 0) close(fd);
    if (text && bytes) *bytes = count;
    return text;
}

char *text_file_bytes_if_any(const char *path, size_t most, size_t *bytes) {
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe does not wait for its writer
    const bool regular = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    char *text = regular ? read_all(fd, most, bytes) : NULL;
    if (fd >= 0) close(fd);
    return text;
}

// ---- lines ----
static void skip_mark(struct text_file *t) { // of editors that mark UTF-8
    if (strncmp(t->next, "\xef\xbb\xbf", 3) == 0) t->next += 3;
}

static bool check_lines(struct text_file *t, size_t bytes, const char *path, const char *remedy, struct error *err) {
    const char *line;
    bool good = true;
    char *copy = strdup(t->text); // lines are ended by zeros as they are given
    if (!copy) {
        error_nomem(err, path);
        return false;
    }
    struct text_file check = {.text = copy, .next = copy};
    skip_mark(&check);
    while (good && (line = text_file_line(&check)))
        good = plain_is(line);
    good = good && strlen(t->text) == bytes;
    if (!good)
        error_set(err, "%s:%u: holds bytes that are no text (UTF-8 without control characters): %s", path, check.line,
                  remedy);
    free(copy);
    return good;
}

bool text_file_open(struct text_file *t, const char *path, size_t most, const char *remedy, struct error *err) {
    size_t bytes = 0;
    *t = (struct text_file){.text = text_file_bytes(path, most, remedy, &bytes, err)};
    if (!t->text) return false;
    t->next = t->text;
    skip_mark(t);
    if (check_lines(t, bytes, path, remedy, err)) return true;
    text_file_close(t);
    return false;
}

char *text_file_line(struct text_file *t) {
    char *line = t->next;
    if (!line || !*line) return NULL;
    char *end = strchr(line, '\n');
    t->next = end ? end + 1 : NULL;
    if (end) *end = '\0';
    if (end && end > line && end[-1] == '\r') end[-1] = '\0';
    t->line++;
    return line;
}

void text_file_close(struct text_file *t) {
    free(t->text);
    *t = (struct text_file){0};
}
