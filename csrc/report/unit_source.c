// Units of the source: inlined calls, lines and files. Code without a line is its function's, code outside all images
// its address's.
#include "base/paths.h"
#include "report/annotate.h"
#include "report/units.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096 + 32, DEEPEST = 64 }; // of a file and its line

static size_t add(struct units *u, struct place place, const struct image_hit *hit, const char *unit, const char *name,
                  const char *file, unsigned line) {
    const char *image = hit ? images_name(u->run->images, hit->image) : "";
    return units_add(u, &(struct unit){(char *)unit, (char *)name, image, file, line, place, NULL, {0}});
}

// ---- lines ----
static void *create_lines(const struct run *d) {
    return source_text_create(d->header->program);
}

static void destroy_lines(void *state) {
    source_text_destroy(state);
}

static size_t find_line(struct units *u, struct place place, const struct image_hit *hit) {
    char unit[TEXT], name[TEXT];
    unsigned line;
    const char *file = report_source(u->run, place, &line);
    if (!file) return units_add_bare(u, place, hit, "no line");
    snprintf(unit, sizeof unit, "%s:%u", file, line);
    snprintf(name, sizeof name, "%s:%u", paths_name(file), line);
    return add(u, place, hit, unit, name, file, line);
}

static struct value line_cell(const struct units *u, const struct unit *unit, unsigned column, char *room,
                              size_t size) {
    const char *line = unit->file ? source_text_line(u->state, unit->file, unit->line) : NULL;
    (void)column;
    snprintf(room, size, "%s", line ? line + strspn(line, " ") : "");
    return value_text(room);
}

const struct unit_kind unit_line = {.name = "line",
                                    .text = "a source line, wherever it was inlined",
                                    .heading = "Lines by time (%zu of %zu)",
                                    .columns = {{"text", "text", false}},
                                    .create = create_lines,
                                    .destroy = destroy_lines,
                                    .find = find_line,
                                    .cell = line_cell};

// ---- inlined calls ----
// "f inlined in g at a.c:7, in h at b.c:9". free() it; NULL: no memory.
static char *inline_text(const struct image_hit *hit, const struct program_inline *calls, size_t depth) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (size_t i = 0; i <= depth; i++) {
        const char *function = i < depth ? calls[i].function : image_hit_function(hit)->name;
        if (i == 0) {
            fputs(function, out);
            continue;
        }
        const struct program_inline *call = &calls[i - 1];
        fprintf(out, "%s in %s at %s:%u", i == 1 ? " inlined" : ",", function,
                call->file ? paths_name(call->file) : "?", call->line);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static size_t find_inline(struct units *u, struct place place, const struct image_hit *hit) {
    struct program_inline calls[DEEPEST];
    if (!hit) return units_add_bare(u, place, hit, "no function");
    size_t depth = program_inlines(hit->program, place.pc - hit->bias, calls, DEEPEST);
    if (depth > DEEPEST) depth = DEEPEST;
    char *text = inline_text(hit, calls, depth);
    if (!text) return UNIT_NONE;
    const struct program_function *f = image_hit_function(hit);
    unsigned line = 0;
    const char *file = depth ? calls[0].file : program_source(hit->program, f->entry, &line);
    if (depth) line = calls[0].line;
    const size_t unit = add(u, place, hit, text, text, file ? paths_plain(file) : NULL, line);
    free(text);
    return unit;
}

static struct value inline_cell(const struct units *u, const struct unit *unit, unsigned column, char *room,
                                size_t size) {
    struct image_hit hit;
    struct program_inline calls[1];
    const bool known = images_find(u->run->images, unit->place, &hit);
    (void)column;
    (void)room;
    (void)size;
    return value_count(known ? program_inlines(hit.program, unit->place.pc - hit.bias, calls, 1) : 0);
}

const struct unit_kind unit_inline = {.name = "inline",
                                      .text = "an inlined call with the calls around it, or what is a function's own",
                                      .heading = "Inlined calls and functions by time (%zu of %zu)",
                                      .columns = {{"depth", NULL, true}},
                                      .find = find_inline,
                                      .cell = inline_cell};

// ---- files ----
static size_t find_file(struct units *u, struct place place, const struct image_hit *hit) {
    unsigned line;
    const char *file = report_source(u->run, place, &line);
    return file ? add(u, place, hit, file, file, file, 0) : units_add_bare(u, place, hit, "no file");
}

const struct unit_kind unit_file = {
    .name = "file", .text = "a source file", .heading = "Files by time (%zu of %zu)", .find = find_file};
