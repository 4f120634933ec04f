// Which table of resources a command models with: a configuration's, or a file, with or without refinements.
#ifndef TIPOFF_CLI_GUS_TABLES_H
#define TIPOFF_CLI_GUS_TABLES_H

#include "methods/gus/table.h"
#include <limits.h>

struct gus_table_of {
    const char *config;
    const char *path;           // of a file in its place; NULL: none
    const char *const *without; // refinements that are left out, `without_count` of them
    unsigned without_count;
};
// Where it is goes to path. False with err: there is none, or it is wrong.
enum { GUS_TABLE_PATH = PATH_MAX + 64 };
bool gus_table_find(const struct gus_table_of *of, char path[GUS_TABLE_PATH], struct gus_table *table,
                    struct error *err);

#endif
