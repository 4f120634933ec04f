// Marked instructions: flow.h. The decoder gives them bodies of their own (bodies.h), which come here first.
#include "iss/iss_internal.h"
#include <stdlib.h>
#include <string.h>

enum { LEAST_BITS = 4 };

static size_t slot_of(const struct iss_flow *f, uint64_t pc) {
    return (size_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> (64 - f->mark_bits));
}

// Its number, or mark_count.
static size_t find(const struct iss_flow *f, uint64_t pc) {
    const size_t mask = ((size_t)1 << f->mark_bits) - 1;
    for (size_t i = slot_of(f, pc); f->mark_slots[i]; i = (i + 1) & mask)
        if (f->marks[f->mark_slots[i] - 1] == pc) return f->mark_slots[i] - 1;
    return f->mark_count;
}

static void put(struct iss_flow *f, size_t number) {
    const size_t mask = ((size_t)1 << f->mark_bits) - 1;
    const uint64_t pc = f->marks[number], place = pc % PAGE_BYTES / 2;
    size_t i = slot_of(f, pc);
    while (f->mark_slots[i])
        i = (i + 1) & mask;
    f->mark_slots[i] = (uint32_t)number + 1;
    f->mark_offsets[place / 64] |= UINT64_C(1) << place % 64;
}

bool iss_flow_mark(struct iss *iss, const uint64_t *pcs, size_t count, iss_flow_marked *marked, void *context,
                   struct error *err) {
    struct iss_flow *f = iss->flow;
    unsigned bits = LEAST_BITS;
    while ((size_t)1 << bits < 4 * count)
        bits++;
    uint64_t *const marks = malloc((count + 1) * sizeof *marks);
    uint32_t *const slots = calloc((size_t)1 << bits, sizeof *slots);
    if (!marks || !slots) {
        free(marks);
        free(slots);
        error_nomem(err, "marks of a run");
        return false;
    }
    free(f->marks);
    free(f->mark_slots);
    if (count) memcpy(marks, pcs, count * sizeof *marks);
    memset(f->mark_offsets, 0, sizeof f->mark_offsets);
    f->marks = marks;
    f->mark_slots = slots;
    f->mark_bits = bits;
    f->mark_count = count;
    f->marked = marked;
    f->marked_context = context;
    for (size_t i = 0; i < count; i++)
        put(f, i);
    for (unsigned i = 0; i < iss->hart_count; i++)
        iss_drop_decoded(&iss->harts[i]);
    return true;
}

bool iss_flow_may_mark(const struct hart *h, uint64_t address) {
    const struct iss_flow *f = h->machine->flow;
    const uint64_t place = address % PAGE_BYTES / 2;
    if (!(f->mark_offsets[place / 64] >> place % 64 & 1)) return false;
    return !h->fetch_limit || find(f, address) < f->mark_count;
}

bool iss_flow_met(struct hart *h, uint64_t pc, int64_t before) {
    struct iss_flow *f = h->machine->flow;
    const size_t mark = find(f, pc);
    if (mark == f->mark_count) return false;
    iss_flow_begin(h, pc, before);
    const bool again = h->flow.stopped == (pc | 1);
    h->flow.stopped = 0;
    if (again || !f->marked(f->marked_context, h, mark)) return false;
    h->flow.stopped = pc | 1;
    return f->stopped = true;
}

bool iss_flow_stopped(const struct iss *iss) {
    return iss->flow->stopped;
}

uint64_t iss_flow_steps(const struct hart *hart) {
    const struct iss *iss = hart->machine;
    uint64_t steps = (uint64_t)(hart->synced - hart->flow.left);
    for (unsigned i = 0; i < iss->hart_count; i++)
        steps += iss->harts[i].steps;
    return steps;
}
