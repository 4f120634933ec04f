// JSON written straight to a file, for documents that are mostly columns of numbers, and strings held once. Not for
// other libraries.
#ifndef TIPOFF_REPORT_JSON_TEXT_H
#define TIPOFF_REPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A JSON string, with what is no UTF-8 escaped (plain_utf8). '<', '>' and '&' are written as
// escapes, so that the text may stand in an HTML <script>: no name can end the element.
void json_text_string(FILE *out, const char *text);
// head:[...], of what `format` makes of the arguments for each i below count; head: a literal, "\"key\"", perhaps with
// what separates it from the member before. Numbers: JSON_COLUMN; those beyond INT64_MAX: JSON_WEIGHTS.
#define JSON_EACH(out, head, i, count, format, ...)                                                                    \
    do {                                                                                                               \
        fputs(head ":[", out);                                                                                         \
        for (size_t i = 0; i < (count); i++)                                                                           \
            fprintf(out, i ? "," format : format, __VA_ARGS__);                                                        \
        fputc(']', out);                                                                                               \
    } while (0)
#define JSON_COLUMN(out, head, i, count, value) JSON_EACH(out, head, i, count, "%lld", (long long)(value))
#define JSON_WEIGHTS(out, head, i, count, value) JSON_EACH(out, head, i, count, "%llu", (unsigned long long)(value))

// Strings by number, each held once.
struct string_table;
struct string_table *string_table_create(void);    // NULL: no memory
void string_table_destroy(struct string_table *t); // NULL is fine
#define STRING_NONE UINT32_MAX
static inline int64_t number_or_none(uint32_t number) { // -1: STRING_NONE
    return number == STRING_NONE ? -1 : (int64_t)number;
}
// The number of the string; it is copied. STRING_NONE: no memory, now or before (string_table_good is false then).
uint32_t string_table_number(struct string_table *t, const char *text);
bool string_table_good(const struct string_table *t);
uint32_t string_table_count(const struct string_table *t);
const char *string_table_text(const struct string_table *t, uint32_t number); // below that count
void string_table_write(const struct string_table *t, FILE *out);             // an array, in the order of the numbers

#endif
