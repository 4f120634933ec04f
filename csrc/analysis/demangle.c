// Names of C++ and Rust as their programmers wrote them.
#include "analysis/program_internal.h"
#include <libiberty/demangle.h>
#include <string.h>

char *name_demangled(const char *name) {
    char *text = strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0
                     ? cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO)
                     : NULL;
    return text ? text : strdup(name);
}
