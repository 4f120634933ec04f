// What a hart and its software do with lines: loads in pairs, stores, AMO, LR and SC, misses, prefetches, evictions.
#include "protocol.h"

#include <stddef.h>

static bool writable(const struct line *l) {
    return l->copy >= EXCLUSIVE;
}

static void read_line(const struct state *s, unsigned hart, unsigned line, const char **broken) {
    if (s->harts[hart].lines[line].data != s->hub[line].latest) *broken = "data-value";
}

static void used(struct line *l, enum asker by) {
    if (l->unused == by) l->unused = NOBODY;
}

static void write_line(struct state *s, unsigned hart, unsigned line, const char **broken) {
    read_line(s, hart, line, broken);
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &s->harts[i];
        if (i == hart) continue;
        if (h->lines[line].copy != INVALID) *broken = "one-writer";
        if (h->lines[line].load == BOUND) h->lines[line].load = STALE;
        if ((h->reservation == 1 + line || h->conditional == 1 + line) && h->reserved == BOUND) h->reserved = STALE;
        if (h->amo == 1 + line && h->read == BOUND) h->read = STALE;
    }
    s->hub[line].latest ^= 1;
    for (unsigned i = 0; i < HARTS; i++)
        if (s->harts[i].lines[line].asker == FETCH) s->harts[i].lines[line].seen |= 1U << s->hub[line].latest;
    s->harts[hart].lines[line].data = s->hub[line].latest;
    s->harts[hart].lines[line].copy = MODIFIED;
}

static bool load(struct state *s, unsigned hart, unsigned line, bool old, const char **broken) {
    struct line *l = &s->harts[hart].lines[line];
    if (l->copy == INVALID || (old ? l->load == UNBOUND && l->unused != LOAD : l->load != UNBOUND)) return false;
    read_line(s, hart, line, broken);
    if (old && l->load == STALE) *broken = "loads-of-one-address";
    l->load = old ? UNBOUND : BOUND;
    used(l, LOAD);
    return true;
}

static bool amo(struct state *s, unsigned hart, unsigned line, bool write, const char **broken) {
    struct hart *h = &s->harts[hart];
    if (!writable(&h->lines[line]) || h->amo != (write ? 1 + line : 0)) return false;
    if (!write) {
        read_line(s, hart, line, broken);
        h->amo = (uint8_t)(1 + line);
        h->read = BOUND;
        return true;
    }
    if (h->read == STALE) *broken = "atomic-amo";
    write_line(s, hart, line, broken);
    h->amo = h->read = 0;
    used(&h->lines[line], AMO);
    return true;
}

static bool reserve(struct state *s, unsigned hart, unsigned line, const char **broken) {
    struct hart *h = &s->harts[hart];
    if (!writable(&h->lines[line]) || h->reservation || h->conditional) return false;
    read_line(s, hart, line, broken);
    h->reservation = (uint8_t)(1 + line);
    h->reserved = BOUND;
    return true;
}

// An SC whose reservation is gone fails, and leaves nothing.
static bool conditional(const struct options *o, struct state *s, unsigned hart, unsigned line, const char **broken) {
    struct hart *h = &s->harts[hart];
    if (h->reservation != 1 + line) return false;
    if (!has_rule(o, SC_JUDGED_LATE)) {
        h->conditional = h->reservation;
        h->reservation = 0;
        return true;
    }
    if (!writable(&h->lines[line])) return false;
    if (h->reserved == STALE) *broken = "atomic-sc";
    write_line(s, hart, line, broken);
    h->reservation = h->reserved = 0;
    used(&h->lines[line], LR);
    return true;
}

static bool conditional_write(struct state *s, unsigned hart, unsigned line, const char **broken) {
    struct hart *h = &s->harts[hart];
    if (h->conditional != 1 + line || !writable(&h->lines[line])) return false;
    if (h->reserved == STALE) *broken = "atomic-sc";
    write_line(s, hart, line, broken);
    h->conditional = h->reserved = 0;
    used(&h->lines[line], LR);
    return true;
}

// One AMO, and one LR, of a hart at a time.
static bool other_waits(const struct hart *h, enum asker asker) {
    for (unsigned i = 0; i < LINES; i++)
        if (h->lines[i].asker == asker || h->lines[i].unused == asker) return true;
    return false;
}

static bool miss(const struct options *o, struct state *s, unsigned hart, unsigned line, enum asker asker) {
    struct hart *h = &s->harts[hart];
    struct line *l = &h->lines[line];
    enum request request = asker == LOAD ? GET : asker == PREFETCH ? TRYGET : asker == FETCH ? IGET : OWN;
    if (l->asker || l->unused || (l->entry && has_rule(o, OWN_REQUEST_WAITS) && asker != FETCH)) return false;
    if (request == OWN ? writable(l) : request != IGET && l->copy != INVALID) return false;
    if ((asker == AMO || asker == LR) && other_waits(h, asker)) return false;
    if (asker == AMO && h->amo && h->amo != 1 + line) return false;
    if (asker == LR && h->reservation && h->reservation != 1 + line) return false;
    if (request == IGET) {
        if (has_rule(o, FETCH_LOOKS_AT_OWN) && (l->copy == MODIFIED || l->entry)) return false; // answered by the L1
        l->seen = 1U << s->hub[line].latest;
    }
    if (!hub_ask(o, s, hart, line, request)) return false;
    l->asker = asker;
    if (request == OWN && has_rule(o, UPGRADE_DROPS)) l->copy = l->data = 0;
    return true;
}

static bool evict(const struct options *o, struct state *s, unsigned hart, unsigned line) {
    struct line *l = &s->harts[hart].lines[line];
    if (l->copy == INVALID || l->unused || l->looked) return false;
    if (l->copy == MODIFIED) {
        unsigned full = 0;
        for (unsigned i = 0; i < LINES; i++)
            full += s->harts[hart].lines[i].entry != EMPTY;
        if (l->entry || full >= o->buffer) return false;
        l->entry = LIVE;
        l->victim = l->data;
    }
    l->copy = l->data = 0;
    return true;
}

bool core_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action,
              const char **broken) {
    struct line *l = &s->harts[hart].lines[line];
    bool idle = !s->harts[hart].amo; // an AMO is alone
    unsigned operations = o->operations;
    switch (action) {
    case DO_LOAD_YOUNG: return operations & LOADS && load(s, hart, line, false, broken);
    case DO_LOAD_OLD: return operations & LOADS && load(s, hart, line, true, broken);
    case DO_WRITE:
        if (!(operations & STORES) || !writable(l) || !idle) return false;
        write_line(s, hart, line, broken);
        used(l, STORE);
        return true;
    case DO_AMO_READ: return operations & AMOS && amo(s, hart, line, false, broken);
    case DO_AMO_WRITE: return operations & AMOS && amo(s, hart, line, true, broken);
    case DO_RESERVE: return operations & RESERVATIONS && reserve(s, hart, line, broken);
    case DO_CONDITIONAL: return operations & RESERVATIONS && conditional(o, s, hart, line, broken);
    case DO_CONDITIONAL_WRITE: return conditional_write(s, hart, line, broken);
    case DO_MISS_LOAD: return operations & LOADS && miss(o, s, hart, line, LOAD);
    case DO_MISS_STORE: return operations & STORES && idle && miss(o, s, hart, line, STORE);
    case DO_MISS_AMO: return operations & AMOS && miss(o, s, hart, line, AMO);
    case DO_MISS_LR: return operations & RESERVATIONS && miss(o, s, hart, line, LR);
    case DO_MISS_PREFETCH: return operations & PREFETCHES && miss(o, s, hart, line, PREFETCH);
    case DO_MISS_FETCH: return operations & FETCHES && miss(o, s, hart, line, FETCH);
    case DO_JOIN:
        if (!(operations & LOADS) || l->asker != PREFETCH) return false;
        l->asker = JOINED;
        return true;
    case DO_EVICT: return operations & EVICTIONS && evict(o, s, hart, line);
    default: return false;
    }
}
