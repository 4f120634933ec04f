// Files of the host: see host_files.h.
#include "machine/host_files.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    READ_ONLY = 0,
    ACCESS_MODE = 3,
    CREATE = 0x40
}; // Linux, asm-generic/fcntl.h: openat's flags, of every RISC-V program
enum { FROM_START, FROM_HERE, FROM_END };

#define BLOCK_ROW(type, name, dimension, range) STATE_ROW(struct host_block, type, name, range),
static const struct state_member block_rows[] = {HOST_BLOCK_STATE(BLOCK_ROW)};
const struct state_table host_block_table = STATE_TABLE(block_rows);
#define FILE_ROW(type, name, dimension, range) STATE_ROW(struct host_file, type, name, range),
static const struct state_member file_rows[] = {HOST_FILE_STATE(FILE_ROW)};
const struct state_table host_file_table = STATE_TABLE(file_rows);
#define FILES_ROW(type, name, dimension, range) STATE_ROW(struct host_files, type, name, range),
static const struct state_member files_rows[] = {HOST_FILES_STATE(FILES_ROW)};
const struct state_table host_files_table = STATE_TABLE(files_rows);

static bool is_open(const struct host_files *files, uint64_t number) {
    return number >= HOST_FIRST_FILE && number < HOST_FIRST_FILE + HOST_FILES &&
           files->list[number - HOST_FIRST_FILE].open;
}

// ---- what a program may read ----
// Opens `path` below the folder `root`, both without links. -EXDEV: it lies elsewhere.
static int open_below(const char *root, const char *path) {
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(path, root, length) != 0 || (path[length] && path[length] != '/')) return -EXDEV;
    const char *rest = path[length] && path[length + 1] ? path + length + 1 : ".";
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -errno;
    // Between the look at the path and this, nothing can lead elsewhere.
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, folder, rest, &how, sizeof how);
    if (fd < 0 && errno == ENOSYS) fd = openat(folder, rest, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0) fd = -errno;
    close(folder);
    return fd;
}

// As open_below, below any of the folders.
static int open_allowed(const struct host_roots *roots, const char *path) {
    int fd = -EXDEV;
    for (size_t i = 0; fd == -EXDEV && i <= (roots ? roots->count : 0); i++) {
        char *root = realpath(i ? roots->folders[i - 1] : ".", NULL);
        if (root) fd = open_below(root, path);
        free(root);
    }
    return fd;
}

// Whether the folder where a file would be that is not there is one to look into.
static bool may_look(const struct host_roots *roots, const char *path) {
    char folder[HOST_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (;;) {
        char *slash = strrchr(folder, '/');
        if (slash == folder) slash++; // of the root
        if (slash && !*slash) return false;
        if (slash) *slash = '\0';
        char *real = realpath(slash ? folder : ".", NULL), *inside = NULL;
        if (!real && slash) continue;
        // A name that nothing has: it cannot be opened, but only in a folder of ours is that the answer.
        if (real && asprintf(&inside, "%s/\x01", strcmp(real, "/") == 0 ? "" : real) < 0) inside = NULL;
        int fd = inside ? open_allowed(roots, inside) : -EXDEV;
        if (fd >= 0) close(fd);
        free(inside);
        free(real);
        return fd != -EXDEV;
    }
}

static void warn_of(struct host_roots *roots, const char *path) {
    if (!roots || roots->warned) return;
    roots->warned = true;
    warning(roots->notices,
            "%sthe program may not read %s: it is outside the folder that tipoff was started in: allow its folder with "
            "--file-root DIR",
            roots->name ? roots->name : "", path);
}

// A descriptor of the regular file, or a negative errno.
static int open_file(struct host_roots *roots, const char *path) {
    struct stat status;
    char *real = realpath(path, NULL);
    int why = errno, fd = real ? open_allowed(roots, real) : may_look(roots, path) ? -why : -EXDEV;
    free(real);
    if (fd == -EXDEV) {
        warn_of(roots, path);
        return -EACCES;
    }
    if (fd < 0) return fd;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) return fd; // a pipe could not be read twice
    close(fd);
    return S_ISDIR(status.st_mode) ? -EISDIR : -EACCES;
}

// ---- calls ----
static unsigned free_place(const struct host_files *files) {
    unsigned i = 0;
    while (i < HOST_FILES && files->list[i].open)
        i++;
    return i;
}

static void put(struct host_files *files, unsigned i, const char *path) {
    files->list[i].open = true;
    files->list[i].at = 0;
    snprintf(files->list[i].path, HOST_PATH, "%s", path);
}

int64_t host_files_open(struct host_files *files, struct host_roots *roots, const char *path, uint64_t flags) {
    unsigned i = free_place(files);
    if ((flags & ACCESS_MODE) != READ_ONLY || flags & CREATE) return -EROFS;
    if (i == HOST_FILES) return -EMFILE;
    int fd = open_file(roots, path);
    if (fd < 0) return fd;
    close(fd);
    put(files, i, path);
    return HOST_FIRST_FILE + i;
}

void host_files_follow(struct host_files *files, const char *path) {
    unsigned i = free_place(files);
    if (i < HOST_FILES) put(files, i, path);
}

int64_t host_files_close(struct host_files *files, uint64_t number) {
    if (!is_open(files, number)) return -EBADF;
    files->list[number - HOST_FIRST_FILE].open = false;
    return 0;
}

static int64_t size_of(struct host_roots *roots, const char *path) {
    struct stat status;
    int fd = open_file(roots, path);
    if (fd < 0) return fd;
    int64_t size = fstat(fd, &status) == 0 ? status.st_size : -errno;
    close(fd);
    return size;
}

int64_t host_files_seek(struct host_files *files, struct host_roots *roots, uint64_t number, int64_t offset,
                        uint64_t whence) {
    int64_t end = 0;
    if (!is_open(files, number)) return number < HOST_FIRST_FILE ? -ESPIPE : -EBADF;
    uint64_t *at = &files->list[number - HOST_FIRST_FILE].at;
    if (whence == FROM_END && (end = size_of(roots, files->list[number - HOST_FIRST_FILE].path)) < 0) return end;
    if (whence > FROM_END) return -EINVAL;
    int64_t from = whence == FROM_START ? 0 : whence == FROM_HERE ? (int64_t)*at : end, to;
    if (__builtin_add_overflow(from, offset, &to) || to < 0) return -EINVAL;
    *at = (uint64_t)to;
    return to;
}

int64_t host_files_read(struct host_files *files, struct host_roots *roots, uint64_t number, uint64_t most,
                        struct host_block *block) {
    block->count = 0;
    if (!is_open(files, number)) return -EBADF;
    uint64_t *at = &files->list[number - HOST_FIRST_FILE].at;
    int fd = open_file(roots, files->list[number - HOST_FIRST_FILE].path);
    if (fd < 0) return fd;
    ssize_t got = pread(fd, block->bytes, most < HOST_BLOCK ? most : HOST_BLOCK, (off_t)*at);
    int64_t result = got < 0 ? -errno : got;
    close(fd);
    if (got > 0) *at += block->count = (uint64_t)got;
    return result;
}
