// Functions by what a user calls them.
#include "analysis/analysis.h"
#include "analysis/program_internal.h"
#include "base/paths.h"
#include <stdlib.h>
#include <string.h>

// "f(int) [clone .part.0]" is "f", too.
static bool is_clone_of(const char *name, const char *text, size_t bytes) {
    return strncmp(name, text, bytes) == 0 && strncmp(name + bytes, " [clone ", 8) == 0;
}

// Without its parameters, with what stands in front of it (the result of a template) and without.
static bool is_plain(const char *whole, const char *plain, const char *text) {
    const size_t bytes = strlen(text);
    if (strcmp(plain, text) == 0 || is_clone_of(plain, text, bytes)) return true;
    const char *at = strstr(whole, plain);
    const size_t front = at ? (size_t)(at - whole) : 0;
    return front && bytes > front && strncmp(whole, text, front) == 0 && strcmp(plain, text + front) == 0;
}

static bool is_called(const struct program_function *f, const char *text) {
    if (!*text) return false;
    if (strcmp(f->name, text) == 0 || strcmp(f->symbol, text) == 0) return true;
    if (is_clone_of(f->name, text, strlen(text))) return true;
    // The text without parameters is part of the name: to write every name again would take long.
    if (strcmp(f->name, f->symbol) == 0 || !strstr(f->name, text)) return false;
    char *plain = name_without_parameters(f->symbol);
    const bool is = plain && is_plain(f->name, plain, text);
    free(plain);
    return is;
}

static bool is_file(const char *path, const char *text, size_t bytes) {
    const char *name = path ? paths_name(path) : "";
    return bytes && strlen(name) == bytes && memcmp(name, text, bytes) == 0;
}

bool program_function_is(const struct program *p, const struct program_function *f, const char *name) {
    if (is_called(f, name)) return true;
    for (const char *colon = strchr(name, ':'); colon; colon = strchr(colon + 1, ':')) {
        unsigned line;
        const size_t bytes = (size_t)(colon - name);
        if (!is_called(f, colon + 1)) continue;
        if (is_file(f->file, name, bytes) || is_file(program_source(p, f->entry, &line), name, bytes)) return true;
    }
    return false;
}

size_t program_find_function(const struct program *p, const char *name) {
    size_t count;
    const struct program_function *f = program_functions(p, &count);
    for (size_t i = 0; i < count; i++) {
        if (program_function_is(p, &f[i], name)) return i;
    }
    return PROGRAM_NONE;
}

// ---- of one name ----
static int compare_names(const void *x, const void *y) {
    const struct program_function *const *a = x, *const *b = y;
    const int order = strcmp((*a)->name, (*b)->name);
    return order ? order : strcmp((*a)->symbol, (*b)->symbol);
}

// Rust's older names end in "17h", 16 digits of a hash, and "E"; a hash distinguishes instances of a generic function.
static bool has_hash(const struct program_function *f) {
    return strcmp(f->name, f->symbol) != 0 && strstr(f->symbol, "17h");
}

static bool take_hash(struct program_function *f) {
    if (!has_hash(f)) return true;
    char *name = name_with_hash(f->symbol);
    if (!name) return false;
    free((void *)f->name);
    f->name = name;
    return true;
}

bool function_names_tell_apart(struct program_function *list, size_t length) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant, here and below
    struct program_function **all = calloc(length + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; all && i < length; i++)
        if (has_hash(&list[i])) all[count++] = &list[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant
    if (count) qsort(all, count, sizeof *all, compare_names);
    bool good = all != NULL;
    for (size_t i = 0, end; good && i < count; i = end) {
        for (end = i + 1; end < count && strcmp(all[end]->name, all[i]->name) == 0;)
            end++;
        const bool several = strcmp(all[i]->symbol, all[end - 1]->symbol) != 0;
        for (size_t k = i; good && several && k < end; k++)
            good = take_hash(all[k]);
    }
    free(all);
    return good;
}
