// Head and tail as dispatch, commits, redirects and clears move them; a ring of what was dispatched between them.
#include "workers/shadow.h"
#include "csrs.h"
#include "instructions.h"
#include <stdlib.h>

enum { RING = 2048 }; // at least twice the largest ROB

struct entry {
    uint64_t pc, dispatched;
    uint64_t successor; // address of the first that was dispatched behind it, before any redirect of its doing
    bool followed;      // there is one
    bool redirected;    // a redirect was its doing
};

// Positions count up from 0 for ever; a branch takes the tail back. Beside them, moved with them (a division in every
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
    bool owed;        // the instruction left last said mispredicted, in the cycle of the redirect
    struct shadow_view view;
    struct entry ring[RING];
};

static const struct insn_info insns[] = {INSN_INFO_ROWS};
static const struct csr_info csrs[] = {CSR_INFO_ROWS};

struct shadow *shadow_create(unsigned width, unsigned entries, bool fcsr_flush, struct error *err) {
    struct shadow *s = entries && entries <= RING / 2 ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        error_set(err, "shadow ROB: %u entries: 1 to %d are possible, and memory for them", entries, RING / 2);
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

static struct entry *at(struct shadow *s, uint64_t position) {
    return &s->ring[position % RING];
}
static const struct entry *entry_at(const struct shadow *s, uint64_t position) {
    return &s->ring[position % RING];
}

static unsigned next_lane(const struct shadow *s, unsigned lane) {
    return lane + 1 == s->width ? 0 : lane + 1;
}

static bool differ(struct shadow_difference *d, const char *what, uint64_t expected, uint64_t got) {
    if (expected == got) return false;
    *d = (struct shadow_difference){what, expected, got};
    return true;
}

static void move_head(struct shadow *s, unsigned count) {
    s->head += count;
    s->head_index += count;
    s->head_lane += count;
    if (s->head_lane >= s->width) s->head_lane -= s->width;
    if (s->head_index < s->entries) return;
    s->head_index -= s->entries;
    s->head_lane = s->head_index % s->width;
}

static void move_tail(struct shadow *s, uint64_t to) {
    unsigned lap = 2 * s->entries; // it moves by less than one
    s->tail_place += to >= s->tail ? (unsigned)(to - s->tail) : lap - (unsigned)(s->tail - to);
    if (s->tail_place >= lap) s->tail_place -= lap;
    s->tail = to;
}

// ---- rules 1, 2 and 6 ----
// Position modulo twice the entries, which is what a ROB index with its wrap bit says.
static unsigned place(const struct shadow *s, unsigned index) {
    return (index & s->wrap ? s->entries : 0) + (index & (s->wrap - 1));
}

// The cycle after a redirect by a branch: the entries that are left end with it.
static bool take_back(struct shadow *s, unsigned index, struct shadow_difference *d) {
    unsigned lap = 2 * s->entries, shown = place(s, index);
    uint64_t killed = (s->tail_place + lap - shown) % lap;
    s->ordered = UINT64_MAX;
    if (killed > s->tail - s->head) return differ(d, "entries that the redirect killed", s->tail - s->head, killed);
    move_tail(s, s->tail - killed);
    bool left = s->tail == s->head; // it is not in the ROB any more: then it left in the cycle of the redirect
    if (left != s->owed) return differ(d, "whether a mispredicted branch caused the redirect", left, s->owed);
    if (!left) at(s, s->tail - 1)->redirected = true;
    s->owed = false;
    return false;
}

static bool check_tail(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, struct shadow_difference *d) {
    if (s->ordered != UINT64_MAX && take_back(s, b->dispatch_rob, d)) return true;
    if (differ(d, "index of the next ROB entry", s->tail_place, place(s, b->dispatch_rob))) return true;
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
    for (unsigned k = 0; k < s->width && k < used; k++, lane = next_lane(s, lane)) {
        if (differ(d, k ? "pc of a younger lane" : "pc of the head", at(s, s->head + k)->pc, b->pc[lane])) return true;
        valid |= 1u << lane;
    }
    return differ(d, "valid lanes", valid, b->valid);
}

static void follow(struct entry *e, uint64_t successor) {
    if (e->followed || e->redirected) return;
    e->followed = true;
    e->successor = successor;
}

static inline __attribute__((always_inline)) void enter(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, unsigned count) {
    if (s->tail == s->head) {
        s->head_since = cycle + 1;
    } else {
        follow(at(s, s->tail - 1), b->dispatch_pc[0]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct entry *e = at(s, s->tail + i);
        e->pc = b->dispatch_pc[i];
        e->dispatched = cycle;
        e->redirected = false;
        e->followed = i + 1 < count;
        if (e->followed) e->successor = b->dispatch_pc[i + 1];
    }
    move_tail(s, s->tail + count);
}

static bool dispatch(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, struct shadow_difference *d) {
    unsigned count = (unsigned)__builtin_popcount(b->dispatch_valid);
    if (!count) return false;
    if (differ(d, "slots that dispatch", (1u << count) - 1, b->dispatch_valid)) return true;
    if (b->exception) return differ(d, "slots that dispatch in an exception", 0, b->dispatch_valid);
    enter(s, cycle, b, count);
    return s->tail - s->head > s->entries && differ(d, "entries in use", s->entries, s->tail - s->head);
}

// ---- rules 3 to 5 ----
static bool csr_flushes(const struct shadow *s, unsigned address) {
    for (size_t i = 0; i < CSR_COUNT; i++) {
        if (csrs[i].address == address) return csrs[i].flush && (!csrs[i].fp || s->fcsr_flush);
    }
    return false;
}

// Compressed forms never flush.
static bool flushes(const struct shadow *s, const struct iss_retire *step) {
    if (step->csr_accessed) return step->csr_written && csr_flushes(s, step->csr);
    if ((step->insn & 0x7f) != 0x73 && (step->insn & 0x7f) != 0x0f) return false;
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
        if (insns[i].flush && (step->insn & insns[i].mask) == insns[i].match) return true;
    }
    return false;
}

// last: the youngest that commits; only it can be the doer of a redirect in this very cycle.
static bool check_mispredict(struct shadow *s, const struct entry *e, bool said, bool last,
                             const struct commit_bundle *b, struct shadow_difference *d) {
    bool now = said && !e->redirected && last && b->redirect && s->cleared == UINT64_MAX && !(b->commit & b->flush);
    s->owed = now;
    return !now && differ(d, "mispredict (it caused a redirect)", e->redirected, said);
}

// A branch to the instruction behind it (Linux patches over such ones): its direction may be mispredicted, and redirect
// to where fetch was going anyway. Rule 3 alone holds for it.
static bool goes_nowhere(uint32_t insn) {
    bool branch = (insn & 0xfe000fff) == 0x263;      // b.. with offset 4
    bool compressed = (insn & 0xffffdc7f) == 0xc009; // c.beqz, c.bnez with offset 2
    return branch || compressed;
}

static bool check_golden(const struct shadow *s, const struct entry *e, const struct iss_retire *step, bool mispredict,
                         bool flush, struct shadow_difference *d) {
    bool elsewhere = e->successor != step->next_pc, free = !elsewhere && goes_nowhere(step->insn);
    if (e->followed && !free && differ(d, "mispredict (by where the ISS goes on)", elsewhere, mispredict)) return true;
    return differ(d, "flush (by the tables)", flushes(s, step), flush);
}

static bool commit(struct shadow *s, const struct commit_bundle *b, const struct golden *golden,
                   struct shadow_difference *d) {
    unsigned count = (unsigned)__builtin_popcount(b->commit), lane = b->oldest;
    if (count > s->tail - s->head) return differ(d, "instructions that commit", s->tail - s->head, count);
    for (unsigned k = 0; k < count; k++, lane = next_lane(s, lane)) {
        const struct entry *e = at(s, s->head + k);
        bool mispredict = b->mispredict >> lane & 1, flush = b->flush >> lane & 1;
        if (differ(d, "lane that commits", 1, b->commit >> lane & 1)) return true;
        if (differ(d, "first micro-op", 1, b->first >> lane & 1)) return true;
        if (check_mispredict(s, e, mispredict, k + 1 == count, b, d)) return true;
        if (golden && check_golden(s, e, &golden->step[k], mispredict, flush, d)) return true;
    }
    return false;
}

// ---- what leaves ----
static void note(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, unsigned count) {
    unsigned lane = b->oldest;
    s->view.cycle = cycle;
    s->view.count = count;
    for (unsigned k = 0; k < count; k++, lane = next_lane(s, lane)) {
        s->view.left[k] = (struct shadow_left){at(s, s->head + k)->dispatched, k ? cycle : s->head_since, lane};
    }
}

static void leave(struct shadow *s, uint64_t cycle, const struct commit_bundle *b) {
    unsigned count = (unsigned)__builtin_popcount(b->commit);
    bool by_clear = s->cleared != UINT64_MAX; // this cycle's redirect is its
    s->cleared = UINT64_MAX;
    note(s, cycle, b, b->exception ? 1 : count);
    if (count) move_head(s, count);
    if (count) s->head_since = cycle + 1;
    if (b->exception || (b->commit & b->flush)) {
        move_tail(s, s->head);
        s->cleared = cycle;
        s->owed = false;
    } else if (b->redirect && !by_clear) {
        s->ordered = cycle;
        s->view.squashed = cycle;
    }
}

// ---- nearly every cycle ----
// All rules at once, of a cycle without a redirect or an exception, now or owed, and without a misprediction or a flush
// that commits. False: something differs, or it is another cycle; the rules are looked at one by one then. Changes
// nothing.
static unsigned group(const struct shadow *s, unsigned count) { // lanes of the oldest
    const unsigned lanes = ((1u << count) - 1) << s->head_lane;
    return (lanes | lanes >> s->width) & s->lanes;
}

static bool is_shown(const struct shadow *s, const struct commit_bundle *b, unsigned count) {
    uint64_t differs = b->valid ^ group(s, count);
    for (unsigned k = 0, lane = s->head_lane; k < count; k++, lane = next_lane(s, lane))
        differs |= entry_at(s, s->head + k)->pc ^ b->pc[lane];
    return differs == 0;
}

// Where the youngest commits as the next one dispatches, that one's address belongs to it, too.
static bool is_regular_commit(const struct shadow *s, const struct commit_bundle *b, const struct golden *golden,
                              uint64_t used) {
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    if (!golden || !golden->plain || count > used || (b->dispatch_valid && count == used)) return false;
    if (b->commit != group(s, count) || b->commit & (~b->first | b->mispredict | b->flush)) return false;
    bool differs = false;
    for (unsigned k = 0; k < count; k++) {
        const struct entry *e = entry_at(s, s->head + k);
        differs |= e->redirected | (e->followed & (e->successor != golden->step[k].next_pc));
    }
    return !differs;
}

static bool is_regular(const struct shadow *s, const struct commit_bundle *b, const struct golden *golden) {
    const uint64_t used = s->tail - s->head;
    if ((s->ordered & s->cleared) != UINT64_MAX || b->exception | b->redirect) return false;
    if (place(s, b->dispatch_rob) != s->tail_place || b->rob_empty != (used == 0)) return false;
    if (used && b->oldest != s->head_lane) return false;
    if (!is_shown(s, b, used < s->width ? (unsigned)used : s->width)) return false;
    if (b->dispatch_valid & (b->dispatch_valid + 1)) return false;
    if (used + (unsigned)__builtin_popcount(b->dispatch_valid) > s->entries) return false;
    return !b->commit || is_regular_commit(s, b, golden, used);
}

static void go_on(struct shadow *s, uint64_t cycle, const struct commit_bundle *b) {
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    if (b->dispatch_valid) enter(s, cycle, b, (unsigned)__builtin_popcount(b->dispatch_valid));
    note(s, cycle, b, count);
    if (!count) return;
    move_head(s, count);
    s->head_since = cycle + 1;
    s->owed = false;
}

__attribute__((noinline)) static bool one_by_one(struct shadow *s, uint64_t cycle, const struct commit_bundle *b,
                                                 const struct golden *golden, struct shadow_difference *d) {
    if (check_tail(s, cycle, b, d) || check_window(s, b, d)) return true;
    if (b->exception && (s->head == s->tail || differ(d, "exception_pc", at(s, s->head)->pc, b->exception_pc)))
        return true;
    if (dispatch(s, cycle, b, d) || (b->commit && commit(s, b, golden, d))) return true;
    leave(s, cycle, b);
    return false;
}

bool shadow_cycle(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, const struct golden *golden,
                  struct shadow_difference *d) {
    if (!is_regular(s, b, golden)) return one_by_one(s, cycle, b, golden, d);
    go_on(s, cycle, b);
    return false;
}
