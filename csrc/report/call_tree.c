// Frames of (stack, function), found from the innermost outwards; sums over them, from the last to the first.
#include "report/call_tree.h"
#include "base/array.h"
#include "report/contexts.h"
#include "report/pair_numbers.h"
#include "report/words.h"
#include <errno.h>
#include <stdlib.h>

// ---- frames ----
struct builder {
    struct call_tree *tree;
    const struct run *data;
    enum granularity granularity;
    const struct stack_node *nodes;
    uint32_t node_count;
    struct pair_numbers functions, frames; // frames: by parent, and function and kind
    size_t frame_capacity, function_capacity;
    struct pair_numbers known; // (stack, function) ...
    size_t *known_frame;       // ... and the frame of each
    size_t known_capacity;
    uint32_t max_stack; // 0: frames are not counted
    struct stack_depths depths;
    size_t *callers; // of each node, the function that it was called from, + 1; 0: not looked up yet
    struct way {
        uint32_t stack;
        size_t function;
    } * way; // from the innermost frame outwards
    size_t way_capacity;
};

static size_t function_of(struct builder *b, struct place unit) {
    struct call_tree *t = b->tree;
    const size_t number = pair_number(&b->functions, unit.pc, unit.context, true);
    if (number == CALL_TREE_NONE || number < t->function_count) return number;
    if (!array_reserve(&t->functions, &b->function_capacity, number, sizeof *t->functions)) return CALL_TREE_NONE;
    t->functions[t->function_count++] = (struct call_function){.place = unit};
    return number;
}

static size_t function_at(struct builder *b, struct place place) {
    return function_of(b, unit_of(b->data->images, b->granularity, place));
}

static bool is_known(const struct builder *b, uint32_t stack) {
    return stack > STACK_LOST && stack < b->node_count;
}

static bool has_caller(const struct builder *b, uint32_t stack) {
    return stack_has_caller(b->nodes, b->node_count, stack);
}

// What the call to this stack is part of.
static size_t caller_of(struct builder *b, uint32_t stack) {
    if (b->callers[stack]) return b->callers[stack] - 1;
    const struct stack_node *node = &b->nodes[stack];
    const size_t function = function_at(b, (struct place){node->site, b->nodes[node->parent].context});
    b->callers[stack] = function + 1; // of CALL_TREE_NONE 0
    return function;
}

static size_t frame_below(struct builder *b, size_t parent, size_t function, enum stack_kind kind) {
    struct call_tree *t = b->tree;
    const size_t number = pair_number(&b->frames, parent, function * STACK_KINDS + kind, true);
    if (number == CALL_TREE_NONE || number < t->frame_count) return number;
    if (!array_reserve(&t->frames, &b->frame_capacity, number, sizeof *t->frames)) return CALL_TREE_NONE;
    t->frames[t->frame_count++] = (struct call_frame){.parent = parent, .function = function, .kind = kind};
    return number;
}

static size_t frame_on(struct builder *b, size_t parent, const struct way *at) {
    const enum stack_kind kind = is_known(b, at->stack) ? b->nodes[at->stack].kind : STACK_ROOT;
    return frame_below(b, parent, at->function, kind);
}

static size_t add_frame(struct builder *b, size_t parent, const struct way *at) {
    const size_t number = pair_number(&b->known, at->stack, at->function, true);
    if (number == CALL_TREE_NONE) return number;
    if (!array_reserve(&b->known_frame, &b->known_capacity, number, sizeof *b->known_frame)) return CALL_TREE_NONE;
    return b->known_frame[number] = frame_on(b, parent, at);
}

// The frame of this function, called by this stack, with all of its callers. CALL_TREE_NONE: no memory.
static size_t frame_of(struct builder *b, uint32_t stack, size_t function) {
    size_t length = 0, frame = CALL_TREE_NONE;
    for (struct way at = {stack, function};; at = (struct way){b->nodes[at.stack].parent, caller_of(b, at.stack)}) {
        if (at.function == CALL_TREE_NONE) return CALL_TREE_NONE;
        const size_t known = pair_number(&b->known, at.stack, at.function, false);
        if (known != CALL_TREE_NONE) {
            frame = b->known_frame[known];
            break;
        }
        if (!array_reserve(&b->way, &b->way_capacity, length, sizeof *b->way)) return CALL_TREE_NONE;
        b->way[length++] = at;
        if (!has_caller(b, at.stack)) break;
    }
    while (length > 0) {
        frame = add_frame(b, frame, &b->way[--length]);
        if (frame == CALL_TREE_NONE) return frame;
    }
    return frame;
}

static struct way caller_way(struct builder *b, uint32_t stack) {
    return (struct way){b->nodes[stack].parent, caller_of(b, stack)};
}

// The outermost frames, one for those that are left out, and the innermost.
static size_t cut_frame_of(struct builder *b, uint32_t stack, size_t function) {
    const uint32_t inner = stack_inner(b->max_stack);
    const struct way outer = caller_way(b, b->depths.below[stack]);
    size_t frame = outer.function == CALL_TREE_NONE ? CALL_TREE_NONE : frame_of(b, outer.stack, outer.function);
    const size_t left_out = frame == CALL_TREE_NONE ? CALL_TREE_NONE : function_of(b, REPORT_LEFT_OUT);
    if (left_out == CALL_TREE_NONE) return CALL_TREE_NONE;
    frame = frame_below(b, frame, left_out, STACK_CALL);
    struct way at = {stack, function};
    for (uint32_t length = 0; length < inner; at = caller_way(b, at.stack)) {
        if (at.function == CALL_TREE_NONE) return CALL_TREE_NONE;
        if (!array_reserve(&b->way, &b->way_capacity, length, sizeof *b->way)) return CALL_TREE_NONE;
        b->way[length++] = at;
    }
    for (uint32_t i = inner; i-- > 0 && frame != CALL_TREE_NONE;)
        frame = frame_on(b, frame, &b->way[i]);
    return frame;
}

static size_t row_frame(struct builder *b, const struct profile_row *row, uint32_t stack, size_t function) {
    const uint32_t depth = b->max_stack && stack != STACK_UNKNOWN ? b->depths.depth[stack] : 0;
    if (depth <= b->max_stack) return frame_of(b, stack, function);
    b->tree->cut += row->weight;
    return cut_frame_of(b, stack, function);
}

static bool book(struct builder *b) {
    struct call_tree *t = b->tree;
    for (size_t i = 0; i < b->data->row_count; i++) {
        const struct profile_row *row = &b->data->rows[i];
        const size_t function = function_at(b, row_place(row));
        const uint32_t stack = is_known(b, row->stack) ? row->stack : STACK_UNKNOWN;
        const size_t frame = function == CALL_TREE_NONE ? function : row_frame(b, row, stack, function);
        if (frame == CALL_TREE_NONE) return false;
        t->row_frames[i] = frame;
        t->frames[frame].exclusive += row->weight;
        t->frames[frame].states[row->state] += row->weight;
        t->total += row->weight;
        if (stack == STACK_UNKNOWN && row->pc != PROFILE_PC_END) t->unknown += row->weight;
    }
    for (size_t i = t->frame_count; i-- > 0;) {
        struct call_frame *frame = &t->frames[i];
        frame->inclusive += frame->exclusive;
        if (frame->parent != CALL_TREE_NONE) t->frames[frame->parent].inclusive += frame->inclusive;
    }
    return true;
}

static bool has_stacks(const struct run *d) {
    for (size_t i = 0; i < d->row_count; i++) {
        if (d->rows[i].stack != STACK_UNKNOWN) return true;
    }
    return false;
}

bool call_tree_create(struct call_tree *t, const struct run *d, enum granularity g, uint32_t max_stack,
                      struct error *err) {
    uint32_t node_count;
    *t = (struct call_tree){0};
    samples_stacks(d->samples, &node_count);
    if (!node_count) {
        error_set(err, "%s: holds no call stacks: run again without --no-cosim and --no-call-graph", d->path);
        return false;
    }
    if (!has_stacks(d)) {
        error_set(err, "%s: the profile of %s has no call stacks: leave --profiler out, or name Oracle", d->path,
                  d->profiler);
        return false;
    }
    return call_tree_create_any(t, d, g, max_stack, err);
}

static void tell_cut(const struct call_tree *t, const struct run *d, uint32_t max_stack) {
    if (!t->cut) return;
    warning(d->notices, STACK_CUT_TEXT, d->path, 100 * (double)t->cut / (double)t->total, "the time has", max_stack);
}

bool call_tree_create_any(struct call_tree *t, const struct run *d, enum granularity g, uint32_t max_stack,
                          struct error *err) {
    struct builder b = {.tree = t, .data = d, .granularity = g, .max_stack = max_stack};
    *t = (struct call_tree){0};
    b.nodes = samples_stacks(d->samples, &b.node_count);
    b.callers = calloc((size_t)b.node_count + 1, sizeof *b.callers);
    t->row_frames = malloc((d->row_count + 1) * sizeof *t->row_frames);
    bool good = b.callers && t->row_frames;
    if (good && max_stack) good = stack_depths_create(&b.depths, b.nodes, b.node_count, max_stack);
    good = good && book(&b) && call_tree_sum_up(t);
    stack_depths_destroy(&b.depths);
    free(b.callers);
    free(b.way);
    pair_numbers_free(&b.functions);
    pair_numbers_free(&b.frames);
    pair_numbers_free(&b.known);
    free(b.known_frame);
    if (good) tell_cut(t, d, max_stack);
    if (good) return true;
    report_out_of_memory(d->path, err);
    call_tree_destroy(t);
    return false;
}

const char *call_entered(enum stack_kind kind) {
    static const char *const words[STACK_KINDS] = {
        [STACK_EXCEPTION] = " [exception]", [STACK_INTERRUPT] = " [interrupt]", [STACK_UPCALL] = " [signal]"};
    return words[kind] ? words[kind] : "";
}

void call_frame_name(const struct run *d, const struct call_tree *t, size_t frame, bool by_address, char *text,
                     size_t size) {
    const struct call_frame *f = &t->frames[frame];
    const struct place place = t->functions[f->function].place;
    if (by_address) {
        report_unit(d, BY_INSTRUCTION, place, text, size);
        return;
    }
    report_label(d, BY_FUNCTION, place, text, size);
    words_append(text, size, "%s", call_entered(f->kind));
}

void call_tree_destroy(struct call_tree *t) {
    free(t->frames);
    free(t->row_frames);
    free(t->functions);
    free(t->edges);
    *t = (struct call_tree){0};
}
