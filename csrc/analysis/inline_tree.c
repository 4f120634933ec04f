// Which inlined calls an address of a compilation unit lies in: the unit's tree of DW_TAG_inlined_subroutine, made into
// a sorted list of addresses from which on one of them is the innermost.
#include "analysis/program_internal.h"
#include "base/array.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

enum { DEEPEST = 200 }; // of nested entries: more is a damaged file
#define NO_CALL SIZE_MAX

struct call {
    size_t parent; // the call that it was inlined with, or NO_CALL: straight into a function
    char *function;
    const char *file; // libdw's, or NULL
    unsigned line;
};
struct span {
    uint64_t low, high;
    size_t call;
    unsigned depth;
};
struct segment {
    uint64_t start;
    size_t call;
};

struct inline_tree {
    uint64_t bias;
    Dwarf_Files *files;
    struct call *calls;
    struct span *spans; // while the tree is read
    struct segment *segments;
    size_t call_count, call_capacity, span_count, span_capacity, segment_count;
};

// The function's name as in the symbol table, made readable; without one, as its source has it.
static char *function_name(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!name) name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    if (!name) name = dwarf_diename(die);
    return name_demangled(name ? name : "?");
}

static uint64_t number(Dwarf_Die *die, unsigned attribute_name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    return dwarf_formudata(dwarf_attr(die, attribute_name, &attribute), &value) == 0 ? value : 0;
}

static bool add_call(struct inline_tree *t, Dwarf_Die *die, size_t parent, unsigned depth) {
    Dwarf_Addr base, low, high;
    if (!array_reserve(&t->calls, &t->call_capacity, t->call_count, sizeof *t->calls)) return false;
    char *function = function_name(die);
    if (!function) return false;
    const char *file = t->files ? dwarf_filesrc(t->files, number(die, DW_AT_call_file), NULL, NULL) : NULL;
    t->calls[t->call_count++] = (struct call){parent, function, file, (unsigned)number(die, DW_AT_call_line)};
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (low >= high) continue;
        if (!array_reserve(&t->spans, &t->span_capacity, t->span_count, sizeof *t->spans)) return false;
        t->spans[t->span_count++] = (struct span){low + t->bias, high + t->bias, t->call_count - 1, depth};
    }
    return true;
}

static bool holds_code(int tag) {
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_try_block ||
           tag == DW_TAG_catch_block;
}

static bool read_children(struct inline_tree *t, Dwarf_Die *of, size_t parent, unsigned depth) {
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(of, &die) != 0) return true;
    do {
        const int tag = dwarf_tag(&die);
        if (!holds_code(tag)) continue;
        const bool call = tag == DW_TAG_inlined_subroutine;
        if (call && !add_call(t, &die, parent, depth)) return false;
        const size_t inner = call ? t->call_count - 1 : tag == DW_TAG_subprogram ? NO_CALL : parent;
        if (!read_children(t, &die, inner, depth + 1)) return false;
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
}

static int compare(const void *x, const void *y) {
    const struct span *a = x, *b = y;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return a->call < b->call ? -1 : a->call > b->call;
}

static void from_here(struct inline_tree *t, uint64_t start, size_t call) {
    if (t->segment_count && t->segments[t->segment_count - 1].start == start) t->segment_count--;
    t->segments[t->segment_count++] = (struct segment){start, call};
}

// An inner span that reaches beyond its outer one ends with it.
static bool flatten(struct inline_tree *t) {
    size_t *open = malloc((t->span_count + 1) * sizeof *open), depth = 0;
    t->segments = calloc(2 * t->span_count + 1, sizeof *t->segments);
    if (!open || !t->segments) {
        free(open);
        return false;
    }
    if (t->span_count) qsort(t->spans, t->span_count, sizeof *t->spans, compare);
    for (size_t i = 0; i <= t->span_count; i++) {
        const uint64_t low = i < t->span_count ? t->spans[i].low : UINT64_MAX;
        while (depth && t->spans[open[depth - 1]].high <= low) {
            depth--;
            from_here(t, t->spans[open[depth]].high, depth ? t->spans[open[depth - 1]].call : NO_CALL);
        }
        if (i == t->span_count) break;
        if (depth && t->spans[i].high > t->spans[open[depth - 1]].high)
            t->spans[i].high = t->spans[open[depth - 1]].high;
        open[depth++] = i;
        from_here(t, low, t->spans[i].call);
    }
    free(open);
    return true;
}

struct inline_tree *inline_tree_create(Dwarf_Die *unit, uint64_t bias) {
    struct inline_tree *t = calloc(1, sizeof *t);
    size_t files;
    if (!t) return NULL;
    t->bias = bias;
    if (dwarf_getsrcfiles(unit, &t->files, &files) != 0) t->files = NULL;
    bool good = read_children(t, unit, NO_CALL, 0) && flatten(t);
    free(t->spans);
    t->spans = NULL;
    if (good) return t;
    inline_tree_destroy(t);
    return NULL;
}

void inline_tree_destroy(struct inline_tree *t) {
    if (!t) return;
    for (size_t i = 0; i < t->call_count; i++)
        free(t->calls[i].function);
    free(t->calls);
    free(t->segments);
    free(t);
}

size_t inline_tree_find(const struct inline_tree *t, uint64_t pc, struct program_inline *calls, size_t size) {
    size_t low = 0, high = t->segment_count, depth = 0; // segments[low - 1].start <= pc < segments[high].start
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->segments[middle].start <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t i = low ? t->segments[low - 1].call : NO_CALL; i != NO_CALL; i = t->calls[i].parent, depth++) {
        const struct call *c = &t->calls[i];
        if (depth < size) calls[depth] = (struct program_inline){c->function, c->file, c->line};
    }
    return depth;
}
