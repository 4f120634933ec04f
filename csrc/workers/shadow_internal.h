// The shadow ROB's state, and what happens to it in nearly every cycle: for shadow.c and shadow_rob.c.
#ifndef TIPOFF_WORKERS_SHADOW_INTERNAL_H
#define TIPOFF_WORKERS_SHADOW_INTERNAL_H

#include "workers/shadow.h"

enum { SHADOW_RING = 2048 }; // at least twice the largest ROB

struct shadow_slot {
    uint64_t pc, dispatched;
    uint64_t successor; // address of the first that was dispatched after it, before any redirect of its doing
    bool followed;      // there is one
    bool redirected;    // a redirect was its doing
};

// Positions count up from 0 forever; a branch takes the tail back. Beside them, moved with them (a division in every
// cycle costs more): the lane of the head, and the place of the tail, its position modulo twice the entries.
struct shadow {
    unsigned width, entries, wrap; // wrap: bit of a ROB index
    unsigned lanes;                // all of them
    bool fcsr_flush;
    uint64_t head, tail;
    unsigned head_index, tail_place; // head_index: position modulo the entries
    unsigned head_lane;              // ... and its lane
    uint64_t head_since;
    uint64_t cleared; // cycle after which the ROB was emptied, UINT64_MAX: none of late
    uint64_t ordered; // cycle of a redirect by a branch, whose tail is seen in the next, UINT64_MAX
    bool pending;     // the instruction left last said mispredicted, in the cycle of the redirect
    struct shadow_view view;
    struct shadow_slot ring[SHADOW_RING];
};

static inline struct shadow_slot *shadow_at(struct shadow *s, uint64_t position) {
    return &s->ring[position % SHADOW_RING];
}
static inline const struct shadow_slot *shadow_entry(const struct shadow *s, uint64_t position) {
    return &s->ring[position % SHADOW_RING];
}

static inline unsigned shadow_next_lane(const struct shadow *s, unsigned lane) {
    return lane + 1 == s->width ? 0 : lane + 1;
}

static inline void shadow_move_head(struct shadow *s, unsigned count) {
    s->head += count;
    s->head_index += count;
    s->head_lane += count;
    if (s->head_lane >= s->width) s->head_lane -= s->width;
    if (s->head_index < s->entries) return;
    s->head_index -= s->entries;
    s->head_lane = s->head_index % s->width;
}

static inline void shadow_move_tail(struct shadow *s, uint64_t to) {
    unsigned lap = 2 * s->entries; // it moves by less than one
    s->tail_place += to >= s->tail ? (unsigned)(to - s->tail) : lap - (unsigned)(s->tail - to);
    if (s->tail_place >= lap) s->tail_place -= lap;
    s->tail = to;
}

// Position modulo twice the entries, which is what a ROB index with its wrap bit says.
static inline unsigned shadow_place(const struct shadow *s, unsigned index) {
    return (index & s->wrap ? s->entries : 0) + (index & (s->wrap - 1));
}

static inline void shadow_follow(struct shadow_slot *e, uint64_t successor) {
    if (e->followed || e->redirected) return;
    e->followed = true;
    e->successor = successor;
}

static inline void shadow_enter(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, unsigned count) {
    if (s->tail == s->head) {
        s->head_since = cycle + 1;
    } else {
        shadow_follow(shadow_at(s, s->tail - 1), b->dispatch_pc[0]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct shadow_slot *e = shadow_at(s, s->tail + i);
        e->pc = b->dispatch_pc[i];
        e->dispatched = cycle;
        e->redirected = false;
        e->followed = i + 1 < count;
        if (e->followed) e->successor = b->dispatch_pc[i + 1];
    }
    shadow_move_tail(s, s->tail + count);
}

static inline void shadow_note(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, unsigned count) {
    unsigned lane = b->oldest;
    s->view.cycle = cycle;
    s->view.count = count;
    for (unsigned k = 0; k < count; k++, lane = shadow_next_lane(s, lane)) {
        s->view.left[k] = (struct shadow_left){shadow_at(s, s->head + k)->dispatched, k ? cycle : s->head_since, lane};
    }
}

// ---- nearly every cycle ----
// All rules at once, of a cycle without a redirect or an exception, now or pending, and without a misprediction or a
// flush that commits. False: something differs, or it is another cycle; the rules are looked at one by one then.
// Changes nothing.
static inline unsigned shadow_group(const struct shadow *s, unsigned count) { // lanes of the oldest
    const unsigned lanes = ((1u << count) - 1) << s->head_lane;
    return (lanes | lanes >> s->width) & s->lanes;
}

static inline bool shadow_shows(const struct shadow *s, const struct commit_bundle *b, unsigned count) {
    uint64_t differs = b->valid ^ (count == s->width ? s->lanes : shadow_group(s, count));
    for (unsigned k = 0, lane = s->head_lane; k < count; k++, lane = shadow_next_lane(s, lane))
        differs |= shadow_entry(s, s->head + k)->pc ^ b->pc[lane];
    return differs == 0;
}

// CSR instructions, and fences and system instructions: rule 5 looks them up. Compressed forms never flush.
static inline bool shadow_may_flush(const struct iss_retire *step) {
    return step->csr_accessed || (step->insn & 0x7f) == 0x73 || (step->insn & 0x7f) == 0x0f;
}

// Where the youngest commits as the next one dispatches, that one's address belongs to it, too.
static inline bool shadow_commits_regularly(const struct shadow *s, const struct commit_bundle *b,
                                            const struct golden *golden, uint64_t used) {
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    if (!golden || count > used || (b->dispatch_valid && count == used)) return false;
    if (b->commit != shadow_group(s, count) || b->commit & (~b->first | b->mispredict | b->flush)) return false;
    bool differs = false;
    for (unsigned k = 0; k < count; k++) {
        const struct shadow_slot *e = shadow_entry(s, s->head + k);
        differs |= e->redirected | (e->followed & (e->successor != golden->step[k].next_pc));
        if (!golden->plain) differs |= shadow_may_flush(&golden->step[k]);
    }
    return !differs;
}

static inline bool shadow_is_regular(const struct shadow *s, const struct commit_bundle *b,
                                     const struct golden *golden) {
    const uint64_t used = s->tail - s->head;
    if ((s->ordered & s->cleared) != UINT64_MAX || b->exception | b->redirect) return false;
    if (shadow_place(s, b->dispatch_rob) != s->tail_place || b->rob_empty != (used == 0)) return false;
    if (used && b->oldest != s->head_lane) return false;
    if (!shadow_shows(s, b, used < s->width ? (unsigned)used : s->width)) return false;
    if (b->dispatch_valid & (b->dispatch_valid + 1)) return false;
    if (used + (unsigned)__builtin_popcount(b->dispatch_valid) > s->entries) return false;
    return !b->commit || shadow_commits_regularly(s, b, golden, used);
}

static inline void shadow_go_on(struct shadow *s, uint64_t cycle, const struct commit_bundle *b) {
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    if (b->dispatch_valid) shadow_enter(s, cycle, b, (unsigned)__builtin_popcount(b->dispatch_valid));
    shadow_note(s, cycle, b, count);
    if (!count) return;
    shadow_move_head(s, count);
    s->head_since = cycle + 1;
    s->pending = false;
}

// Any cycle: rule by rule.
bool shadow_irregular_cycle(struct shadow *s, uint64_t cycle, const struct commit_bundle *b,
                            const struct golden *golden, struct shadow_difference *d);

#endif
