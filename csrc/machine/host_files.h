// Files of the host that a program opens by name, to read them: for HTIF's system calls.
//
// Nothing but names and places is kept, so that a checkpoint is a copy of this; a file is opened again
// for each block. Names are the host's, from the folder that tipoff was started in. A program may be anybody's: it
// reads files below that folder, and below those that the user names (--file-root), wherever links and .. lead to; of
// all others it gets EACCES, whether they exist or not. Results are those of Linux's system calls: negative
// numbers are errors.
#ifndef TIPOFF_MACHINE_HOST_FILES_H
#define TIPOFF_MACHINE_HOST_FILES_H

#include "base/notices.h"
#include "base/state.h"
#include <stdbool.h>
#include <stdint.h>

enum { HOST_FILES = 16, HOST_PATH = 256, HOST_BLOCK = 1024, HOST_FIRST_FILE = 3 }; // 0 to 2: the console

#define HOST_BLOCK_STATE(FIELD)                                                                                        \
    FIELD(uint8_t, bytes, [HOST_BLOCK], STATE_ANY)                                                                     \
    FIELD(uint64_t, count, , STATE_UP_TO(HOST_BLOCK))
struct host_block {
    HOST_BLOCK_STATE(STATE_MEMBER)
};

#define HOST_FILE_STATE(FIELD)                                                                                         \
    FIELD(bool, open, , STATE_FLAG)                                                                                    \
    FIELD(uint64_t, at, , STATE_UP_TO(INT64_MAX)) /* next byte */                                                      \
    FIELD(char, path, [HOST_PATH], STATE_TEXT)
struct host_file {
    HOST_FILE_STATE(STATE_MEMBER)
};

#define HOST_FILES_STATE(FIELD) FIELD(struct host_file, list, [HOST_FILES], STATE_OF(host_file_table))
struct host_files {
    HOST_FILES_STATE(STATE_MEMBER)
};
extern const struct state_table host_block_table, host_file_table, host_files_table;

enum { HOST_ROOTS = 32 };
struct host_roots {
    const char *folders[HOST_ROOTS]; // beside the one that tipoff was started in; borrowed
    size_t count;
    const struct notices *notices; // who gets a warning of a file that is in none of them; borrowed; NULL: nobody
    bool warned;                   // once
    const char *name;              // "core 1: ", of whom it warns where there are several; borrowed; NULL: there is one
};

// roots, in all of them: NULL: no more folders, and no warning.
// The file's number. flags: Linux's for openat; what would write is refused with -EROFS.
int64_t host_files_open(struct host_files *files, struct host_roots *roots, const char *path, uint64_t flags);
// Another host has opened that file: it becomes the next number here, too.
void host_files_follow(struct host_files *files, const char *path);
// 0, or -EBADF: no open file has that number.
int64_t host_files_close(struct host_files *files, uint64_t number);
int64_t host_files_seek(struct host_files *files, struct host_roots *roots, uint64_t number, int64_t offset,
                        uint64_t whence);
// Up to `most` bytes into the block: how many (0: the end of the file). A block is all that one call gives.
int64_t host_files_read(struct host_files *files, struct host_roots *roots, uint64_t number, uint64_t most,
                        struct host_block *block);

#endif
