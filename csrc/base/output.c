// Documents are written to a file without a name in the folder of their own, which gets a name for the moment of the
// rename.
#include "base/output.h"
#include "base/unnamed.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct output {
    FILE *file;
    const char *said;      // the path, as given
    char name[PATH_MAX];   // where it goes, links followed; "": it is written in place
    char beside[PATH_MAX]; // what it is called until then; "": it has no name yet
    bool in_memory;        // until it is whole, and then copied to `name`: its folder takes no new file
};

static int cannot_create(const char *path, int code, struct error *err) {
    error_set(err, "%s: cannot create: %s: choose another file", path, strerror(code));
    return -code;
}

// The folder of a path, without its last part.
static void folder_of(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, size, "%.*s", slash ? (int)(slash - path) : 1, slash == path ? "/" : slash ? path : ".");
}

// A name of a descriptor that is open already (/dev/stdout, /dev/fd/N): opened by that name, a file would lose what
// stands in it and be written from its start, also where `>>` has opened it. By /proc/self/fd/N only the standard
// streams: others are files without a name, which restart empty (base/unnamed.h). -1: it is none.
static int own_descriptor(const char *path) {
    static const struct {
        const char *start, *digits;
        int most;
    } forms[] = {{"/dev/fd/", "0123456789", INT_MAX}, {"/proc/self/fd/", "012", STDERR_FILENO}};
    int fd = strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
    for (size_t i = 0; fd < 0 && i < sizeof forms / sizeof *forms; i++) {
        const size_t length = strlen(forms[i].start), rest = strlen(path) - length;
        if (strncmp(path, forms[i].start, length) != 0 || rest < 1 || rest > 6) continue;
        const long number = strspn(path + length, forms[i].digits) == rest ? strtol(path + length, NULL, 10) : -1;
        if (number <= forms[i].most) fd = (int)number;
    }
    const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? fd : -1;
}

// A second descriptor of it, behind what is waiting in stdout.
static int open_again(int fd) {
    if (fd == STDOUT_FILENO) fflush(stdout);
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// A file without a name, or with one that cannot be foretold: in a folder that others can write, a link in its place
// would lead elsewhere. -1: the folder takes no new file.
static int open_beside(struct output *o, mode_t mode) {
    char folder[PATH_MAX];
    folder_of(o->name, folder, sizeof folder);
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    for (int tries = 0; fd < 0 && tries < 100 && unnamed_beside(o->name, o->beside, sizeof o->beside); tries++) {
        fd = open(o->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST) break;
    }
    return fd;
}

static int open_document(struct output *o, const char *path, struct error *err) {
    struct stat there;
    if (!*path) return cannot_create("''", ENOENT, err);
    const int own = own_descriptor(path);
    if (own >= 0) {
        const int again = open_again(own);
        return again < 0 ? cannot_create(path, errno, err) : again;
    }
    bool exists = stat(path, &there) == 0;
    if (exists && access(path, W_OK) < 0) return cannot_create(path, errno, err);
    int fd = -1;
    if (!exists || S_ISREG(there.st_mode)) {
        if (!realpath(path, o->name)) snprintf(o->name, sizeof o->name, "%s", path);
        if (strlen(path) < sizeof o->name) fd = open_beside(o, exists ? there.st_mode & 0777 : 0666);
    }
    o->in_memory = fd < 0 && exists && S_ISREG(there.st_mode);
    if (o->in_memory) fd = memfd_create("document", MFD_CLOEXEC);
    if (fd >= 0) return fd;
    o->name[0] = o->beside[0] = '\0'; // a device, or a folder that takes no new file
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return fd < 0 ? cannot_create(path, errno, err) : fd;
}

struct output *output_open(const char *path, struct error *err) {
    struct output *o = error_calloc(sizeof *o, path ? path : "stdout", err);
    if (!o) return NULL;
    o->said = path;
    if (!path) {
        o->file = stdout;
        return o;
    }
    int fd = open_document(o, path, err);
    if (fd >= 0 && !(o->file = fdopen(fd, "w"))) {
        (void)cannot_create(path, errno, err);
        close(fd);
    }
    if (o->file) return o;
    if (o->beside[0]) unlink(o->beside);
    free(o);
    return NULL;
}

FILE *output_file(struct output *o) {
    return o->file;
}

void output_path(const struct output *o, char path[OUTPUT_PATH]) {
    snprintf(path, OUTPUT_PATH, "/dev/fd/%d", fileno(o->file));
}

void output_said(const struct output *o, struct error *err) {
    char path[OUTPUT_PATH];
    const struct error said = *err;
    output_path(o, path);
    const size_t length = strlen(path);
    if (strncmp(said.text, path, length) == 0) error_set(err, "%s%s", o->said ? o->said : "stdout", said.text + length);
}

// The old content goes first: there is no place for both.
static int copy_to_name(const struct output *o) {
    int to = open(o->name, O_WRONLY | O_TRUNC | O_CLOEXEC);
    int result = to < 0 ? -errno : unnamed_copy(fileno(o->file), to);
    if (to >= 0 && close(to) < 0 && result == 0) result = -errno;
    return result;
}

// What is whole gets its name.
static int give_name(struct output *o) {
    if (!o->beside[0]) {
        char self[32];
        snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(o->file));
        do {
            if (!unnamed_beside(o->name, o->beside, sizeof o->beside)) return -ENAMETOOLONG;
        } while (linkat(AT_FDCWD, self, AT_FDCWD, o->beside, AT_SYMLINK_FOLLOW) < 0 && errno == EEXIST);
    }
    return rename(o->beside, o->name) < 0 ? -errno : 0;
}

int output_reason(FILE *file) {
    errno = 0;
    return write(fileno(file), "\n", 1) < 0 && errno ? errno : 0;
}

// 0, or a negative errno: something that was written to it did not arrive.
static int flushed(FILE *file) {
    errno = 0;
    if (fflush(file) != 0 && errno) return -errno;
    const int code = ferror(file) ? output_reason(file) : 0;
    return code ? -code : ferror(file) ? -EIO : 0;
}

int output_close(struct output *o, bool good, struct error *err) {
    if (o->file == stdout) {
        free(o);
        return good ? 0 : -EIO;
    }
    int result = flushed(o->file);
    if (result == 0 && good && o->name[0]) result = o->in_memory ? copy_to_name(o) : give_name(o);
    if ((result < 0 || !good) && o->beside[0]) unlink(o->beside);
    if (fclose(o->file) != 0 && result == 0) result = -(errno ? errno : EIO);
    if (result < 0 && good)
        error_set(err, "%s: cannot write: %s: free some space and try again", o->said, strerror(-result));
    free(o);
    return good ? result : -EIO;
}

int output_stream_fd(const char *path, struct error *err) {
    struct stat info;
    const int own = own_descriptor(path);
    int fd = own >= 0 ? open_again(own) : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return cannot_create(path, errno, err);
    if (own >= 0) return fd;                                       // whose it is, who opened it knows
    if (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode)) return fd; // a pipe may have many writers
    if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
        close(fd);
        error_set(err, "%s: another process is writing it: choose another file, or wait for its end", path);
        return -EBUSY;
    }
    if (ftruncate(fd, 0) == 0) return fd;
    int code = errno;
    close(fd);
    return cannot_create(path, code, err);
}

FILE *output_stream(const char *path, struct error *err) {
    int fd = output_stream_fd(path, err);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file || fd < 0) return file;
    (void)cannot_create(path, errno, err);
    close(fd);
    return NULL;
}

int output_stream_close(FILE *file, const char *path, struct error *err) {
    int result = flushed(file);
    if (fclose(file) != 0 && result == 0) result = -(errno ? errno : EIO);
    if (result < 0) error_set(err, "%s: cannot write: %s: free some space and run again", path, strerror(-result));
    return result;
}
