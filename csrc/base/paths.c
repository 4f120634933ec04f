// Paths: see paths.h.
#include "base/paths.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The real path of the folder that a path lies in, and its last part, which points into path. False: there is no such
// folder.
static bool folder_of(const char *path, char *folder, const char **name) {
    char before[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && snprintf(before, sizeof before, "%.*s", (int)(slash - path) + 1, path) >= (int)sizeof before)
        return false;
    *name = slash ? slash + 1 : path;
    return **name && realpath(before, folder);
}

// What the path will be once it is created: its folder resolved, and the name a symbolic link leads to. False: never.
static bool resolve(const char *path, char *out) {
    char name[PATH_MAX], folder[PATH_MAX], link[PATH_MAX];
    const char *last;
    if (snprintf(name, sizeof name, "%s", path) >= (int)sizeof name) return false;
    for (int links = 0; links < 40; links++) {
        if (!folder_of(name, folder, &last)) return false;
        if (snprintf(out, PATH_MAX, "%s/%s", folder, last) >= PATH_MAX) return false;
        ssize_t n = readlink(out, link, sizeof link - 1);
        if (n < 0) return true;
        link[n] = '\0';
        bool absolute = link[0] == '/';
        if (snprintf(name, sizeof name, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", link) >=
            (int)sizeof name)
            return false;
    }
    errno = ELOOP;
    return false;
}

bool paths_same(const char *a, const char *b) {
    struct stat x, y;
    bool there = stat(a, &x) == 0, also = stat(b, &y) == 0;
    if (there && also) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    if (there || also) return false;
    char first[PATH_MAX], second[PATH_MAX];
    return resolve(a, first) && resolve(b, second) && strcmp(first, second) == 0;
}

static bool check_output(const struct path_use *use, struct error *err) {
    struct stat file, out;
    if (strcmp(use->path, "-") == 0) {
        error_set(err, "%s -: stdout is not for this: name a file (./- for one of that name)", use->what);
        return false;
    }
    if (stat(use->path, &file) < 0) return true;
    if (S_ISDIR(file.st_mode)) {
        error_set(err, "%s %s: is a folder: name a file", use->what, use->path);
        return false;
    }
    bool stdout_too = S_ISREG(file.st_mode) && fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == file.st_dev &&
                      out.st_ino == file.st_ino;
    if (stdout_too) error_set(err, "%s %s: stdout goes there, too: name another file", use->what, use->path);
    return !stdout_too;
}

bool paths_check(const struct path_use *uses, size_t count, struct error *err) {
    for (size_t i = 0; i < count; i++) {
        if (!uses[i].path || !uses[i].output) continue;
        if (!check_output(&uses[i], err)) return false;
        for (size_t k = 0; k < count; k++) {
            if (k == i || !uses[k].path || (uses[k].output && k > i) || !paths_same(uses[i].path, uses[k].path))
                continue;
            error_set(err, "%s %s: is %s, too: name another file", uses[i].what, uses[i].path, uses[k].what);
            return false;
        }
    }
    return true;
}

bool paths_creatable(const char *path, struct error *err) {
    char name[PATH_MAX];
    struct stat file;
    bool good = snprintf(name, sizeof name, "%s", path) < (int)sizeof name;
    if (!good) errno = ENAMETOOLONG;
    if (good && stat(path, &file) == 0) {
        good = access(path, W_OK) == 0;
    } else if (good) {
        const char *last;
        char folder[PATH_MAX];
        good = resolve(path, name) && folder_of(name, folder, &last) && access(folder, W_OK | X_OK) == 0;
    }
    if (!good) error_set(err, "%s: cannot create: %s: choose another file", path, strerror(errno));
    return good;
}

const char *paths_library(const char *path, char buffer[PATH_MAX]) {
    int length = snprintf(buffer, PATH_MAX, "%s%s", strchr(path, '/') ? "" : "./", path);
    return length < PATH_MAX ? buffer : NULL;
}

FILE *paths_open(const char *path, struct error *err) {
    struct stat info;
    FILE *file = fopen(path, "rbe");
    if (!file) {
        error_set(err, "%s: cannot open: %s: name another file", path, strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &info) < 0 || !S_ISDIR(info.st_mode)) return file;
    fclose(file);
    error_set(err, "%s: is a folder: name a file", path);
    return NULL;
}
