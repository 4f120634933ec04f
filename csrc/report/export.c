// Functions, lines and stacks of an export, each numbered as it is met.
#include "report/export.h"
#include "base/array.h"
#include "base/paths.h"
#include "base/plain_text.h"
#include "report/contexts.h"
#include "report/json_text.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = REPORT_WHOLE, DEEPEST = 32 };

// ---- functions and lines ----
static void free_function(struct export_function *f) {
    free((void *)f->name);
    free((void *)f->symbol);
    free((void *)f->file);
}

// STRING_NONE: no memory.
static uint32_t function_number(struct export *e, const char *name, const char *symbol, const char *file) {
    char *key;
    file = file ? paths_plain(file) : "";
    if (asprintf(&key, "%s\n%s\n%s", name, symbol, file) < 0) return STRING_NONE;
    const uint32_t number = string_table_number(e->function_keys, key);
    free(key);
    if (number == STRING_NONE || number < e->function_count) return number;
    if (!array_reserve(&e->functions, &e->function_capacity, number, sizeof *e->functions)) return STRING_NONE;
    struct export_function f = {strdup(name), plain_name(symbol), strdup(file)};
    if (!f.name || !f.symbol || !f.file) {
        free_function(&f);
        return STRING_NONE;
    }
    e->functions[e->function_count++] = f;
    return number;
}

static bool add_line(struct export *e, uint32_t function, unsigned line) {
    if (function == STRING_NONE) return false;
    if (!array_reserve(&e->lines, &e->line_capacity, e->line_count, sizeof *e->lines)) return false;
    e->lines[e->line_count++] = (struct export_line){function, line};
    return true;
}

// Each function is at the line where it calls the one before it, the innermost at the address's own.
static bool add_lines(struct export *e, struct export_site *site, enum stack_kind kind) {
    const struct run *d = e->data;
    char label[NAME], name[NAME + 16];
    struct program_inline calls[DEEPEST];
    struct image_hit hit;
    size_t depth = 0;
    unsigned line = 0, start_line;
    const char *file = NULL, *symbol = NULL;
    site->first = e->line_count;
    const bool left_out = place_equal(site->place, REPORT_LEFT_OUT);
    site->function = left_out ? site->place : unit_of(d->images, BY_FUNCTION, site->place);
    if (site->place.pc != PROFILE_PC_END && images_find(d->images, site->place, &hit)) {
        site->image = hit.image;
        symbol = image_hit_function(&hit)->symbol;
        file = program_source(hit.program, site->place.pc - hit.bias, &line);
        depth = program_inlines(hit.program, site->place.pc - hit.bias, calls, DEEPEST);
        if (depth > DEEPEST) depth = DEEPEST;
    }
    for (size_t i = 0; i < depth; i++) {
        if (!add_line(e, function_number(e, calls[i].function, calls[i].function, file), file ? line : 0)) return false;
        file = calls[i].file;
        line = calls[i].line;
    }
    report_label(d, BY_FUNCTION, site->function, label, sizeof label);
    snprintf(name, sizeof name, "%s%s", label, call_entered(kind));
    const char *own = report_source(d, site->function, &start_line);
    if (!file || !own || strcmp(paths_plain(file), paths_plain(own)) != 0) line = 0;
    const uint32_t function = function_number(e, name, symbol ? symbol : name, own);
    site->count = depth + 1;
    return add_line(e, function, line);
}

// One for each address and way to be entered.
static bool make_sites(struct export *e) {
    struct call_tree *t = &e->tree;
    size_t *known = malloc((t->function_count + 1) * STACK_KINDS * sizeof *known);
    bool good = known != NULL;
    if (good) memset(known, 0xff, (t->function_count + 1) * STACK_KINDS * sizeof *known); // SIZE_MAX
    for (size_t i = 0; good && i < t->frame_count; i++) {
        const struct call_frame *f = &t->frames[i];
        size_t *number = &known[f->function * STACK_KINDS + f->kind];
        if (*number == SIZE_MAX) {
            struct export_site site = {.place = t->functions[f->function].place, .image = EXPORT_NO_IMAGE};
            good = add_lines(e, &site, f->kind) &&
                   array_reserve(&e->sites, &e->site_capacity, e->site_count, sizeof *e->sites);
            if (!good) break;
            *number = e->site_count;
            e->sites[e->site_count++] = site;
        }
        e->frame_sites[i] = *number;
    }
    free(known);
    return good;
}

uint32_t export_outer(const struct export *e, const struct export_site *site) {
    return e->lines[site->first + site->count - 1].function;
}

void export_line(const char *text, FILE *out) {
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

// ---- stacks ----
static bool make_stacks(struct export *e) {
    for (size_t i = 0; i < e->tree.frame_count; i++) {
        const size_t parent = e->tree.frames[i].parent;
        const struct export_site *site = &e->sites[e->frame_sites[i]];
        uint32_t stack = parent == CALL_TREE_NONE ? EXPORT_NO_STACK : e->frame_stacks[parent];
        for (size_t line = site->count; line-- > 0;) {
            const size_t number = pair_number(&e->stacks, stack, e->lines[site->first + line].function, true);
            if (number == PAIR_NONE) return false;
            stack = (uint32_t)number;
        }
        e->frame_stacks[i] = stack;
    }
    return true;
}

// ---- rows ----
static void make_cycles(struct export *e) {
    const uint64_t units = e->data->header->units;
    uint64_t before = 0;
    for (size_t i = 0; i < e->data->row_count; i++) {
        const uint64_t after = before + e->data->rows[i].weight;
        e->cycles[i] = (after + units / 2) / units - (before + units / 2) / units;
        before = after;
    }
}

bool export_create(struct export *e, const struct run *d, uint32_t max_stack, struct error *err) {
    *e = (struct export){.data = d};
    if (!call_tree_create_any(&e->tree, d, BY_INSTRUCTION, max_stack, err)) return false;
    const size_t frames = e->tree.frame_count + 1;
    e->function_keys = string_table_create();
    e->frame_sites = malloc(frames * sizeof *e->frame_sites);
    e->frame_stacks = malloc(frames * sizeof *e->frame_stacks);
    e->cycles = malloc((d->row_count + 1) * sizeof *e->cycles);
    if (e->function_keys && e->frame_sites && e->frame_stacks && e->cycles && make_sites(e) && make_stacks(e)) {
        make_cycles(e);
        return true;
    }
    report_out_of_memory(d->path, err);
    export_destroy(e);
    return false;
}

void export_destroy(struct export *e) {
    call_tree_destroy(&e->tree);
    for (size_t i = 0; i < e->function_count; i++)
        free_function(&e->functions[i]);
    free(e->functions);
    free(e->lines);
    free(e->sites);
    pair_numbers_free(&e->stacks);
    free(e->frame_sites);
    free(e->frame_stacks);
    free(e->cycles);
    string_table_destroy(e->function_keys);
    *e = (struct export){0};
}

const char *export_title(const struct run *d) {
    return paths_name(d->header->program);
}
