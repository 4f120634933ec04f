// Each kind of sample finds its loops once, in its own function and in its callers'; each sample is added to them.
#include "report/loop_samples.h"
#include "base/array.h"
#include <stdlib.h>

enum {
    FRAMES = 64,      // of a call stack that are looked at, the innermost
    LOOPS = 512,      // that one sample is in: frames and what is around them
    TRIGGERS = 16384, // of a loop that are judged, the first
    REPEATS = 1024    // of a sample that are
};

// ---- which loops a sample is in ----
struct found {
    size_t count, list[LOOPS];
};

static void add_loops(struct gathering *g, struct place place, struct found *found) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END || !images_find(g->d->images, place, &hit)) return;
    struct function_flow *f = flows_of(g->flows, &hit);
    if (!f) {
        g->failed = true;
        return;
    }
    size_t i = f->blocks[flow_block_of(f->flow, hit.instruction)].loop;
    for (; i != PROGRAM_NONE && found->count < LOOPS; i = f->loops[i].parent) {
        if (f->loop_parts[i].unit == UNIT_NONE) {
            if (!array_reserve(&g->loops, &g->loop_capacity, g->loop_count, sizeof *g->loops)) {
                g->failed = true;
                return;
            }
            f->loop_parts[i].unit = g->loop_count;
            const struct place header = {f->code[f->blocks[f->loops[i].header].first].pc + hit.bias, place.context};
            g->loops[g->loop_count++] = (struct loop_samples){.of = f, .loop = i, .header = header, .error = -1};
        }
        found->list[found->count++] = f->loop_parts[i].unit;
    }
}

static void add_frames(struct gathering *g, uint32_t stack, struct found *found) {
    for (unsigned i = 0; i < FRAMES && stack > STACK_LOST && stack < g->node_count; i++) {
        const struct stack_node *node = &g->nodes[stack];
        if (node->kind != STACK_CALL || node->parent >= stack) return;
        // The call is the caller's, in whose context it was made.
        const uint64_t context = node->parent > STACK_LOST ? g->nodes[node->parent].context : node->context;
        add_loops(g, (struct place){node->site, context}, found);
        stack = node->parent;
    }
}

// ---- a sample, to its loops ----
static bool add_to_loop(struct gathering *g, struct loop_samples *l, const struct sample_times *t, uint64_t number,
                        uint32_t unit) {
    if (l->last == number) return true; // called from itself
    if (!l->last || l->last + 1 != number) l->visits++;
    l->last = number;
    l->cycles += (double)t->cycles;
    const uint64_t triggers = UINT64_C(1) + t->repeats + t->stalled, apart = g->d->header->sampling.period;
    for (uint64_t i = 0; i < triggers && i < REPEATS && l->trigger_count < TRIGGERS; i++) {
        if (!array_reserve(&l->triggers, &l->trigger_capacity, l->trigger_count, sizeof *l->triggers)) return false;
        l->triggers[l->trigger_count++] = (struct phase_trigger){t->cycle + i * apart, unit, l->visits};
    }
    return true;
}

// A number for the sample's oldest instruction: whatever the granularity, instructions show best whether triggers keep
// step.
static uint32_t instruction_number(struct place place) {
    return (uint32_t)((place.pc ^ place.context << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct oldest {
    struct place place;
    uint32_t stack;
};

static struct oldest oldest_of(const struct sample_record *r) {
    const struct sample *s = &r->sample;
    const unsigned lane = s->valid >> s->oldest & 1 ? s->oldest : s->valid ? (unsigned)__builtin_ctz(s->valid) : 0;
    const uint64_t context = place_context(s->priv, s->space);
    return (struct oldest){s->valid ? (struct place){s->addr[lane], context} : PLACE_END, r->stack[lane]};
}

// Loops are numbered as they come.
static bool find_loops(struct gathering *g, uint32_t kind) {
    struct loop_list *list = &g->lists[kind];
    struct sample_record common;
    struct found found;
    if (list->found) return true;
    sample_store_common(g->d->store, kind, &common);
    const struct oldest oldest = oldest_of(&common);
    found.count = 0;
    add_loops(g, oldest.place, &found);
    add_frames(g, oldest.stack, &found);
    *list = (struct loop_list){g->in_count, found.count, instruction_number(oldest.place), true,
                               oldest.place.pc == FILTER_CUT};
    for (size_t i = 0; i < found.count && !g->failed; i++) {
        g->failed = !array_reserve(&g->in, &g->in_capacity, g->in_count, sizeof *g->in);
        if (!g->failed) g->in[g->in_count++] = (uint32_t)found.list[i];
    }
    return !g->failed;
}

static bool add_samples(struct gathering *g) {
    struct sample_walk walk = sample_store_walk(g->d->store);
    struct sample_times times;
    for (uint64_t number = 1; sample_walk_next(&walk, &times); number++) {
        if (!find_loops(g, times.kind)) return false;
        const struct loop_list *list = &g->lists[times.kind];
        for (size_t i = list->first; i < list->first + list->count; i++) {
            if (!add_to_loop(g, &g->loops[g->in[i]], &times, number, list->unit)) return false;
        }
        if (!list->left_out) g->all += (double)times.cycles;
    }
    return true;
}

static void gathering_destroy(void *gathering) {
    struct gathering *g = gathering;
    for (size_t i = 0; i < g->loop_count; i++)
        free(g->loops[i].triggers);
    free(g->loops);
    free(g->lists);
    free(g->in);
    if (g->flows) flows_destroy(g->flows);
    free(g);
}

struct gathering *loop_samples_gather(const struct run *d, struct error *err) {
    static const char key;
    struct gathering *g = run_kept(d, &key, 0);
    if (g) return g;
    g = calloc(1, sizeof *g);
    if (g) {
        g->d = d;
        g->flows = flows_create(d);
        g->nodes = samples_stacks(d->samples, &g->node_count);
        g->lists = calloc((size_t)sample_store_kinds(d->store) + 1, sizeof *g->lists);
        const bool good = g->flows && g->lists && add_samples(g);
        if (!good) gathering_destroy(g);
        if (good && run_keep(d, &key, 0, g, gathering_destroy)) return g;
    }
    report_out_of_memory(d->path, err);
    return NULL;
}
