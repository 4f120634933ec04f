// Names of C++ and Rust as their programmers wrote them.
#include "analysis/program_internal.h"
#include <libiberty/demangle.h>
#include <string.h>

static char *demangled(const char *name, int options) {
    char *text = strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0
                     ? cplus_demangle(name, options | DMGL_ANSI | DMGL_AUTO)
                     : NULL;
    return text ? text : strdup(name);
}

char *name_demangled(const char *name) {
    return demangled(name, DMGL_PARAMS);
}

char *name_without_parameters(const char *name) {
    return demangled(name, DMGL_NO_OPTS);
}
