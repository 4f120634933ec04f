// The folder above the one that the running program lies in.
#include "cli/folder.h"
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

bool folder_find(char *out, size_t size) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0) return false;
    path[n] = '\0';
    return snprintf(out, size, "%s", dirname(dirname(path))) < (int)size;
}
