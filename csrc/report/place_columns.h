// Columns that say where a place is, by name, for CSV and JSON: unit, name, source ("file:line"), file, line,
// instruction, mode, space, image, process. Not for other libraries.
#ifndef TIPOFF_REPORT_PLACE_COLUMNS_H
#define TIPOFF_REPORT_PLACE_COLUMNS_H

#include "report/run.h"

struct cJSON;
// Fields of CSV with a comma between them; empty where nothing is known.
#define place_csv(out, d, g, place, ...) place_csv_of(out, d, g, place, (const char *const[]){__VA_ARGS__, NULL})
void place_csv_of(FILE *out, const struct run *d, enum granularity g, struct place place, const char *const *names);
// Members of an object; "?name": none where nothing is known.
#define place_json(object, d, g, place, ...)                                                                           \
    place_json_of(object, d, g, place, (const char *const[]){__VA_ARGS__, NULL})
void place_json_of(struct cJSON *object, const struct run *d, enum granularity g, struct place place,
                   const char *const *names);

#endif
