// A tree of frames: each is a name on a frame of a smaller number.
#include "report/folded.h"
#include "base/array.h"
#include "report/pair_numbers.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ON, NAME };
struct folded {
    struct string_table *names;
    struct pair_numbers frames; // what each stands on, and its name
    uint64_t *weights;          // of each
    size_t capacity;
    bool failed; // no memory
};

struct folded *folded_create(void) {
    struct folded *f = calloc(1, sizeof *f);
    if (f && (f->names = string_table_create())) return f;
    free(f);
    return NULL;
}

void folded_destroy(struct folded *f) {
    if (!f) return;
    string_table_destroy(f->names);
    pair_numbers_free(&f->frames);
    free(f->weights);
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
    const size_t known = f->frames.count, number = f->failed ? PAIR_NONE : pair_number(&f->frames, stack, name, true);
    f->failed = number == PAIR_NONE ||
                (number == known && !array_reserve(&f->weights, &f->capacity, known, sizeof *f->weights));
    if (f->failed) return STRING_NONE;
    if (number == known) f->weights[number] = 0;
    return (uint32_t)number;
}

void folded_add(struct folded *f, uint32_t stack, uint64_t weight) {
    if (stack != STRING_NONE) f->weights[stack] += weight;
}

static void write_stack(const struct folded *f, uint32_t stack, uint32_t *way, FILE *out) {
    size_t length = 0;
    for (uint32_t i = stack; i != FOLDED_ROOT; i = (uint32_t)f->frames.keys[i][ON])
        way[length++] = (uint32_t)f->frames.keys[i][NAME];
    while (length-- > 0) {
        fputs(string_table_text(f->names, way[length]), out);
        fputc(length ? ';' : ' ', out);
    }
    fprintf(out, "%" PRIu64 "\n", f->weights[stack]);
}

bool folded_write(const struct folded *f, FILE *out) {
    uint32_t *way = f->failed ? NULL : malloc((f->frames.count + 1) * sizeof *way);
    for (uint32_t i = 0; way && i < f->frames.count && !ferror(out); i++) {
        if (f->weights[i]) write_stack(f, i, way, out);
    }
    const bool good = way != NULL;
    free(way);
    return good;
}
