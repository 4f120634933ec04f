// Where slices of a run begin, from a file: a list of numbers, a table with a column `begin` (tipoff bbv --format csv),
// or a regions file (JSON, its list `slices`).
#ifndef TIPOFF_WORKERS_SLICE_BEGINS_H
#define TIPOFF_WORKERS_SLICE_BEGINS_H

#include "base/error.h"
#include <stdint.h>

// Instructions and traps of the run before each slice, rising, the first one 0, whether the file has it or not. *list:
// *count of them, the caller's to free. 0, or a negative errno with err, which names file, fault and remedy.
int slice_begins_read(const char *path, uint64_t **list, size_t *count, struct error *err);

#endif
