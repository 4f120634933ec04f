// Commands that are Python: python_tool.h.
#include "cli/python_tool.h"
#include "cli/cli.h"
#include "cli/folder.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Beside the command where it is installed; in the source tree above the folder of what is built.
static bool find_script(const char *folder, const char *name, char *path, size_t size) {
    static const char *const places[] = {"python", "../python"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (snprintf(path, size, "%s/%s/%s", folder, places[i], name) < (int)size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

int python_tool(const char *name, int argc, char **argv) {
    char folder[PATH_MAX], script[PATH_MAX + 32];
    static char python[] = "python3", alone[] = "-IB", build[] = "--build";
    char **words = calloc((size_t)argc + 6, sizeof *words);
    struct error err;
    if (!words) error_nomem(&err, NULL);
    if (!words || !folder_find(folder, sizeof folder, &err)) {
        fprintf(stderr, "tipoff: %s\n", err.text);
        free(words);
        return STATUS_BAD_INPUT;
    }
    if (!find_script(folder, name, script, sizeof script)) {
        fprintf(stderr, "tipoff: %s/python/%s: missing: install tipoff again (make install)\n", folder, name);
        free(words);
        return STATUS_BAD_INPUT;
    }
    char *const head[] = {python, alone, script, build, folder};
    memcpy(words, head, sizeof head);
    memcpy(words + sizeof head / sizeof *head, argv + 1, (size_t)(argc - 1) * sizeof *words);
    execvp(python, words);
    fprintf(stderr, "tipoff: python3: cannot run: %s: install Python 3.11 or newer\n", strerror(errno));
    free(words);
    return STATUS_BAD_INPUT;
}
