// Frames sorted by caller and name, then placed one after the other on it.
#include "report/flame_layout.h"
#include "report/words.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = REPORT_WHOLE };

struct key {          // a box to be placed
    size_t on;        // number + 1 of the frame that it stands on; 0: the box of all time
    const char *name; // of a frame; NULL: a leaf
    size_t frame;
    uint8_t state;
    uint16_t psv;
    uint64_t weight;
};

static int in_order(const void *x, const void *y) {
    const struct key *a = x, *b = y;
    if (a->on != b->on) return a->on < b->on ? -1 : 1;
    if (!a->name != !b->name) return a->name ? -1 : 1;
    const int names = a->name ? strcmp(a->name, b->name) : 0;
    if (names) return names;
    if (a->frame != b->frame) return a->frame < b->frame ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    return a->psv < b->psv ? -1 : a->psv > b->psv;
}

static bool make_names(struct flame_layout *l, const struct run *d, const struct call_tree *t, bool by_address) {
    char text[NAME];
    l->names = calloc(t->frame_count + 1, sizeof *l->names);
    for (size_t i = 0; l->names && i < t->frame_count; i++) {
        call_frame_name(d, t, i, by_address, text, sizeof text);
        if (d->harts > 1 && t->frames[i].parent == CALL_TREE_NONE)
            words_append(text, sizeof text, " {hart %u}",
                         place_hart(t->functions[t->frames[i].function].place.context));
        if (!(l->names[i] = strdup(text))) return false;
    }
    return l->names != NULL;
}

// A frame is a key, and each row of the profile that has a state is one; sorted, equal ones added up.
static size_t make_keys(struct key *keys, const struct flame_layout *l, const struct run *d,
                        const struct call_tree *t) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < t->frame_count; i++)
        keys[count++] = (struct key){t->frames[i].parent + 1, l->names[i], i, 0, 0, t->frames[i].inclusive};
    for (size_t i = 0; i < d->row_count; i++) {
        const struct profile_row *row = &d->rows[i];
        if (row->state == STATE_COUNT && !row->psv) continue; // a profiler that says neither
        keys[count++] = (struct key){t->row_frames[i] + 1, NULL, t->row_frames[i], row->state, row->psv, row->weight};
    }
    qsort(keys, count, sizeof *keys, in_order);
    for (size_t i = 0; i < count; i++) {
        if (kept && in_order(&keys[kept - 1], &keys[i]) == 0) {
            keys[kept - 1].weight += keys[i].weight;
        } else {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

// Frames have greater numbers than their callers: what a key stands on is placed before it.
static void place(struct flame_layout *l, const struct key *keys, size_t count, const struct call_tree *t,
                  size_t *box_of, uint64_t *used) {
    for (size_t i = 0; i < count; i++) {
        const struct key *k = &keys[i];
        if (!k->weight) continue;
        struct flame_box *below = &l->boxes[box_of[k->on]];
        struct flame_box *box = &l->boxes[l->count];
        *box = (struct flame_box){.left = below->left + used[k->on],
                                  .weight = k->weight,
                                  .depth = below->depth + 1,
                                  .frame = k->frame,
                                  .leaf = !k->name,
                                  .state = k->state,
                                  .psv = k->psv};
        used[k->on] += k->weight;
        if (box->depth >= l->depth) l->depth = box->depth + 1;
        if (box->leaf) {
            box->states[k->state] = box->own = k->weight;
        } else {
            box_of[k->frame + 1] = l->count;
            memcpy(box->states, t->frames[k->frame].states, sizeof box->states);
            box->own = t->frames[k->frame].exclusive;
        }
        l->count++;
    }
}

// States of a frame are those of its own time up to here: those of what stands on it come to them.
static void sum_up(struct flame_layout *l, const struct call_tree *t, const size_t *box_of) {
    for (size_t i = t->frame_count; i-- > 0;) {
        const size_t on = t->frames[i].parent + 1;
        if (!t->frames[i].inclusive) continue;
        const struct flame_box *box = &l->boxes[box_of[i + 1]];
        for (unsigned s = 0; s <= STATE_COUNT; s++)
            l->boxes[box_of[on]].states[s] += box->states[s];
    }
}

bool flame_layout_create(struct flame_layout *l, const struct run *d, const struct call_tree *t, bool by_address) {
    const size_t most = t->frame_count + d->row_count + 1;
    struct key *keys = malloc(most * sizeof *keys);
    size_t *box_of = calloc(t->frame_count + 1, sizeof *box_of);
    uint64_t *used = calloc(t->frame_count + 1, sizeof *used);
    *l = (struct flame_layout){.boxes = malloc(most * sizeof *l->boxes), .depth = 1};
    const bool good = keys && box_of && used && l->boxes && make_names(l, d, t, by_address);
    if (good) {
        l->boxes[l->count++] = (struct flame_box){.weight = t->total, .frame = CALL_TREE_NONE};
        place(l, keys, make_keys(keys, l, d, t), t, box_of, used);
        sum_up(l, t, box_of);
    }
    free(keys);
    free(box_of);
    free(used);
    return good;
}

void flame_layout_destroy(struct flame_layout *l, const struct call_tree *t) {
    for (size_t i = 0; l->names && i < t->frame_count; i++)
        free(l->names[i]);
    free(l->names);
    free(l->boxes);
    *l = (struct flame_layout){0};
}
