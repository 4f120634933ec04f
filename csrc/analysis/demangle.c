// Names of C++ and Rust as their programmers wrote them, and all names as they may be shown.
#include "analysis/program_internal.h"
#include "base/plain_text.h"
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

static char *demangled(const char *name, int options) {
    char *text = strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0
                     ? cplus_demangle(name, options | DMGL_ANSI | DMGL_AUTO)
                     : NULL;
    char *plain = plain_name(text ? text : name);
    free(text);
    return plain;
}

char *name_demangled(const char *name) {
    return demangled(name, DMGL_PARAMS);
}

char *name_with_hash(const char *name) {
    return demangled(name, DMGL_PARAMS | DMGL_VERBOSE);
}

char *name_without_parameters(const char *name) {
    return demangled(name, DMGL_NO_OPTS);
}
