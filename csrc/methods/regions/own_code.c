// Own code and synchronisation, by symbols and debug information: own_code.h.
#include "methods/regions/own_code.h"
#include <stdlib.h>
#include <string.h>

enum { INLINED = 32 }; // functions around an instruction that are looked at

struct own_code {
    const struct program *program;
    char *sync; // names by comma
    bool lines; // some of the program has line numbers
};

static bool any_lines(const struct program *p) {
    size_t count;
    unsigned line;
    const struct program_function *f = program_functions(p, &count);
    for (size_t i = 0; i < count; i++)
        if (program_source(p, f[i].entry, &line)) return true;
    return false;
}

struct own_code *own_code_create(const struct program *p, const char *sync) {
    struct own_code *c = malloc(sizeof *c);
    if (!c) return NULL;
    *c = (struct own_code){.program = p, .sync = strdup(sync ? sync : OWN_CODE_SYNC), .lines = any_lines(p)};
    if (c->sync) return c;
    free(c);
    return NULL;
}

void own_code_destroy(struct own_code *c) {
    if (!c) return;
    free(c->sync);
    free(c);
}

// A name as the compiler makes more of: "f.constprop.0" is f.
static bool is(const char *name, const char *pattern, size_t length) {
    if (pattern[length - 1] == '*') return strncmp(name, pattern, length - 1) == 0;
    return strncmp(name, pattern, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

static bool listed(const char *name, const char *list) {
    static const char preset[] = "looppoint";
    for (const char *word = list; *word;) {
        const size_t length = strcspn(word, ",");
        if (length == sizeof preset - 1 && strncmp(word, preset, length) == 0) {
            if (listed(name, OWN_CODE_SYNC_LOOPPOINT)) return true;
        } else if (length && is(name, word, length)) {
            return true;
        }
        word += length + (word[length] == ',');
    }
    return false;
}

bool own_code_synchronises(const struct own_code *c, uint64_t pc) {
    struct program_inline around[INLINED];
    const struct program_function *f = program_function_at(c->program, pc);
    if (f && (listed(f->symbol, c->sync) || listed(f->name, c->sync))) return true;
    size_t count = program_inlines(c->program, pc, around, INLINED);
    if (count > INLINED) count = INLINED;
    for (size_t i = 0; i < count; i++)
        if (around[i].function && listed(around[i].function, c->sync)) return true;
    return false;
}

// Of runtime/, wherever that is.
static bool is_runtime(const char *file) {
    static const char *const names[] = {"crt0.S", "host.c", "memory.c", "posix.c", "new.cc", "harts.c"};
    const char *name = strrchr(file, '/'), *const header = strstr(file, "tipoff_harts.h");
    static const char folder[] = "/runtime";
    if (header) return true;
    if (!name || name - file < (ptrdiff_t)sizeof folder - 1) return false;
    if (strncmp(name - (sizeof folder - 1), folder, sizeof folder - 1) != 0) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name + 1, names[i]) == 0) return true;
    return false;
}

// By folders that toolchains build them in.
static bool is_library(const char *file) {
    static const char *const folders[] = {"/newlib/",   "/picolibc", "/libgcc/", "/libgomp/",
                                          "/libstdc++", "/glibc",    "/musl"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(file, folders[i])) return true;
    return false;
}

bool own_code_has(const struct own_code *c, uint64_t pc) {
    unsigned line;
    if (!program_function_at(c->program, pc)) return false;
    if (!c->lines) return true;
    const char *const file = program_source(c->program, pc, &line);
    return file && !is_runtime(file) && !is_library(file);
}
