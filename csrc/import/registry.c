// The formats, in the order in which they are listed and tried.
#include "import/formats.h"
#include "import/import.h"
#include <string.h>

const struct import_format *const import_registry[] = {&import_o3pipeview, &import_kanata, &import_lifetimes,
                                                       &import_fields, &import_retires};
const unsigned import_registry_count = sizeof(import_registry) / sizeof(import_registry[0]);

const struct import_format *import_format_named(const char *name) {
    for (unsigned i = 0; i < import_registry_count; i++)
        if (strcmp(import_registry[i]->name, name) == 0) return import_registry[i];
    return NULL;
}

const struct import_format *import_format_of(const char *line) {
    for (unsigned i = 0; i < import_registry_count; i++)
        if (import_registry[i]->begins &&
            strncmp(line, import_registry[i]->begins, strlen(import_registry[i]->begins)) == 0)
            return import_registry[i];
    return NULL;
}
