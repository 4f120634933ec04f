// A tree of frames: each is a name on a frame of a smaller number.
#include "report/folded.h"
#include "base/array.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t on, name;
    uint64_t weight;
};
struct folded {
    struct string_table *names, *keys; // of the frames: of what each stands on and its name
    struct frame *frames;
    size_t count, capacity;
    bool failed; // no memory
};

struct folded *folded_create(void) {
    struct folded *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->names = string_table_create();
    f->keys = string_table_create();
    if (f->names && f->keys) return f;
    folded_destroy(f);
    return NULL;
}

void folded_destroy(struct folded *f) {
    if (!f) return;
    string_table_destroy(f->names);
    string_table_destroy(f->keys);
    free(f->frames);
    free(f);
}

uint32_t folded_name(struct folded *f, const char *name) {
    char *text = strdup(name);
    uint32_t number = STRING_NONE;
    if (text) {
        for (char *at = text; (at = strpbrk(at, ";\n"));)
            *at = ':';
        number = string_table_number(f->names, text);
    }
    free(text);
    f->failed = f->failed || number == STRING_NONE;
    return number;
}

uint32_t folded_on(struct folded *f, uint32_t stack, uint32_t name) {
    char key[32];
    if (f->failed) return STRING_NONE;
    snprintf(key, sizeof key, "%" PRIx32 " %" PRIx32, stack, name);
    const uint32_t number = string_table_number(f->keys, key);
    if (number != STRING_NONE && number < f->count) return number;
    if (number == STRING_NONE || !array_reserve(&f->frames, &f->capacity, f->count, sizeof *f->frames)) {
        f->failed = true;
        return STRING_NONE;
    }
    f->frames[f->count++] = (struct frame){stack, name, 0};
    return number;
}

void folded_add(struct folded *f, uint32_t stack, uint64_t weight) {
    if (stack != STRING_NONE) f->frames[stack].weight += weight;
}

static void write_stack(const struct folded *f, uint32_t stack, uint32_t *way, FILE *out) {
    size_t length = 0;
    for (uint32_t i = stack; i != FOLDED_ROOT; i = f->frames[i].on)
        way[length++] = f->frames[i].name;
    while (length-- > 0) {
        fputs(string_table_text(f->names, way[length]), out);
        fputc(length ? ';' : ' ', out);
    }
    fprintf(out, "%" PRIu64 "\n", f->frames[stack].weight);
}

bool folded_write(const struct folded *f, FILE *out) {
    uint32_t *way = f->failed ? NULL : malloc((f->count + 1) * sizeof *way);
    for (uint32_t i = 0; way && i < f->count && !ferror(out); i++) {
        if (f->frames[i].weight) write_stack(f, i, way, out);
    }
    const bool good = way != NULL;
    free(way);
    return good;
}
