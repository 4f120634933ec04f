// Lines of source files. Keeps the file used last; listings go back and forth between few.
#include "report/annotate.h"
#include <stdlib.h>
#include <string.h>

struct source_text {
    char *near;
    char *name;    // of the file held, NULL: none
    char *content; // its text, line ends made 0; NULL: there is no such file
    size_t bytes;
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
    free(t->near);
    free(t->name);
    free(t->content);
    free(t);
}

static FILE *open_source(const struct source_text *t, const char *file) {
    FILE *f = fopen(file, "re");
    if (f || *file == '/') return f;
    char *folder = strdup(t->near), *slash;
    while (!f && folder && (slash = strrchr(folder, '/'))) {
        char *path = NULL;
        *slash = '\0';
        if (asprintf(&path, "%s/%s", folder, file) < 0) break;
        f = fopen(path, "re");
        free(path);
    }
    free(folder);
    return f;
}

static void hold(struct source_text *t, const char *file) {
    free(t->name);
    free(t->content);
    t->name = strdup(file);
    t->content = NULL;
    t->bytes = 0;
    FILE *f = open_source(t, file);
    if (!f) return;
    enum { LARGEST = 16 << 20 };
    if (fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        rewind(f);
        if (size > 0 && size < LARGEST && (t->content = malloc((size_t)size + 1))) {
            t->bytes = fread(t->content, 1, (size_t)size, f);
            t->content[t->bytes] = '\0';
        }
    }
    fclose(f);
    for (size_t i = 0; t->content && i < t->bytes; i++) {
        if (t->content[i] == '\n' || t->content[i] == '\r') t->content[i] = '\0';
        if (t->content[i] == '\t') t->content[i] = ' ';
    }
}

const char *source_text_line(struct source_text *t, const char *file, unsigned line) {
    if (!t->name || strcmp(t->name, file) != 0) hold(t, file);
    if (!t->content || line == 0) return NULL;
    const char *p = t->content, *end = t->content + t->bytes;
    while (--line && p < end)
        p += strlen(p) + 1;
    return p < end ? p : NULL;
}
