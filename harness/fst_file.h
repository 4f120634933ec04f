// Whether a waveform file (FST) is complete: the library that writes it does not report a full disk.
#ifndef TIPOFF_HARNESS_FST_FILE_H
#define TIPOFF_HARNESS_FST_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// 0, or a negative errno: it cannot be made. The library removes an existing file first: never a device.
static inline int fst_file_creatable(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) return -EINVAL;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -errno;
    close(fd);
    return 0;
}

// Its disk has free space.
static inline bool fst_file_has_room(const char *path) {
    struct statvfs disk;
    return statvfs(path, &disk) < 0 || disk.f_bavail > 0;
}

// A file that was closed is whole: blocks of a type (1 byte) and a length (8 bytes, big-endian, without the type) end
// where the file does. 0, or a negative errno.
static inline int fst_file_check(const char *path) {
    struct stat info;
    FILE *file = fopen(path, "rbe");
    if (!file || fstat(fileno(file), &info) < 0) return -errno;
    uint64_t offset = 0, size = (uint64_t)info.st_size;
    int type = EOF;
    while (offset < size && fseeko(file, (off_t)offset, SEEK_SET) == 0 && (type = fgetc(file)) != EOF) {
        uint64_t length = 0;
        for (int i = 0; i < 8; i++)
            length = length << 8 | (uint8_t)fgetc(file);
        if (length < 8 || length > size - offset - 1) break;
        offset += 1 + length;
    }
    fclose(file);
    return size > 0 && offset == size ? 0 : -ENOSPC;
}

// Takes away a file that was not finished, with the other that the library keeps beside it.
static inline void fst_file_remove(const char *path) {
    char beside[4096];
    unlink(path);
    if (snprintf(beside, sizeof beside, "%s.hier", path) < (int)sizeof beside) unlink(beside);
}

#endif
