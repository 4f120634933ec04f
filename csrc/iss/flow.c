// Which blocks a run executes, and how much of each: flow.h. What is done at each block is in execute.c.
#include "iss/flow.h"
#include "base/array.h"
#include "iss/iss_internal.h"
#include <stdlib.h>

// Room for one block more, and for it in the list of those with instructions.
static bool reserve(struct iss_flow *f) {
    return array_reserve(&f->blocks, &f->capacity, f->count, sizeof *f->blocks) &&
           array_reserve_all(&f->touched, &f->touched_capacity, f->count + 1, sizeof *f->touched);
}

bool iss_watch_flow(struct iss *iss, struct error *err) {
    if (iss->flow) return true;
    struct iss_flow *f = calloc(1, sizeof *f);
    if (f && (f->numbers = iss_counts_create()) && reserve(f)) {
        f->blocks[f->count++] = (struct iss_flow_block){.counts = UINT64_MAX}; // number 0: none
        iss->flow = f;
        return true;
    }
    iss_flow_destroy(f);
    error_nomem(err, "flow of control");
    return false;
}

void iss_flow_destroy(struct iss_flow *f) {
    if (!f) return;
    iss_counts_destroy(f->numbers);
    free(f->blocks);
    free(f->touched);
    free(f->marks);
    free(f->mark_slots);
    free(f->edges);
    hash_index_free(&f->edge_index);
    free(f);
}

static uint64_t add(struct iss_flow *f, uint64_t pc, uint64_t context) {
    if (!reserve(f)) {
        f->partial = true;
        return 0;
    }
    const struct place place = {pc, context};
    const bool counts = !f->counts || f->counts(f->counts_context, place);
    f->blocks[f->count] = (struct iss_flow_block){.place = place, .counts = counts ? UINT64_MAX : 0};
    return f->count++;
}

// As iss_flow_begin, without an edge.
static void begin(struct hart *h, uint64_t pc, int64_t before) {
    struct iss_flow *f = h->machine->flow;
    const uint64_t context = place_on_hart(iss_context(h), h->place);
    h->cells = iss_cells_at(f->numbers, pc, context);
    h->counted_page =
        f->edges ? UINT64_MAX / 2 : pc & ~(uint64_t)(PAGE_BYTES - 1); // no address of a guest's: all come here
    uint64_t *const number = &h->cells[pc % PAGE_BYTES / 2];
    if (!*number) *number = add(f, pc, context);
    iss_flow_next(h, before, *number);
    h->flow.begin = pc;
    h->flow.from = 0;
}

// With an edge from the block before.
static void follow(struct hart *h, uint64_t pc, int64_t before, bool event) {
    struct iss_flow *f = h->machine->flow;
    const uint64_t from = h->flow.block;
    begin(h, pc, before);
    if (!f->edges || !from || !h->flow.block) return;
    iss_flow_add_edge(f, from, h->flow.block, event);
    h->flow.from = from;
}

void iss_flow_begin(struct hart *h, uint64_t pc, int64_t before) {
    const struct iss_flow_block *block = &h->machine->flow->blocks[h->flow.block];
    if (h->flow.left != before || block->place.pc != pc) follow(h, pc, before, false); // else it has begun
}

void iss_flow_resume(struct hart *h) {
    struct iss_flow *f = h->machine->flow;
    const uint64_t block = h->flow.mid_block;
    h->flow.mid_block = 0;
    if (block && h->pc == h->flow.mid && f->blocks[block].place.context == place_on_hart(iss_context(h), h->place)) {
        begin(h, f->blocks[block].place.pc, h->asked); // its cells, which others may have replaced
    } else if (h->flow.stopped) {
        begin(h, h->pc, h->asked);
    } else {
        follow(h, h->pc, h->asked, h->flow.mid != h->pc);
    }
    h->flow.mid = UINT64_MAX; // the address of no instruction
}

void iss_flow_pause(struct hart *h, uint64_t pc) {
    h->flow.mid = pc;
    h->flow.mid_block = pc == h->flow.begin ? 0 : h->flow.block;
    if (pc != h->flow.begin || !h->flow.from) return;
    iss_flow_take_edge(h->machine->flow, h->flow.from); // the next run begins the block again, or another
    h->flow.block = h->flow.from;
}

uint64_t iss_run_blocks(struct iss *iss, uint64_t at_least) {
    uint64_t done = iss_run(iss, at_least), more = 1;
    while (more && iss_last(iss)->flow.mid_block)
        done += more = iss_run(iss, 1);
    return done;
}

size_t iss_flow_count(const struct iss *iss) {
    return iss->flow->count - 1;
}

struct place iss_flow_place(const struct iss *iss, size_t number) {
    return iss->flow->blocks[number].place;
}

void iss_flow_take(struct iss *iss, iss_flow_seen *seen, void *context) {
    struct iss_flow *f = iss->flow;
    for (size_t i = 0; i < f->touched_count; i++) {
        const uint64_t number = f->touched[i], instructions = f->blocks[number].instructions;
        f->blocks[number].instructions = 0;
        seen(context, number, instructions);
    }
    f->touched_count = 0;
}

void iss_flow_count_by(struct iss *iss, iss_flow_counts *counts, void *context) {
    iss->flow->counts = counts;
    iss->flow->counts_context = context;
}

bool iss_flow_is_counted(const struct iss *iss, size_t number) {
    return iss->flow->blocks[number].counts;
}

uint64_t iss_flow_counted(const struct iss *iss) {
    return iss->flow->counted;
}

bool iss_flow_whole(const struct iss *iss) {
    return !iss->flow->partial && iss_cells_whole(iss->flow->numbers);
}
