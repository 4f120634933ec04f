// A table that is filled once and written as text, CSV or JSON: columns with a name for programs and a heading for
// people, cells in the order of the columns, row by row. A cell is a value: text shows it as people read it, files have
// it exactly. Not for other libraries.
//
// Not by libsmartcols (2.38.1): 3,000,000 rows of 8 columns take 16.5 s and 1.9 GiB there, and a cell of blocks in the
// C locale never ends (scols_table_enable_noencoding, which the colours of bars need).
#ifndef TIPOFF_REPORT_SHEET_H
#define TIPOFF_REPORT_SHEET_H

#include "report/value.h"
#include <stddef.h>

enum sheet_place {
    SHEET_RIGHT, // in text: aligned so
    SHEET_LEFT,
    SHEET_FILES, // not in text
    SHEET_TEXT,  // in text only, aligned left
    SHEET_KNOWN  // not in text; in JSON only where something is known
};
#define SHEET_ALL SIZE_MAX
struct sheet;
struct sheet *sheet_create(void); // NULL: no memory
void sheet_destroy(struct sheet *s);
void sheet_column(struct sheet *s, const char *name, const char *heading, enum sheet_place place);
void sheet_text(struct sheet *s, const char *text);  // copied
void sheet_add(struct sheet *s, struct value value); // that is no text
size_t sheet_rows(const struct sheet *s);
bool sheet_good(const struct sheet *s);                               // there was memory for all of it
void sheet_write_text(const struct sheet *s, size_t rows, FILE *out); // the first of them; SHEET_ALL
void sheet_write_csv(const struct sheet *s, FILE *out);
void sheet_write_json(const struct sheet *s, FILE *out); // an array of objects
struct cJSON *sheet_json(const struct sheet *s);         // likewise, as an item of a document
// The first rows for the page of HTML reports, as members of an object: what text shows, and numbers to sort by.
void sheet_write_page(const struct sheet *s, size_t rows, FILE *out);

#endif
