// Lines of source files. Files are kept, with the places of their lines: tables and listings go back and forth.
#include "base/text_file.h"
#include "report/annotate.h"
#include <stdlib.h>
#include <string.h>

struct source_file {
    char *name;
    char *content; // line ends made 0; NULL: there is no such file
    size_t *lines; // where each begins
    size_t line_count;
};
struct source_text {
    char *near;
    struct source_file *files;
    size_t count, last; // last: the one used last
};

struct source_text *source_text_create(const char *near) {
    struct source_text *t = calloc(1, sizeof *t);
    if (t && !(t->near = strdup(near))) {
        free(t);
        t = NULL;
    }
    return t;
}

void source_text_destroy(struct source_text *t) {
    if (!t) return;
    for (size_t i = 0; i < t->count; i++) {
        free(t->files[i].name);
        free(t->files[i].content);
        free(t->files[i].lines);
    }
    free(t->files);
    free(t->near);
    free(t);
}

// The name comes from the program's debug information: what is no regular file is none.
static char *read_source(const struct source_text *t, const char *file, size_t *bytes) {
    enum { LARGEST = 16 << 20 };
    char *content = text_file_bytes_if_any(file, LARGEST, bytes);
    if (content || *file == '/') return content;
    char *folder = strdup(t->near), *slash;
    while (!content && folder && (slash = strrchr(folder, '/'))) {
        char *path = NULL;
        *slash = '\0';
        if (asprintf(&path, "%s/%s", folder, file) < 0) break;
        content = text_file_bytes_if_any(path, LARGEST, bytes);
        free(path);
    }
    free(folder);
    return content;
}

// Ends of lines are newlines, with or without a carriage return before them.
static void cut(struct source_file *f, size_t bytes) {
    size_t count = 1;
    for (size_t i = 0; i < bytes; i++)
        count += f->content[i] == '\n';
    f->lines = calloc(count, sizeof *f->lines);
    if (!f->lines) return;
    f->line_count = 1;
    for (size_t i = 0; i < bytes; i++) {
        if (f->content[i] == '\n' && i + 1 < bytes) f->lines[f->line_count++] = i + 1;
        if (f->content[i] == '\n' || f->content[i] == '\r') f->content[i] = '\0';
        if (f->content[i] == '\t') f->content[i] = ' ';
    }
}

static const struct source_file *add(struct source_text *t, const char *name) {
    struct source_file *files = realloc(t->files, (t->count + 1) * sizeof *files), *f;
    if (!files) return NULL;
    t->files = files;
    f = &files[t->count];
    *f = (struct source_file){.name = strdup(name)};
    if (!f->name) return NULL;
    t->last = t->count++;
    size_t bytes = 0;
    if ((f->content = read_source(t, name, &bytes))) cut(f, bytes);
    return f;
}

static const struct source_file *find(struct source_text *t, const char *name) {
    if (t->count && strcmp(t->files[t->last].name, name) == 0) return &t->files[t->last];
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->files[i].name, name) != 0) continue;
        t->last = i;
        return &t->files[i];
    }
    return add(t, name);
}

const char *source_text_line(struct source_text *t, const char *file, unsigned line) {
    const struct source_file *f = find(t, file);
    return f && line && line <= f->line_count ? f->content + f->lines[line - 1] : NULL;
}
