// Which inlined calls an address of a compilation unit lies in: the unit's tree of DW_TAG_inlined_subroutine, made into
// a list of addresses (segments.h) from which on one of them is the innermost.
#include "analysis/program_internal.h"
#include "analysis/segments.h"
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

struct inline_tree {
    uint64_t bias;
    Dwarf_Files *files;
    struct call *calls;
    struct span *spans; // of the calls, while the tree is read
    struct segments segments;
    size_t call_count, call_capacity, span_count, span_capacity;
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
        t->spans[t->span_count++] =
            (struct span){.low = low + t->bias, .high = high + t->bias, .depth = depth, .owner = t->call_count - 1};
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

struct inline_tree *inline_tree_create(Dwarf_Die *unit, uint64_t bias) {
    struct inline_tree *t = calloc(1, sizeof *t);
    size_t files;
    if (!t) return NULL;
    t->bias = bias;
    if (dwarf_getsrcfiles(unit, &t->files, &files) != 0) t->files = NULL;
    bool good = read_children(t, unit, NO_CALL, 0);
    good = segments_create(&t->segments, t->spans, t->span_count) && good;
    if (good) return t;
    inline_tree_destroy(t);
    return NULL;
}

void inline_tree_destroy(struct inline_tree *t) {
    if (!t) return;
    for (size_t i = 0; i < t->call_count; i++)
        free(t->calls[i].function);
    free(t->calls);
    segments_free(&t->segments);
    free(t);
}

size_t inline_tree_find(const struct inline_tree *t, uint64_t pc, struct program_inline *calls, size_t size) {
    const size_t span = segments_find(&t->segments, pc);
    size_t depth = 0;
    for (size_t i = span == SEGMENTS_NONE ? NO_CALL : t->segments.spans[span].owner; i != NO_CALL;
         i = t->calls[i].parent, depth++) {
        const struct call *c = &t->calls[i];
        if (depth < size) calls[depth] = (struct program_inline){c->function, c->file, c->line};
    }
    return depth;
}
