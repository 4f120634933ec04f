// Head and tail as dispatch, commits, redirects and clears move them; a ring of what was dispatched between them.
#include "csrs.h"
#include "instructions.h"
#include "workers/shadow_internal.h"
#include <stdlib.h>

static const struct insn_info insns[] = {INSN_INFO_ROWS};
static const struct csr_info csrs[] = {CSR_INFO_ROWS};

struct shadow *shadow_create(unsigned width, unsigned entries, bool fcsr_flush, struct error *err) {
    struct shadow *s = entries && entries <= SHADOW_RING / 2 ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        error_set(err, "shadow ROB: %u entries: 1 to %d are possible, and memory for them", entries, SHADOW_RING / 2);
        return NULL;
    }
    s->width = width;
    s->lanes = (1u << width) - 1;
    s->entries = entries;
    s->wrap = entries > 1 ? 1u << (32 - __builtin_clz(entries - 1)) : 1;
    s->fcsr_flush = fcsr_flush;
    s->cleared = s->ordered = UINT64_MAX;
    return s;
}

void shadow_destroy(struct shadow *s) {
    free(s);
}

const struct shadow_view *shadow_view(const struct shadow *s) {
    return &s->view;
}

static bool differ(struct shadow_difference *d, const char *what, uint64_t expected, uint64_t got) {
    if (expected == got) return false;
    *d = (struct shadow_difference){what, expected, got};
    return true;
}

// ---- rules 1, 2 and 6 ----
// The cycle after a redirect by a branch: the entries that are left end with it.
static bool take_back(struct shadow *s, unsigned index, struct shadow_difference *d) {
    unsigned lap = 2 * s->entries, shown = shadow_place(s, index);
    uint64_t killed = (s->tail_place + lap - shown) % lap;
    s->ordered = UINT64_MAX;
    if (killed > s->tail - s->head) return differ(d, "entries that the redirect killed", s->tail - s->head, killed);
    shadow_move_tail(s, s->tail - killed);
    bool left = s->tail == s->head; // it is not in the ROB any more: then it left in the cycle of the redirect
    if (left != s->pending) return differ(d, "whether a mispredicted branch caused the redirect", left, s->pending);
    if (!left) shadow_at(s, s->tail - 1)->redirected = true;
    s->pending = false;
    return false;
}

static bool check_tail(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, struct shadow_difference *d) {
    if (s->ordered != UINT64_MAX && take_back(s, b->dispatch_rob, d)) return true;
    if (differ(d, "index of the next ROB entry", s->tail_place, shadow_place(s, b->dispatch_rob))) return true;
    bool due = s->cleared != UINT64_MAX;
    if (due && (cycle != s->cleared + 1 || !b->redirect))
        return differ(d, "redirect after an exception or a flush", 1, 0);
    return b->redirect && differ(d, "slots that dispatch in a redirect", 0, b->dispatch_valid);
}

static bool check_window(struct shadow *s, const struct commit_bundle *b, struct shadow_difference *d) {
    uint64_t used = s->tail - s->head;
    unsigned valid = 0, lane = s->head_lane;
    if (differ(d, "rob_empty", used == 0, b->rob_empty)) return true;
    if (used && differ(d, "oldest lane", lane, b->oldest)) return true;
    for (unsigned k = 0; k < s->width && k < used; k++, lane = shadow_next_lane(s, lane)) {
        if (differ(d, k ? "pc of a younger lane" : "pc of the head", shadow_at(s, s->head + k)->pc, b->pc[lane]))
            return true;
        valid |= 1u << lane;
    }
    return differ(d, "valid lanes", valid, b->valid);
}

static bool dispatch(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, struct shadow_difference *d) {
    unsigned count = (unsigned)__builtin_popcount(b->dispatch_valid);
    if (!count) return false;
    if (differ(d, "slots that dispatch", (1u << count) - 1, b->dispatch_valid)) return true;
    if (b->exception) return differ(d, "slots that dispatch in an exception", 0, b->dispatch_valid);
    shadow_enter(s, cycle, b, count);
    return s->tail - s->head > s->entries && differ(d, "entries in use", s->entries, s->tail - s->head);
}

// ---- rules 3 to 5 ----
static bool csr_flushes(const struct shadow *s, unsigned address) {
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (csrs[i].address == address) return csrs[i].flush && (!csrs[i].fp || s->fcsr_flush);
    }
    return false;
}

static bool flushes(const struct shadow *s, const struct iss_retire *step) {
    if (!shadow_may_flush(step)) return false;
    if (step->csr_accessed) return step->csr_written && csr_flushes(s, step->csr);
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
        if (insns[i].flush && (step->insn & insns[i].mask) == insns[i].match) return true;
    }
    return false;
}

// last: the youngest that commits; only it can be the doer of a redirect in this very cycle.
static bool check_mispredict(struct shadow *s, const struct shadow_slot *e, bool said, bool last,
                             const struct commit_bundle *b, struct shadow_difference *d) {
    bool now = said && !e->redirected && last && b->redirect && s->cleared == UINT64_MAX && !(b->commit & b->flush);
    s->pending = now;
    return !now && differ(d, "mispredict (it caused a redirect)", e->redirected, said);
}

// A branch to the next instruction (Linux patches over such ones): its direction may be mispredicted, and redirect
// to where fetch was going anyway. Rule 3 alone holds for it.
static bool goes_nowhere(uint32_t insn) {
    bool branch = (insn & 0xfe000fff) == 0x263;      // b.. with offset 4
    bool compressed = (insn & 0xffffdc7f) == 0xc009; // c.beqz, c.bnez with offset 2
    return branch || compressed;
}

static bool check_golden(const struct shadow *s, const struct shadow_slot *e, const struct iss_retire *step,
                         bool mispredict, bool flush, struct shadow_difference *d) {
    bool elsewhere = e->successor != step->next_pc, free = !elsewhere && goes_nowhere(step->insn);
    if (e->followed && !free && differ(d, "mispredict (by where the ISS goes on)", elsewhere, mispredict)) return true;
    return differ(d, "flush (by the tables)", flushes(s, step), flush);
}

static bool commit(struct shadow *s, const struct commit_bundle *b, const struct golden *golden,
                   struct shadow_difference *d) {
    unsigned count = (unsigned)__builtin_popcount(b->commit), lane = b->oldest;
    if (count > s->tail - s->head) return differ(d, "instructions that commit", s->tail - s->head, count);
    for (unsigned k = 0; k < count; k++, lane = shadow_next_lane(s, lane)) {
        const struct shadow_slot *e = shadow_at(s, s->head + k);
        bool mispredict = b->mispredict >> lane & 1, flush = b->flush >> lane & 1;
        if (differ(d, "lane that commits", 1, b->commit >> lane & 1)) return true;
        if (differ(d, "first micro-op", 1, b->first >> lane & 1)) return true;
        if (check_mispredict(s, e, mispredict, k + 1 == count, b, d)) return true;
        if (golden && check_golden(s, e, &golden->step[k], mispredict, flush, d)) return true;
    }
    return false;
}

// ---- what leaves ----
static void leave(struct shadow *s, uint64_t cycle, const struct commit_bundle *b) {
    unsigned count = (unsigned)__builtin_popcount(b->commit);
    bool by_clear = s->cleared != UINT64_MAX; // this cycle's redirect is its
    s->cleared = UINT64_MAX;
    shadow_note(s, cycle, b, b->exception ? 1 : count);
    if (count) shadow_move_head(s, count);
    if (count) s->head_since = cycle + 1;
    if (b->exception || (b->commit & b->flush)) {
        shadow_move_tail(s, s->head);
        s->cleared = cycle;
        s->pending = false;
    } else if (b->redirect && !by_clear) {
        s->ordered = cycle;
        s->view.squashed = cycle;
    }
}

bool shadow_irregular_cycle(struct shadow *s, uint64_t cycle, const struct commit_bundle *b,
                            const struct golden *golden, struct shadow_difference *d) {
    if (check_tail(s, cycle, b, d) || check_window(s, b, d)) return true;
    if (b->exception && (s->head == s->tail || differ(d, "exception_pc", shadow_at(s, s->head)->pc, b->exception_pc)))
        return true;
    if (dispatch(s, cycle, b, d) || (b->commit && commit(s, b, golden, d))) return true;
    leave(s, cycle, b);
    return false;
}

bool shadow_cycle(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, const struct golden *golden,
                  struct shadow_difference *d) {
    if (!shadow_is_regular(s, b, golden)) return shadow_irregular_cycle(s, cycle, b, golden, d);
    shadow_go_on(s, cycle, b);
    return false;
}
