// The folder above the one that the running program lies in.
#include "cli/folder.h"
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

bool folder_find(char *out, size_t size, struct error *err) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    if (n >= 0 && snprintf(out, size, "%s", dirname(dirname(path))) < (int)size) return true;
    error_set(err, "cannot find the program's own folder: is /proc mounted?");
    return false;
}

const char *folder_page(char *path, size_t size) {
    char folder[PATH_MAX];
    if (!folder_find(folder, sizeof folder, NULL)) return NULL;
    return snprintf(path, size, "%s/html/page.html", folder) < (int)size ? path : NULL;
}
