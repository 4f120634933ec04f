// Columns that say where a place is, by name: unit, name, label (with image and process), label_of_hart (with the hart,
// too, where there are several), hart ("" where there is one), source ("src/a.c:7"), at
// ("a.c:7"), file, line, instruction, mode, space, image, process. Not for other libraries.
#ifndef TIPOFF_REPORT_PLACE_COLUMNS_H
#define TIPOFF_REPORT_PLACE_COLUMNS_H

#include "report/columns.h"

// "" where nothing is known; of "?name", and where it is the end of the run, none.
struct value place_value(const struct run *d, enum granularity g, struct place place, const char *column, char *room,
                         size_t size);
// An object of such members: "unit,?file".
struct cJSON *place_json(const struct run *d, enum granularity g, struct place place, const char *columns);

#endif
