// Cells become values by how they look: csv_json.h.
#include "cli/csv_json.h"
#include <string.h>

static void put_cell(const char *cell, size_t length, FILE *out) {
    if (length == 0)
        fputs("null", out);
    else if (strspn(cell, "0123456789") >= length)
        fprintf(out, "%.*s", (int)length, cell);
    else
        fprintf(out, "\"%.*s\"", (int)length, cell);
}

static void put_list(const char *cell, size_t length, FILE *out) {
    fputc('[', out);
    for (const char *const end = cell + length; cell < end;) {
        const size_t part = strcspn(cell, ";,");
        put_cell(cell, part, out);
        cell += part + 1;
        if (cell < end) fputc(',', out);
    }
    fputc(']', out);
}

void csv_json_row(const char *header, const char *row, const char *list, FILE *out) {
    for (char before = '{';; before = ',') {
        const size_t name = strcspn(header, ","), cell = strcspn(row, ",");
        fprintf(out, "%c\"%.*s\":", before, (int)name, header);
        if (cell && strncmp(header, list, strlen(list)) == 0)
            put_list(row, cell, out);
        else
            put_cell(row, cell, out);
        if (!header[name] || !row[cell]) break;
        header += name + 1;
        row += cell + 1;
    }
    fputc('}', out);
}
