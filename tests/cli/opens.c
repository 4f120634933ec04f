// Writes to the file OPENS_LOG the name of each file that the process opens for reading (test_read_once.py).
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note(const char *path, int flags) {
    const char *log = getenv("OPENS_LOG");
    static int (*next)(const char *, int, ...);
    char line[8192];
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "open");
    if (!log || (flags & O_ACCMODE) != O_RDONLY) return;
    const int file = next(log, O_WRONLY | O_APPEND | O_CREAT, 0600);
    const int bytes = snprintf(line, sizeof line, "%s\n", path);
    if (file < 0 || write(file, line, (size_t)bytes) != bytes) abort();
    close(file);
}

#define MODE                                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    const unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned) : 0;                             \
    va_end(arguments)

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        static int (*next)(const char *, int, ...);                                                                    \
        MODE;                                                                                                          \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                                          \
        note(path, flags);                                                                                             \
        return next(path, flags, mode);                                                                                \
    }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                                                    \
    FILE *name(const char *path, const char *kind) {                                                                   \
        static FILE *(*next)(const char *, const char *);                                                              \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                                          \
        note(path, *kind == 'r' ? O_RDONLY : O_WRONLY);                                                                \
        return next(path, kind);                                                                                       \
    }
FOPEN(fopen)
FOPEN(fopen64)
