// Files without a name: see unnamed.h. Where a file system has none by itself (O_TMPFILE), one with a name loses it at
// once.
#include "base/unnamed.h"
#include "base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

const char *unnamed_folder(void) {
    const char *where = getenv("TMPDIR");
    return where && *where ? where : "/tmp";
}

static int open_and_unlink(void) {
    char name[PATH_MAX];
    if (snprintf(name, sizeof name, "%s/tipoff-XXXXXX", unnamed_folder()) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) unlink(name);
    return fd;
}

int unnamed_open(char *path, size_t size, struct error *err) {
    int fd = open(unnamed_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) fd = open_and_unlink();
    if (fd < 0) {
        int result = -errno;
        error_set(err, "%s: cannot create a file there: %s: set TMPDIR to another folder", unnamed_folder(),
                  strerror(errno));
        return result;
    }
    snprintf(path, size, "/proc/self/fd/%d", fd);
    return fd;
}

unsigned unnamed_number(void) {
    unsigned number = 0;
    while (getrandom(&number, sizeof number, 0) < 0 && errno == EINTR)
        ;
    return number;
}

void unnamed_choose(char *path, size_t size, const char *prefix, const char *suffix) {
    int length = snprintf(path, size, "%s/%s-%08x%s", unnamed_folder(), prefix, unnamed_number(), suffix);
    if (length < 0 || (size_t)length >= size) path[0] = '\0';
}

bool unnamed_beside(const char *path, char *name, size_t size) {
    const int folder = (int)(paths_name(path) - path);
    return snprintf(name, size, "%.*s.tipoff.%08x", folder, path, unnamed_number()) < (int)size;
}

int unnamed_copy(int from, int to) {
    char block[1 << 16];
    ssize_t got;
    for (off_t at = 0; (got = pread(from, block, sizeof block, at)) > 0; at += got) {
        for (ssize_t done = 0, n; done < got; done += n) {
            n = write(to, block + done, (size_t)(got - done));
            if (n <= 0) return n < 0 ? -errno : -EIO;
        }
    }
    return got < 0 ? -errno : 0;
}

int unnamed_keep(int fd, const char *path) {
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0) return -errno;
    int result = unnamed_copy(fd, to);
    if (close(to) < 0 && result == 0) result = -errno;
    if (result < 0) unlink(path);
    return result;
}
