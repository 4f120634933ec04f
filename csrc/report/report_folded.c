// Collapsed stacks, which flamegraph.pl, speedscope and others draw: a line for each call stack, root first,
//
//   _start;main;step;force 1234
//
// the weight in 1/U cycles, as in profiles (base/units.h). A function that a trap ran says so: "on_timer [interrupt]".
// With --granularity instruction, the addresses of the calls and of the instruction take the place of functions.
#include "report/call_tree.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = REPORT_WHOLE };

// ; ends a frame and a line ends the stack: no name may hold either.
static void print_frame(const struct report_data *d, const struct call_tree *t, size_t frame, bool by_address,
                        FILE *out) {
    char text[NAME];
    call_frame_name(d, t, frame, by_address, text, sizeof text);
    for (const char *at = text; *at; at++)
        fputc(*at == ';' || *at == '\n' ? ':' : *at, out);
}

// way: an array that holds all frames.
static void print_stack(const struct report_data *d, const struct call_tree *t, size_t frame, bool by_address,
                        size_t *way, FILE *out) {
    size_t length = 0;
    for (size_t i = frame; i != CALL_TREE_NONE; i = t->frames[i].parent)
        way[length++] = i;
    while (length-- > 0) {
        print_frame(d, t, way[length], by_address, out);
        fputc(length ? ';' : ' ', out);
    }
    fprintf(out, "%llu\n", (unsigned long long)t->frames[frame].exclusive);
}

int report_folded(const struct report_data *d, const struct report_options *o, FILE *out, struct error *err) {
    struct call_tree tree;
    const bool by_address = o->one_table;
    if (!call_tree_create(&tree, d, by_address ? BY_INSTRUCTION : BY_FUNCTION, err)) return -EINVAL;
    size_t *way = malloc((tree.frame_count + 1) * sizeof *way);
    for (size_t i = 0; way && i < tree.frame_count; i++) {
        if (tree.frames[i].exclusive) print_stack(d, &tree, i, by_address, way, out);
    }
    int result = way ? 0 : report_out_of_memory(d->path, err);
    free(way);
    call_tree_destroy(&tree);
    return result;
}
