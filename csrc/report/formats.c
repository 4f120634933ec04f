// The formats of reports: a row each, in the order of REPORT_FORMATS.
#include "report/report_data.h"
#include <string.h>

#define ROW(id, name, stacks, compare, report_function, stacks_function)                                               \
    [REPORT_##id] = {name, stacks, compare, report_function, stacks_function},
static const struct report_format_row rows[] = {REPORT_FORMATS(ROW)};
enum { COUNT = sizeof rows / sizeof *rows };

const struct report_format_row *report_format_row(enum report_format format) {
    return &rows[format];
}

static bool is_for(const struct report_format_row *row, enum report_use use) {
    return use == REPORT_USE_STACKS ? row->stacks : use == REPORT_USE_COMPARE ? row->compare : true;
}

bool report_format_find(enum report_use use, const char *name, enum report_format *format) {
    for (int f = 0; f < COUNT; f++) {
        if (!is_for(&rows[f], use) || strcmp(rows[f].name, name) != 0) continue;
        *format = (enum report_format)f;
        return true;
    }
    return false;
}

void report_format_names(enum report_use use, char *text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (int f = 0; f < COUNT && used < size; f++) {
        if (is_for(&rows[f], use))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", rows[f].name);
    }
}
