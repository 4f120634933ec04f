// Rows that are written one by one, as text, CSV or JSON: a view says which columns stand where in each, by name, and
// the value of each in a row. Nothing is kept, so that millions of rows take no memory. (sheet.h: a table whose columns
// are as wide as what is in them.) Not for other libraries.
#ifndef TIPOFF_REPORT_COLUMNS_H
#define TIPOFF_REPORT_COLUMNS_H

#include "report/run.h"
#include "report/value.h"
#include <string.h>

struct columns {
    // A line. What stands in braces is a column's: {weight:13} right-aligned in 13 bytes, {name:-24} left-aligned,
    // {share} in colours, {states:20} a bar of 20; the rest stands as it is.
    const char *text;
    const char *csv;  // "unit,state,weight": the columns, and their heading; "states": one for each; "unit,": part of a
                      // line that goes on
    const char *json; // "unit,?file": the members; "?": none where nothing is known;
                      // "a.weight": in an object "a"
    // The value of a column, which may have its "?" before it. A text may be in `room`: REPORT_SHOWN bytes for people,
    // REPORT_WHOLE in files (words.h).
    struct value (*get)(const void *row, const char *column, char *room, size_t size);
};
// With or without "?". Inline, and by the first letter first: a cell of millions of rows asks for its column dozens of
// times.
static inline bool column_is(const char *column, const char *name) {
    column += *column == '?';
    return *column == *name && strcmp(column, name) == 0;
}

void columns_text(const struct columns *c, const struct report_options *o, const void *row, FILE *out);
void columns_csv_heading(const struct columns *c, FILE *out);
void columns_csv(const struct columns *c, const void *row, FILE *out);
struct cJSON *columns_json(const struct columns *c, const void *row); // NULL: no memory
// Where the rows of a report go.
struct rows {
    const struct report_options *options; // whose format it is
    FILE *out;
    struct cJSON *array; // JSON: the rows so far
    bool failed;         // there was no memory for one of them
};
void rows_add(struct rows *to, const struct columns *c, const void *row);

#endif
