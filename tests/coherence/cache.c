// What an L1 does with what comes from the hub: snoops, acks of its PUTs, answers.
#include "protocol.h"

#include <stddef.h>

static bool holds(const struct options *o, const struct hart *h, unsigned line) {
    const struct line *l = &h->lines[line];
    return l->unused && !(l->unused == AMO && h->amo == 1 + line && !has_rule(o, HOLD_UNTIL_WRITE));
}

static bool enough(enum asker asker, enum copy copy) {
    return asker == LOAD ? copy != INVALID : copy >= EXCLUSIVE;
}

static bool lost(enum kind kind, enum asker asker) {
    return kind == INVAL || (kind == SHARE && asker != LOAD);
}

// Whoever has used the line without holding it: `missed`: the snoop found no copy.
static void hear(const struct options *o, struct hart *h, unsigned line, bool missed) {
    if (!missed || has_rule(o, LOADS_HEAR)) h->lines[line].load = UNBOUND;
    if (h->reservation == 1 + line && (!missed || has_rule(o, RESERVATION_HEARS))) h->reservation = h->reserved = 0;
    if (h->amo == 1 + line && has_rule(o, AMO_RETRIES) && (!missed || has_rule(o, AMO_HEARS))) h->amo = h->read = 0;
}

static struct message act(const struct options *o, struct hart *h, struct message snoop, const char **broken) {
    struct line *l = &h->lines[snoop.line];
    enum copy copy = l->looked ? l->looked - 1 : l->copy;
    unsigned data = l->looked ? l->taken : l->data;
    struct message ack = {.kind = ACK, .line = snoop.line};
    if (snoop.kind == TRY && (copy >= EXCLUSIVE || l->entry == LIVE)) {
        ack.refuses = true;
        return ack;
    }
    if (snoop.kind != TRY && (copy == MODIFIED || l->entry == LIVE)) {
        ack.has = true;
        ack.data = (copy == MODIFIED ? data : l->victim) & 1;
        if (copy != MODIFIED && (snoop.kind != PEEK || !has_rule(o, PEEK_CHANGES_NOTHING))) l->entry = VOID;
    }
    if (snoop.kind == PEEK) return ack;
    bool missed = copy == INVALID && snoop.kind != INVAL;
    copy = snoop.kind == INVAL || copy == INVALID ? INVALID : SHARED;
    ack.keeps = copy != INVALID;
    l->copy = copy;
    l->data = copy == INVALID ? 0 : data & 1;
    l->looked = l->taken = 0;
    if (copy == INVALID) hear(o, h, snoop.line, missed);
    if (l->unused && !enough(l->unused, copy)) {
        if (l->unused != LR) *broken = "lost-before-use";
        l->unused = NOBODY;
    }
    return ack;
}

static void remove_down(struct hart *h, unsigned i) {
    for (h->downs--; i < h->downs; i++)
        h->down[i] = h->down[i + 1];
    h->down[h->downs] = (struct message){0};
}

// The oldest message, or, out of order, the first PUT_ACK.
static bool down(const struct options *o, struct hart *h, bool in_order, const char **broken) {
    unsigned i = 0;
    if (!in_order && has_rule(o, DOWN_IN_ORDER)) return false;
    while (!in_order && i < h->downs && h->down[i].kind != PUT_ACK)
        i++;
    if (i >= h->downs || (!in_order && !i)) return false;
    struct message message = h->down[i];
    struct line *l = &h->lines[message.line];
    if (message.kind == PUT_ACK) {
        if (has_rule(o, BUFFER_UNTIL_ACK)) l->entry = l->victim = l->sent = 0;
    } else {
        if (h->ups == QUEUE || (!has_rule(o, JUDGED_IN_ACT) && !l->looked)) return false;
        if (has_rule(o, HOLD) && !o->late_done && lost(message.kind, l->unused) && holds(o, h, message.line))
            return false;
        h->up[h->ups++] = act(o, h, message, broken);
        l->looked = l->taken = 0;
    }
    remove_down(h, i);
    return true;
}

static bool look(const struct options *o, struct hart *h) {
    if (has_rule(o, JUDGED_IN_ACT) || !h->downs || h->down[0].kind == PUT_ACK) return false;
    struct line *l = &h->lines[h->down[0].line];
    if (l->looked) return false;
    l->looked = (1 + l->copy) & 7;
    l->taken = l->data;
    return true;
}

static bool send(const struct options *o, struct state *s, unsigned hart, unsigned line) {
    struct line *l = &s->harts[hart].lines[line];
    if (!l->entry || l->sent || !hub_put(o, s, hart, line)) return false;
    l->sent = 1;
    if (!has_rule(o, BUFFER_UNTIL_ACK)) l->entry = l->victim = l->sent = 0;
    return true;
}

static bool refill(const struct options *o, struct state *s, unsigned hart, unsigned line, const char **broken) {
    struct hart *h = &s->harts[hart];
    struct line *l = &h->lines[line];
    unsigned full = 0;
    if (!l->answer) return false;
    for (unsigned i = 0; i < LINES; i++)
        full += h->lines[i].entry != EMPTY;
    if (l->refused) {
        if (l->asker == JOINED) {
            if (has_rule(o, REFUSED_ASKS_AGAIN) && !hub_ask(o, s, hart, line, GET)) return false;
            if (has_rule(o, REFUSED_ASKS_AGAIN)) l->asker = LOAD;
        } else {
            l->asker = NOBODY;
        }
    } else if (l->asker == FETCH) {
        if (!(l->seen >> l->value & 1)) *broken = "instruction-value";
        l->asker = NOBODY;
        l->seen = 0;
    } else {
        if (full >= o->buffer) return false; // room for a victim
        if (l->copy != INVALID) *broken = "two-copies-in-one-cache";
        l->copy = !l->exclusive ? SHARED : l->dirty ? MODIFIED : EXCLUSIVE;
        l->data = l->value;
        if (l->data != s->hub[line].latest) *broken = "data-value";
        for (unsigned i = 0; i < HARTS; i++) {
            enum copy other = i == hart ? INVALID : s->harts[i].lines[line].copy;
            if (other >= EXCLUSIVE || (other != INVALID && l->exclusive)) *broken = "one-owner";
        }
        l->unused = l->asker == JOINED ? LOAD : l->asker == PREFETCH ? NOBODY : l->asker;
        l->asker = NOBODY;
        l->done = has_rule(o, BUSY_UNTIL_DONE);
    }
    l->answer = l->exclusive = l->dirty = l->refused = l->value = 0;
    return true;
}

static bool done(const struct options *o, struct state *s, struct hart *h, unsigned line) {
    struct line *l = &h->lines[line];
    if (!l->done || (o->late_done && has_rule(o, HOLD) && holds(o, h, line))) return false;
    l->done = l->owner = 0;
    s->hub[line] = (struct hub_line){.memory = s->hub[line].memory, .latest = s->hub[line].latest};
    return true;
}

bool cache_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action,
               const char **broken) {
    struct hart *h = &s->harts[hart];
    switch (action) {
    case DO_DOWN: return down(o, h, line == 0, broken);
    case DO_LOOK: return line == 0 && look(o, h);
    case DO_SEND: return send(o, s, hart, line);
    case DO_REFILL: return refill(o, s, hart, line, broken);
    case DO_DONE: return done(o, s, h, line);
    case DO_EXPIRE:
        if (h->lines[line].unused != LR) return false;
        h->lines[line].unused = NOBODY;
        return true;
    default: return false;
    }
}
