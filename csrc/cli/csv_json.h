// Rows of CSV as objects of JSON, for listings that are as long as a run and are written row by row.
#ifndef TIPOFF_CLI_CSV_JSON_H
#define TIPOFF_CLI_CSV_JSON_H

#include <stdio.h>

// header and row: lines without their ends, whose cells hold neither quotes nor commas. A cell of digits is a number,
// an empty one null, one of a column whose name begins with `list` an array of what stands between semicolons, any
// other a string.
void csv_json_row(const char *header, const char *row, const char *list, FILE *out);

#endif
