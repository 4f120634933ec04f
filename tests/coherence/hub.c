// The hub: a transaction a line; all other L1s are snooped while memory is read; the newest data win.
#include "protocol.h"

#include <stddef.h>

static bool fifo_push(struct state *s, unsigned hart, unsigned line, bool put) {
    if (s->length == FIFO) return false;
    s->fifo[s->length++] = (uint8_t)(8 * put + 2 * hart + line);
    return true;
}
static bool fifo_is(const struct state *s, unsigned hart, unsigned line, bool put) {
    return s->length && s->fifo[0] == 8 * put + 2 * hart + line;
}
static void fifo_pop(struct state *s) {
    s->length--;
    for (unsigned i = 0; i < FIFO; i++)
        s->fifo[i] = i < s->length ? s->fifo[i + 1] : 0;
}

bool hub_ask(const struct options *o, struct state *s, unsigned hart, unsigned line, enum request request) {
    if (!has_rule(o, PUT_NOT_BEHIND_GET) && !fifo_push(s, hart, line, false)) return false;
    s->harts[hart].lines[line].request = request & 7;
    return true;
}

// A PUT of a void entry brings no data: it is acknowledged all the same.
bool hub_put(const struct options *o, struct state *s, unsigned hart, unsigned line) {
    struct hart *h = &s->harts[hart];
    const struct line *l = &h->lines[line];
    if (!has_rule(o, PUT_NOT_BEHIND_GET)) return fifo_push(s, hart, line, true);
    if (h->ups == QUEUE) return false;
    h->up[h->ups++] =
        (struct message){.kind = PUT, .line = line & 1, .has = l->entry == LIVE, .data = l->entry == LIVE && l->victim};
    return true;
}

static bool take(const struct options *o, struct state *s, unsigned hart, unsigned line) {
    struct line *l = &s->harts[hart].lines[line];
    struct hub_line *t = &s->hub[line];
    unsigned open = 0;
    for (unsigned i = 0; i < LINES; i++)
        open += s->hub[i].kind != NONE;
    if (!l->request || t->kind || open >= o->open) return false;
    if (!has_rule(o, PUT_NOT_BEHIND_GET) && !fifo_is(s, hart, line, false)) return false;
    for (unsigned i = 0; i < o->harts; i++)
        if (i != hart && (s->harts[i].downs == QUEUE || s->harts[i].lines[line].awaited)) return false;
    enum kind kind = l->request == GET ? SHARE : l->request == OWN ? INVAL : l->request == TRYGET ? TRY : PEEK;
    unsigned sent = 0;
    for (unsigned i = 0; i < o->harts; i++) {
        struct hart *h = &s->harts[i];
        if (i == hart || (kind == INVAL && sent && !has_rule(o, INVAL_ALL))) continue;
        h->down[h->downs++] = (struct message){.kind = kind & 7, .line = line & 1};
        h->lines[line].awaited = 1;
        sent++;
    }
    t->kind = l->request;
    t->fetched = t->memory;
    l->owner = 1;
    l->request = NONE;
    if (!has_rule(o, PUT_NOT_BEHIND_GET)) fifo_pop(s);
    return true;
}

// Ends a transaction that needs no DONE, or has it.
static void end(struct state *s, unsigned hart, unsigned line) {
    s->harts[hart].lines[line].owner = 0;
    s->hub[line] = (struct hub_line){.memory = s->hub[line].memory, .latest = s->hub[line].latest};
}

static bool answer(const struct options *o, struct state *s, unsigned hart, unsigned line) {
    struct line *l = &s->harts[hart].lines[line];
    struct hub_line *t = &s->hub[line];
    if (!l->owner || t->answered) return false;
    for (unsigned i = 0; i < o->harts; i++)
        if (s->harts[i].lines[line].awaited && has_rule(o, ALL_ACKS)) return false;
    l->answer = 1;
    if (t->refused) {
        l->refused = 1;
        end(s, hart, line);
        return true;
    }
    l->value = t->put && has_rule(o, NEWEST_DATA) ? t->late : t->has ? t->acked : t->fetched;
    bool dirty = t->has && !t->put; // memory does not have it
    if (t->kind == GET && dirty && has_rule(o, SHARE_WRITES_BACK)) t->memory = t->acked;
    l->exclusive = t->kind == OWN || ((t->kind == GET || t->kind == TRYGET) && !t->kept);
    l->dirty = t->kind == OWN && dirty && has_rule(o, DIRTY_HANDED_OVER);
    if (t->kind == IGET) l->exclusive = 0;
    t->answered = 1;
    if (t->kind == IGET || !has_rule(o, BUSY_UNTIL_DONE)) end(s, hart, line);
    return true;
}

static bool put(struct state *s, unsigned hart, unsigned line, bool has, unsigned data) {
    struct hart *h = &s->harts[hart];
    struct hub_line *t = &s->hub[line];
    if (h->downs == QUEUE) return false;
    if (has) t->memory = data & 1;
    if (has && t->kind && !t->answered) {
        t->put = 1;
        t->late = data & 1;
    }
    h->down[h->downs++] = (struct message){.kind = PUT_ACK, .line = line & 1};
    return true;
}

// The oldest message, or, out of order, the first ACK.
static bool up(const struct options *o, struct state *s, unsigned hart, bool in_order) {
    struct hart *h = &s->harts[hart];
    unsigned i = 0;
    if (!in_order && has_rule(o, UP_IN_ORDER)) return false;
    while (!in_order && i < h->ups && h->up[i].kind != ACK)
        i++;
    if (i >= h->ups || (!in_order && !i)) return false;
    struct message message = h->up[i];
    struct hub_line *t = &s->hub[message.line];
    if (message.kind == PUT) {
        if (!put(s, hart, message.line, message.has, message.data)) return false;
    } else {
        h->lines[message.line].awaited = 0;
        if (t->kind && !t->answered) {
            t->kept |= message.keeps;
            t->refused |= message.refuses;
            if (message.has) {
                t->has = 1;
                t->acked = message.data;
            }
        }
    }
    for (h->ups--; i < h->ups; i++)
        h->up[i] = h->up[i + 1];
    h->up[h->ups] = (struct message){0};
    return true;
}

bool hub_act(const struct options *o, struct state *s, unsigned hart, unsigned line, enum action action) {
    switch (action) {
    case DO_TAKE: return take(o, s, hart, line);
    case DO_ANSWER: return answer(o, s, hart, line);
    case DO_UP:
        if (fifo_is(s, hart, line, true)) { // void or not as it is now, so that nothing but the wait is another
            const struct line *l = &s->harts[hart].lines[line];
            if (!put(s, hart, line, l->entry == LIVE, l->victim)) return false;
            fifo_pop(s);
            return true;
        }
        return up(o, s, hart, line == 0);
    default: return false;
    }
}
