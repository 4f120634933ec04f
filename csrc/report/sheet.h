// A table that is filled once and written as text, CSV or JSON: columns with a name for programs and a heading for
// people, cells in the order of the columns, row by row. Not for other libraries.
#ifndef TIPOFF_REPORT_SHEET_H
#define TIPOFF_REPORT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum sheet_place { SHEET_RIGHT, SHEET_LEFT, SHEET_FILES }; // in text: aligned so; not there
struct sheet;
struct sheet *sheet_create(void); // NULL: no memory
void sheet_destroy(struct sheet *s);
void sheet_column(struct sheet *s, const char *name, const char *heading, enum sheet_place place);
void sheet_text(struct sheet *s, const char *text);
void sheet_count(struct sheet *s, uint64_t value);
void sheet_real(struct sheet *s, double value, int decimals); // not finite: no cell
void sheet_none(struct sheet *s);       // nothing is known: "-" in text, empty in CSV, null in JSON
bool sheet_good(const struct sheet *s); // there was memory for all of it
void sheet_write_text(const struct sheet *s, FILE *out);
void sheet_write_csv(const struct sheet *s, FILE *out);
void sheet_write_json(const struct sheet *s, FILE *out); // an array of objects

#endif
