// Functions and listings of the HTML report.
#include "base/array.h"
#include "report/contexts.h"
#include "report/html_document.h"
#include "report/place_columns.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum {
    LISTED = 80000, // instructions of the page, some 25 bytes each; a function that is larger than that is not left out
    TEXT = REPORT_WHOLE
};

static int by_place(const void *x, const void *y) {
    return place_order(*(const struct place *)x, *(const struct place *)y);
}

// ---- which functions ----
// Places of `rows`, as functions: appended.
static bool add_places(struct html_functions *f, size_t *capacity, const struct run *d, const struct profile_row *rows,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct place place = unit_of(d->images, BY_FUNCTION, row_place(&rows[i]));
        if (f->count && place_equal(f->places[f->count - 1], place)) continue; // rows are by address
        if (!array_reserve(&f->places, capacity, f->count, sizeof *f->places)) return false;
        f->places[f->count++] = place;
    }
    return true;
}

static bool find_places(struct html_functions *f, const struct run *d, const struct call_tree *calls) {
    size_t capacity = 0, kept = 0;
    bool good = add_places(f, &capacity, d, d->rows, d->row_count) &&
                (d->shown || add_places(f, &capacity, d, d->sampled, d->sampled_count));
    for (size_t i = 0; good && !d->shown && i < samples_profile_count(d->samples); i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        good = add_places(f, &capacity, d, p->rows, p->count);
    }
    for (size_t i = 0; good && calls && i < calls->function_count; i++) {
        const struct place place = calls->functions[i].place;
        const struct profile_row row = {.pc = place.pc, .context = place.context};
        good = add_places(f, &capacity, d, &row, 1);
    }
    if (!good || !f->count) return good;
    qsort(f->places, f->count, sizeof *f->places, by_place);
    for (size_t i = 1; i < f->count; i++) {
        if (!place_equal(f->places[i], f->places[kept])) f->places[++kept] = f->places[i];
    }
    f->count = kept + 1;
    return true;
}

// ---- their code ----
static bool find_code(struct html_functions *f, const struct run *d) {
    f->code = malloc((f->count + 1) * sizeof *f->code);
    f->codes = calloc(f->count + 1, sizeof *f->codes);
    if (!f->code || !f->codes) return false;
    for (size_t i = 0; i < f->count; i++) {
        struct image_hit hit;
        f->code[i] = HTML_NONE;
        if (f->places[i].pc == PROFILE_PC_END || !images_find(d->images, f->places[i], &hit)) continue;
        size_t c = f->code_count; // functions of one address follow each other: the code, if listed, is near
        while (c > 0 && f->codes[c - 1].place.pc == f->places[i].pc && f->codes[c - 1].first.program != hit.program)
            c--;
        if (c == 0 || f->codes[c - 1].place.pc != f->places[i].pc) c = ++f->code_count;
        struct html_code *code = &f->codes[c - 1];
        f->code[i] = (uint32_t)(c - 1);
        if (code->count) continue;
        code->first = hit;
        code->place = f->places[i];
        code->count = (uint32_t)image_hit_function(&hit)->count;
        code->slot = malloc(code->count * sizeof *code->slot);
        if (!code->slot) return false;
        memset(code->slot, 0xff, code->count * sizeof *code->slot);
    }
    return true;
}

struct place html_code_place(const struct html_code *code, uint32_t instruction) {
    size_t count;
    const struct program_instruction *all = program_instructions(code->first.program, &count);
    return (struct place){all[code->first.instruction + instruction].pc + code->first.bias, code->place.context};
}

// The code of a place and which of its instructions it is. False: it has none.
static bool locate(const struct html_functions *f, const struct run *d, struct place place, uint32_t *function,
                   uint32_t *instruction) {
    const struct place unit = unit_of(d->images, BY_FUNCTION, place);
    const struct place *found = bsearch(&unit, f->places, f->count, sizeof *f->places, by_place);
    struct image_hit hit;
    *function = found ? (uint32_t)(found - f->places) : HTML_NONE;
    *instruction = 0;
    if (!found || f->code[*function] == HTML_NONE || !images_find(d->images, place, &hit)) return false;
    const struct html_code *code = &f->codes[f->code[*function]];
    *instruction = (uint32_t)(hit.instruction - code->first.instruction);
    return true;
}

static void mark(struct html_functions *f, const struct run *d, const struct profile_row *rows, size_t count,
                 bool reported) {
    for (size_t i = 0; i < count; i++) {
        uint32_t function, instruction;
        if (!locate(f, d, row_place(&rows[i]), &function, &instruction)) continue;
        struct html_code *code = &f->codes[f->code[function]];
        code->slot[instruction] = 0;
        if (reported) code->weight += rows[i].weight;
    }
}

struct rank {
    uint64_t weight;
    size_t code;
};

static int heavier(const void *x, const void *y) {
    const struct rank *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return a->code < b->code ? -1 : a->code > b->code;
}

// Whole listings while they fit, the heaviest first; then instructions with time.
static bool choose_listed(struct html_functions *f) {
    struct rank *order = malloc((f->code_count + 1) * sizeof *order);
    size_t listed = 0;
    if (!order) return false;
    for (size_t c = 0; c < f->code_count; c++)
        order[c] = (struct rank){f->codes[c].weight, c};
    qsort(order, f->code_count, sizeof *order, heavier);
    for (size_t c = 0; c < f->code_count; c++) {
        struct html_code *code = &f->codes[order[c].code];
        const bool whole = listed == 0 || (code->weight && listed + code->count <= LISTED);
        for (uint32_t i = 0; i < code->count; i++) {
            if (whole || code->slot[i] != HTML_NONE) code->slot[i] = code->listed++;
        }
        listed += code->listed;
    }
    free(order);
    return true;
}

bool html_functions_create(struct html_functions *f, const struct run *d, const struct call_tree *calls) {
    *f = (struct html_functions){0};
    if (!find_places(f, d, calls) || !find_code(f, d)) return false;
    mark(f, d, d->rows, d->row_count, true);
    if (d->shown) return choose_listed(f); // the other profiles hold the whole run
    mark(f, d, d->sampled, d->sampled_count, false);
    for (size_t i = 0; i < samples_profile_count(d->samples); i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        mark(f, d, p->rows, p->count, false);
    }
    return choose_listed(f);
}

void html_functions_destroy(struct html_functions *f) {
    for (size_t c = 0; c < f->code_count; c++)
        free(f->codes[c].slot);
    free(f->codes);
    free(f->code);
    free(f->places);
}

struct html_slot html_functions_find(const struct html_functions *f, const struct run *d, struct place place) {
    struct html_slot slot;
    if (locate(f, d, place, &slot.function, &slot.instruction))
        slot.instruction = f->codes[f->code[slot.function]].slot[slot.instruction];
    return slot;
}

// ---- written out ----
const char *html_source_name(const char *file) {
    return strncmp(file, "./", 2) == 0 ? file + 2 : file;
}

uint32_t html_source_number(const struct run *d, struct string_table *strings, struct place place, unsigned *line) {
    const char *file = report_source(d, place, line);
    return file ? string_table_number(strings, file) : STRING_NONE;
}

// Of a column by its name (place_columns.h).
static uint32_t text_number(const struct run *d, struct place place, const char *column, struct string_table *strings) {
    char text[TEXT], plain[VALUE_LONGEST];
    const struct value v = place_value(d, BY_FUNCTION, place, column, text, sizeof text);
    return string_table_number(strings, v.kind == VALUE_TEXT ? v.text : value_plain(&v, plain));
}

static uint64_t line_of(const struct run *d, struct place place) {
    const struct value v = place_value(d, BY_FUNCTION, place, "line", NULL, 0);
    return v.kind == VALUE_COUNT ? v.count : 0;
}

static void write_functions(const struct html_functions *f, const struct run *d, struct string_table *strings,
                            FILE *out) {
    JSON_COLUMN(out, "\"functions\":{\"name\"", i, f->count, text_number(d, f->places[i], "label_of_hart", strings));
    JSON_COLUMN(out, ",\"unit\"", i, f->count, text_number(d, f->places[i], "unit", strings));
    JSON_COLUMN(out, ",\"mode\"", i, f->count, text_number(d, f->places[i], "?mode", strings));
    JSON_COLUMN(out, ",\"image\"", i, f->count, text_number(d, f->places[i], "?image", strings));
    JSON_COLUMN(out, ",\"process\"", i, f->count, text_number(d, f->places[i], "?process", strings));
    JSON_COLUMN(out, ",\"hart\"", i, f->count, text_number(d, f->places[i], "?hart", strings));
    JSON_COLUMN(out, ",\"file\"", i, f->count, text_number(d, f->places[i], "?file", strings));
    JSON_COLUMN(out, ",\"line\"", i, f->count, line_of(d, f->places[i]));
    JSON_COLUMN(out, ",\"code\"", i, f->count, number_or_none(f->code[i]));
    fputs("},", out);
}

enum column { OFFSET, INSTRUCTION, FILE_NAME, LINE, INLINE, BLOCK, COLUMNS };

static void write_column(const struct html_code *code, const struct run *d, struct pair_numbers *inlines,
                         struct string_table *strings, enum column column, FILE *out) {
    static const char *const keys[] = {"offset", "text", "file", "line", "inline", "block"};
    size_t count, written = 0;
    char words[TEXT];
    const struct program_instruction *all = &program_instructions(code->first.program, &count)[code->first.instruction];
    fprintf(out, "\"%s\":[", keys[column]);
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->slot[i] == HTML_NONE) continue;
        const struct place place = html_code_place(code, i);
        unsigned line = 0;
        uint32_t value = 0;
        switch (column) {
        case OFFSET: value = (uint32_t)(place.pc - code->place.pc); break;
        case INSTRUCTION:
            report_instruction(d, place, words, sizeof words);
            value = string_table_number(strings, words);
            break;
        case FILE_NAME: value = html_source_number(d, strings, place, &line); break;
        case LINE: value = html_source_number(d, strings, place, &line) == STRING_NONE ? 0 : line; break;
        case INLINE: value = html_inlines_number(inlines, code, place.pc, strings); break;
        case BLOCK: value = all[i].block == code->first.instruction + i; break;
        case COLUMNS: break;
        }
        fprintf(out, written++ ? ",%lld" : "%lld", (long long)number_or_none(value));
    }
    fputs(column + 1 == COLUMNS ? "]" : "],", out);
}

static void write_code(const struct html_code *code, const struct run *d, struct pair_numbers *inlines,
                       struct string_table *strings, FILE *out) {
    fprintf(out, "{\"start\":\"0x%llx\",\"name\":%u,\"image\":%u,\"instructions\":%u,",
            (unsigned long long)code->place.pc, string_table_number(strings, image_hit_function(&code->first)->name),
            string_table_number(strings, report_image(d, code->place)), code->count);
    for (enum column column = 0; column < COLUMNS; column++)
        write_column(code, d, inlines, strings, column, out);
    fputc('}', out);
}

void html_functions_write(const struct html_functions *f, const struct run *d, struct pair_numbers *inlines,
                          struct string_table *strings, FILE *out) {
    write_functions(f, d, strings, out);
    fputs("\"code\":[", out);
    for (size_t c = 0; c < f->code_count; c++) {
        if (c) fputc(',', out);
        write_code(&f->codes[c], d, inlines, strings, out);
    }
    fputs("],\n", out);
}
