// Registry of trace formats: one line each.
#include "trace/tracer.h"
#include <stdio.h>
#include <string.h>

static const struct tracer_format *const formats[] = {
    &tracer_bin,
    &tracer_csv,
};

const struct tracer_format *tracer_find(const char *name, struct error *err) {
    char known[128] = "";
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", formats[i]->name);
    }
    error_set(err, "trace format '%s': no such format: use one of %s", name, known);
    return NULL;
}
