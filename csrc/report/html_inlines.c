// Inlined calls of the HTML report: a tree, each node numbered as it is met.
#include "report/html_document.h"

enum { DEEPEST = 32 };
enum { CALL, SITE }; // of a node: the call around it and its function's name; file and line. 32 bits each

static uint64_t both(uint32_t high, uint32_t low) {
    return (uint64_t)high << 32 | low;
}

uint32_t html_inlines_number(struct pair_numbers *inlines, const struct html_code *code, uint64_t pc,
                             struct string_table *strings) {
    struct program_inline calls[DEEPEST];
    size_t depth = program_inlines(code->first.program, pc - code->first.bias, calls, DEEPEST);
    uint32_t number = HTML_NONE;
    if (depth > DEEPEST) depth = DEEPEST; // the innermost of them
    while (depth-- > 0) {                 // from the outermost inwards
        const char *of = calls[depth].file;
        const uint32_t name = string_table_number(strings, calls[depth].function),
                       file = of ? string_table_number(strings, html_source_name(of)) : STRING_NONE;
        number = (uint32_t)pair_number(inlines, both(number, name), both(file, calls[depth].line), true);
    }
    return number;
}

void html_inlines_write(const struct pair_numbers *inlines, FILE *out) {
    uint64_t(*const node)[2] = inlines->keys;
    JSON_COLUMN(out, "\"inlines\":{\"name\"", i, inlines->count, number_or_none((uint32_t)node[i][CALL]));
    JSON_COLUMN(out, ",\"file\"", i, inlines->count, number_or_none(node[i][SITE] >> 32));
    JSON_COLUMN(out, ",\"line\"", i, inlines->count, (uint32_t)node[i][SITE]);
    JSON_COLUMN(out, ",\"parent\"", i, inlines->count, number_or_none(node[i][CALL] >> 32));
    fputs("},\n", out);
}
