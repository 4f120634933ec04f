// Inlined calls of the HTML report: a tree, each node numbered as it is met.
#include "base/array.h"
#include "report/html_document.h"
#include <stdlib.h>

enum { DEEPEST = 32, KEY = 64 };

struct inline_node {
    uint32_t name, file, line, parent;
};

struct html_inlines {
    struct string_table *keys; // of nodes: their numbers are the nodes'
    struct inline_node *list;
    size_t count, capacity;
};

struct html_inlines *html_inlines_create(void) {
    struct html_inlines *t = calloc(1, sizeof *t);
    if (t && (t->keys = string_table_create())) return t;
    free(t);
    return NULL;
}

void html_inlines_destroy(struct html_inlines *t) {
    if (!t) return;
    string_table_destroy(t->keys);
    free(t->list);
    free(t);
}

static uint32_t node_number(struct html_inlines *t, struct inline_node node) {
    char key[KEY];
    snprintf(key, sizeof key, "%u %u %u %u", node.parent, node.name, node.file, node.line);
    const uint32_t number = string_table_number(t->keys, key);
    if (number == STRING_NONE || number < t->count) return number;
    if (!array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list)) return HTML_NONE;
    t->list[t->count++] = node;
    return number;
}

uint32_t html_inlines_number(struct html_inlines *t, const struct html_code *code, uint64_t pc,
                             struct string_table *strings) {
    struct program_inline calls[DEEPEST];
    size_t depth = program_inlines(code->first.program, pc - code->first.bias, calls, DEEPEST);
    uint32_t number = HTML_NONE;
    if (depth > DEEPEST) depth = DEEPEST; // the innermost of them
    while (depth-- > 0) {                 // from the outermost inwards
        const struct inline_node node = {
            string_table_number(strings, calls[depth].function),
            calls[depth].file ? string_table_number(strings, html_source_name(calls[depth].file)) : STRING_NONE,
            calls[depth].line, number};
        number = node_number(t, node);
    }
    return number;
}

void html_inlines_write(const struct html_inlines *t, FILE *out) {
    JSON_COLUMN(out, "\"inlines\":{\"name\"", i, t->count, number_or_none(t->list[i].name));
    JSON_COLUMN(out, ",\"file\"", i, t->count, number_or_none(t->list[i].file));
    JSON_COLUMN(out, ",\"line\"", i, t->count, t->list[i].line);
    JSON_COLUMN(out, ",\"parent\"", i, t->count, number_or_none(t->list[i].parent));
    fputs("},\n", out);
}
