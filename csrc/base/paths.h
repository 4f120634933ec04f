// Which file a path means: so that no output overwrites an input or another output.
#ifndef TIPOFF_BASE_PATHS_H
#define TIPOFF_BASE_PATHS_H

#include "base/error.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Whether two paths mean one regular file: by device and inode, and where there is no such file yet, by folder and
// name, symbolic links followed. Terminals, pipes and /dev/null are no regular files: two may well be the same.
bool paths_same(const char *a, const char *b);

struct path_use {
    const char *what; // as the message calls it: "--samples", "the program"
    const char *path; // NULL: not used
    bool output;
};
// False with err (one line: file, fault, remedy) if an output is an input, too, or is named twice, or is what stdout
// goes to, or is a folder, or - (which would make a file of that name). Touches nothing.
bool paths_check(const struct path_use *uses, size_t count, struct error *err);

// Whether a file of that name could be written, as far as can be said without making it; false with err.
bool paths_creatable(const char *path, struct error *err);

// A library's path as dlopen takes it: with a folder, "./" where it has none, else other folders are searched for it.
// NULL: it is too long.
const char *paths_library(const char *path, char buffer[PATH_MAX]);

// The path without its folders: the part after the last slash.
static inline const char *paths_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Without "./" before it.
static inline const char *paths_plain(const char *path) {
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

// Opens an input. NULL with err if it cannot be opened or is a folder.
FILE *paths_open(const char *path, struct error *err);

#endif
