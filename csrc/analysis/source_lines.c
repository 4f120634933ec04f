// Line tables of all compilation units, from DWARF, as one array sorted by address.
#include "analysis/program_internal.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

struct row {
    uint64_t address;
    const char *file; // owned by the Dwarf handle; NULL: nothing is known from here on
    unsigned line;
    size_t order; // as read: of rows at one address the last counts
};

struct source_lines {
    Dwarf *dwarf;
    struct row *rows;
    size_t count, capacity;
};

static bool add(struct source_lines *s, struct row row) {
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 1024;
        struct row *grown = realloc(s->rows, capacity * sizeof *grown);
        if (!grown) return false;
        s->rows = grown;
        s->capacity = capacity;
    }
    row.order = s->count;
    s->rows[s->count++] = row;
    return true;
}

static bool add_unit(struct source_lines *s, Dwarf_Die *unit) {
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return true;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        int number = 0;
        bool ends = false;
        if (!line || dwarf_lineaddr(line, &address) != 0) continue;
        dwarf_lineno(line, &number);
        dwarf_lineendsequence(line, &ends);
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (!ends && number == 0) continue; // code of no line: it belongs to the line before
        if (!add(s, (struct row){.address = address, .file = ends ? NULL : file, .line = (unsigned)number}))
            return false;
    }
    return true;
}

// An end of one sequence at the address where another starts comes first, so that the start counts.
static int compare(const void *x, const void *y) {
    const struct row *a = x, *b = y;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    if (!a->file != !b->file) return a->file ? 1 : -1;
    return a->order < b->order ? -1 : 1;
}

struct source_lines *source_lines_create(int fd) {
    struct source_lines *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->dwarf = dwarf_begin(fd, DWARF_C_READ);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (s->dwarf && dwarf_get_units(s->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (!add_unit(s, &die)) {
            source_lines_destroy(s);
            return NULL;
        }
    }
    if (s->count) qsort(s->rows, s->count, sizeof *s->rows, compare);
    return s;
}

void source_lines_destroy(struct source_lines *s) {
    if (!s) return;
    if (s->dwarf) dwarf_end(s->dwarf);
    free(s->rows);
    free(s);
}

const char *source_lines_find(const struct source_lines *s, uint64_t pc, unsigned *line) {
    size_t low = 0, high = s->count; // rows[low - 1].address <= pc < rows[high].address
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->rows[middle].address <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || !s->rows[low - 1].file) return NULL;
    *line = s->rows[low - 1].line;
    return s->rows[low - 1].file;
}
