// Files of the host: see host_files.h.
#include "base/host_files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
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

int64_t host_files_open(struct host_files *files, const char *path, uint64_t flags) {
    unsigned i = 0;
    if ((flags & ACCESS_MODE) != READ_ONLY || flags & CREATE) return -EROFS;
    while (i < HOST_FILES && files->list[i].open)
        i++;
    if (i == HOST_FILES) return -EMFILE;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -errno;
    struct stat status;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode); // a pipe could not be read twice
    close(fd);
    if (!regular) return S_ISDIR(status.st_mode) ? -EISDIR : -EACCES;
    files->list[i].open = true;
    files->list[i].at = 0;
    snprintf(files->list[i].path, HOST_PATH, "%s", path);
    return HOST_FIRST_FILE + i;
}

int64_t host_files_close(struct host_files *files, uint64_t number) {
    if (!is_open(files, number)) return -EBADF;
    files->list[number - HOST_FIRST_FILE].open = false;
    return 0;
}

int64_t host_files_seek(struct host_files *files, uint64_t number, int64_t offset, uint64_t whence) {
    struct stat status;
    if (!is_open(files, number)) return number < HOST_FIRST_FILE ? -ESPIPE : -EBADF;
    uint64_t *at = &files->list[number - HOST_FIRST_FILE].at;
    if (whence == FROM_END && stat(files->list[number - HOST_FIRST_FILE].path, &status) < 0) return -errno;
    if (whence > FROM_END) return -EINVAL;
    int64_t from = whence == FROM_START ? 0 : whence == FROM_HERE ? (int64_t)*at : status.st_size, to;
    if (__builtin_add_overflow(from, offset, &to) || to < 0) return -EINVAL;
    *at = (uint64_t)to;
    return to;
}

int64_t host_files_read(struct host_files *files, uint64_t number, uint64_t most, struct host_block *block) {
    block->count = 0;
    if (!is_open(files, number)) return -EBADF;
    uint64_t *at = &files->list[number - HOST_FIRST_FILE].at;
    int fd = open(files->list[number - HOST_FIRST_FILE].path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    ssize_t got = pread(fd, block->bytes, most < HOST_BLOCK ? most : HOST_BLOCK, (off_t)*at);
    int64_t result = got < 0 ? -errno : got;
    close(fd);
    if (got > 0) *at += block->count = (uint64_t)got;
    return result;
}
