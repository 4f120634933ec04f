// build/CONFIG/gen/gus.tsv, or the file that is named: see gus_tables.h.
#include "cli/gus_tables.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include <stdio.h>

bool gus_table_find(const struct gus_table_of *of, char path[GUS_TABLE_PATH], struct gus_table *table,
                    struct error *err) {
    char folder[PATH_MAX];
    if (of->path) {
        snprintf(path, GUS_TABLE_PATH, "%s", of->path);
    } else {
        if (!folder_find(folder, sizeof folder, err) || configurations_check(folder, of->config, err) < 0) return false;
        snprintf(path, GUS_TABLE_PATH, "%s/%s/gen/gus.tsv", folder, of->config);
    }
    if (!gus_table_read(table, path, err)) return false;
    for (unsigned i = 0; i < of->without_count; i++)
        if (!gus_table_without(table, of->without[i], err)) return false;
    return true;
}
