// Collapsed stacks, which flamegraph.pl, speedscope and others draw: a line for each call stack, root first,
//
//   _start;main;step;force 1234
//
// the weight in 1/U cycles, as in profiles (profile/units.h). A function that a trap ran is marked: "on_timer
// [interrupt]". With --by instruction, the addresses of the calls and of the instruction take the place of
// functions.
#include "report/call_tree.h"
#include "report/folded.h"
#include "report/formats.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Names are made once for each function and way to be entered: `names`, STRING_NONE at first.
static uint32_t name_of(struct folded *f, const struct run *d, const struct call_tree *t, size_t frame, bool by_address,
                        uint32_t *names) {
    uint32_t *name = &names[t->frames[frame].function * STACK_KINDS + t->frames[frame].kind];
    char text[REPORT_WHOLE];
    if (*name != STRING_NONE) return *name;
    call_frame_name(d, t, frame, by_address, text, sizeof text);
    return *name = folded_name(f, text);
}

// Of several harts each has a frame below its stacks.
static uint32_t root_of(struct folded *f, const struct run *d, const struct call_tree *t, size_t frame) {
    const struct place place = t->functions[t->frames[frame].function].place;
    char text[32];
    if (d->harts == 1 || place.pc == PROFILE_PC_END) return FOLDED_ROOT;
    snprintf(text, sizeof text, "hart %u", place_hart(place.context));
    return folded_on(f, FOLDED_ROOT, folded_name(f, text));
}

// Frames are behind those that they stand on.
static bool gather(struct folded *f, const struct run *d, const struct call_tree *t, bool by_address) {
    const size_t most = (t->function_count + 1) * STACK_KINDS;
    uint32_t *names = malloc(most * sizeof *names), *stacks = malloc((t->frame_count + 1) * sizeof *stacks);
    const bool good = names && stacks;
    if (good) memset(names, 0xff, most * sizeof *names);
    for (size_t i = 0; good && i < t->frame_count; i++) {
        const struct call_frame *frame = &t->frames[i];
        const uint32_t on = frame->parent == CALL_TREE_NONE ? root_of(f, d, t, i) : stacks[frame->parent];
        stacks[i] = folded_on(f, on, name_of(f, d, t, i, by_address, names));
        folded_add(f, stacks[i], frame->exclusive);
    }
    free(names);
    free(stacks);
    return good;
}

static int write_folded(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct call_tree tree;
    const bool by_address = o->one_table;
    const enum granularity g = by_address ? BY_INSTRUCTION : BY_FUNCTION;
    if (!call_tree_create(&tree, d, g, o->max_stack, err)) return -EINVAL;
    struct folded *folded = folded_create();
    const bool good = folded && gather(folded, d, &tree, by_address) && folded_write(folded, out);
    folded_destroy(folded);
    call_tree_destroy(&tree);
    return good ? 0 : report_out_of_memory(d->path, err);
}

const struct report_format format_folded = {
    .name = "folded", .write = write_folded, .stacks = true, .whole_stacks = true};
