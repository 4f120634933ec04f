// The front end's events, and the data TLB's: what must be set after the caches were emptied, and what cannot be.
#include "workers/event_vectors.h"
#include <string.h>

enum { LINE_BITS = 6, PAGE_LINES = 64, GIB_BITS = 30 };
enum { CAUSE_FETCH_FAULT = 1, CAUSE_FETCH_PAGE = 12 };

void vectors_fetched(struct vectors *s, uint64_t address) {
    s->fetched[address >> LINE_BITS & (PAGE_LINES - 1)]++;
}

void vectors_flush_tlbs(struct vectors *s, uint64_t cycle) {
    s->itlb_cold = true;
    s->flushed = cycle;
    s->touch.open = false;
    memset(s->touched, 0, sizeof s->touched);
}

void vectors_forget_data_tlb(struct vectors *s) {
    s->touch.open = false;
    memset(s->touched, 1, sizeof s->touched);
}

// A DR_L1 claims a line that came; false: there is none left.
static bool claim(struct vectors *s, uint64_t pc) {
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *left = &s->fetched[((pc >> LINE_BITS) + i) & (PAGE_LINES - 1)];
        if (*left) return (*left)--;
    }
    return false;
}

bool vectors_check_fetch(struct vectors *s, const struct iss_retire *step, unsigned psv, struct vectors_difference *d) {
    bool faulted =
        step->trap && !step->interrupt && (step->cause == CAUSE_FETCH_FAULT || step->cause == CAUSE_FETCH_PAGE);
    bool cold = s->icache_cold && !s->ideal_l1i && !s->gated,
         tlb_cold = s->itlb_cold && step->translated && !s->ideal_tlb && !s->gated;
    s->icache_cold = false;
    if (step->translated) s->itlb_cold = false;
    if (!step->translated && vectors_differ(d, EVENT_DR_TLB, "DR_TLB", "its address is not translated", false, psv))
        return true;
    if (psv >> EVENT_DR_L1 & 1 && !claim(s, step->pc))
        return vectors_differ(d, EVENT_DR_L1, "DR_L1", "no line came for it", false, psv);
    if (faulted) return false;
    if (cold && vectors_differ(d, EVENT_DR_L1, "DR_L1", "the instruction cache was empty", true, psv)) return true;
    return tlb_cold && vectors_differ(d, EVENT_DR_TLB, "DR_TLB", "the instruction TLB was empty", true, psv);
}

// The accesses that could be the first have all left once one leaves that was dispatched later.
static bool close_touch(struct vectors *s, const struct shadow_left *left, struct vectors_difference *d) {
    if (!s->touch.open || left->dispatched <= s->touch.until) return false;
    s->touch.open = false;
    if (s->touch.met || s->ideal_tlb || s->gated) return false;
    *d = (struct vectors_difference){"ST_TLB", "no access missed the data TLB, but it was empty", true};
    return true;
}

bool vectors_check_tlb(struct vectors *s, uint64_t cycle, const struct shadow_view *shadow,
                       const struct shadow_left *left, const struct iss_retire *step, unsigned psv,
                       struct vectors_difference *d) {
    const unsigned gib = step->virtual_address >> GIB_BITS & (sizeof s->touched - 1);
    const bool met = psv >> EVENT_ST_TLB & 1;
    if (!step->data_translated)
        return vectors_differ(d, EVENT_ST_TLB, "ST_TLB", "its access is not translated", false, psv);
    // What runs ahead and is killed may have filled the TLB without a visible miss.
    const bool ran_ahead = shadow->squashed > s->flushed || s->emptied > s->flushed;
    if (ran_ahead) s->touch.open = false;
    if (close_touch(s, left, d)) return true;
    if (s->touch.open && gib == s->touch.gib) s->touch.met |= met;
    if (s->touched[gib]) return false;
    s->touched[gib] = 1;
    if (!ran_ahead && !s->touch.open) s->touch = (struct vectors_touch){true, met, gib, cycle};
    return false;
}
