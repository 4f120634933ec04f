// Source lines and inlined calls by address. The compilation units' addresses are one sorted list; the lines and the
// inlined calls of a unit are read the first time that they are asked for: a kernel has thousands of units, a report
// looks at some.
#include "analysis/program_internal.h"
#include "analysis/segments.h"
#include "base/array.h"
#include "base/plain_text.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>

struct path { // a file of a unit, plain, with the folder that it was compiled in where its own name begins in none
    const char *raw; // libdw's
    char *whole;
};
struct unit {
    Dwarf_Die die;      // has the lines
    Dwarf_Die calls_of; // has the inlined calls: the same, or the unit of a .dwo file
    struct path *paths; // of those that were asked for
    size_t path_count, path_capacity, last_path;
    Dwarf_Lines *lines; // libdw's, by address
    size_t line_count;
    struct inline_tree *inlines;
    bool lines_read, inlines_read;
};

struct debug_info {
    Dwarf *dwarf; // the module's
    uint64_t bias;
    struct unit *units;
    struct span *spans; // of the units, while they are read
    struct segments segments;
    size_t unit_count, unit_capacity, span_count, span_capacity;
    struct debug_lack lack;
};

// A skeleton unit has the lines, and names the file that has the rest. libdw looks for it beside the program and in the
// folder of the compiler.
static void count_lack(struct debug_info *d, Dwarf_Die *skeleton) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &attribute));
    if (!name) name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attribute));
    if (d->lack.units++ == 0) d->lack.file = name ? name : "?";
}

// No linker sees a .dwo file, but lengths of code are its to say, because it shortens code: the assembler of binutils
// writes 0. Calls that have ranges of their own, which are in the program, are all that is left.
static bool has_lengths(Dwarf_Die *unit) {
    Dwarf_Die die;
    Dwarf_Attribute attribute;
    Dwarf_Word length;
    if (dwarf_child(unit, &die) != 0) return true;
    do {
        if (dwarf_tag(&die) != DW_TAG_subprogram || !dwarf_attr(&die, DW_AT_high_pc, &attribute)) continue;
        return dwarf_formudata(&attribute, &length) != 0 || length > 0;
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
}

static bool add_unit(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *split, bool skeleton) {
    Dwarf_Addr base, low, high;
    const bool found = skeleton && split->addr;
    if (!array_reserve(&d->units, &d->unit_capacity, d->unit_count, sizeof *d->units)) return false;
    if (skeleton && !found) count_lack(d, die);
    if (found && !has_lengths(split)) d->lack.lengths++;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (low >= high) continue;
        if (!array_reserve(&d->spans, &d->span_capacity, d->span_count, sizeof *d->spans)) return false;
        d->spans[d->span_count++] = (struct span){.low = low + d->bias, .high = high + d->bias, .owner = d->unit_count};
    }
    d->units[d->unit_count++] = (struct unit){.die = *die, .calls_of = found ? *split : *die};
    return true;
}

struct debug_info *debug_info_create(Dwfl_Module *module) {
    struct debug_info *d = calloc(1, sizeof *d);
    Dwarf_Addr bias = 0;
    if (!d || !module) return d;
    d->dwarf = dwfl_module_getdwarf(module, &bias);
    d->bias = bias;
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, split;
    uint8_t type;
    bool good = true;
    while (good && d->dwarf && dwarf_get_units(d->dwarf, cu, &cu, NULL, &type, &die, &split) == 0)
        good = add_unit(d, &die, &split, type == DW_UT_skeleton);
    good = segments_create(&d->segments, d->spans, d->span_count) && good;
    if (good) return d;
    debug_info_destroy(d);
    return NULL;
}

struct debug_lack debug_info_lack(const struct debug_info *d) {
    return d->lack;
}

static void free_unit(struct unit *u) {
    inline_tree_destroy(u->inlines);
    for (size_t i = 0; i < u->path_count; i++)
        free(u->paths[i].whole);
    free(u->paths);
}

void debug_info_destroy(struct debug_info *d) {
    if (!d) return;
    for (size_t i = 0; i < d->unit_count; i++)
        free_unit(&d->units[i]);
    free(d->units);
    segments_free(&d->segments);
    free(d);
}

static const char *folder_of(struct unit *u) {
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(&u->die, DW_AT_comp_dir, &attribute));
    return folder && *folder == '/' ? folder : NULL;
}

static const char *whole_path(struct unit *u, const char *raw) {
    const char *folder = raw && *raw != '/' ? folder_of(u) : NULL;
    if (!raw || (!folder && plain_is(raw))) return raw;
    if (u->last_path < u->path_count && u->paths[u->last_path].raw == raw) return u->paths[u->last_path].whole;
    size_t i = 0;
    while (i < u->path_count && u->paths[i].raw != raw)
        i++;
    if (i == u->path_count) {
        char *path, *whole;
        if (!array_reserve(&u->paths, &u->path_capacity, u->path_count, sizeof *u->paths)) return NULL;
        if (asprintf(&path, "%s%s%s", folder ? folder : "", folder ? "/" : "", raw) < 0) return NULL;
        whole = plain_name(path);
        free(path);
        if (!whole) return NULL;
        u->paths[u->path_count++] = (struct path){raw, whole};
    }
    u->last_path = i;
    return u->paths[i].whole;
}

static bool line_at(const struct unit *u, size_t i, Dwarf_Addr *address, int *number, bool *ends) {
    Dwarf_Line *line = dwarf_onesrcline(u->lines, i);
    *number = 0;
    return line && dwarf_lineaddr(line, address) == 0 && dwarf_lineno(line, number) == 0 &&
           dwarf_lineendsequence(line, ends) == 0;
}

// libdw sorts rows by address, the end of a sequence before the start of another; of equal ones the last counts. Code
// of line 0 belongs to the line before.
static const char *line_of_unit(struct debug_info *d, struct unit *u, uint64_t pc, unsigned *line) {
    Dwarf_Addr address;
    int number;
    bool ends = true;
    if (!u->lines_read && dwarf_getsrclines(&u->die, &u->lines, &u->line_count) != 0) u->line_count = 0;
    u->lines_read = true;
    size_t low = 0, high = u->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (!line_at(u, middle, &address, &number, &ends)) return NULL;
        if (address + d->bias <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low && line_at(u, low - 1, &address, &number, &ends) && !ends && number == 0)
        low--;
    if (low == 0 || !line_at(u, low - 1, &address, &number, &ends) || ends) return NULL;
    *line = (unsigned)number;
    return whole_path(u, dwarf_linesrc(dwarf_onesrcline(u->lines, low - 1), NULL, NULL));
}

// Units lie in one another where their ranges were written by hand, or are not exact: one that knows no line of the
// address leaves it to the one around it.
const char *debug_info_line(struct debug_info *d, uint64_t pc, unsigned *line) {
    for (size_t i = segments_find(&d->segments, pc); i != SEGMENTS_NONE; i = segments_outer(&d->segments, i, pc)) {
        const char *file = line_of_unit(d, &d->units[d->segments.spans[i].owner], pc, line);
        if (file) return file;
    }
    return NULL;
}

size_t debug_info_inlines(struct debug_info *d, uint64_t pc, struct program_inline *calls, size_t size) {
    const size_t span = segments_find(&d->segments, pc);
    if (span == SEGMENTS_NONE) return 0;
    struct unit *u = &d->units[d->segments.spans[span].owner];
    if (!u->inlines_read) u->inlines = inline_tree_create(&u->calls_of, d->bias);
    u->inlines_read = true;
    const size_t count = u->inlines ? inline_tree_find(u->inlines, pc, calls, size) : 0;
    for (size_t i = 0; i < count && i < size; i++)
        calls[i].file = whole_path(u, calls[i].file);
    return count;
}
