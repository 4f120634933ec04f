// When accesses take place: loads that are bound, stores that become visible, lines that change hands.
#include "memory_order/order_internal.h"
#include <inttypes.h>
#include <string.h>

static uint64_t eight_of(uint64_t address) { // a byte's 8 bytes
    return address & ~(uint64_t)(BYTES - 1);
}

// ---- loads ----
int put_bound(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    if (m->stored_cycle == e->cycle + 1) {
        return stream_fault(m, e, err, "a load is bound after a store of its cycle became visible");
    }
    h->bound[e->id] = (struct order_bound){.valid = true,
                                           .kind = e->kind,
                                           .size = e->size,
                                           .address = e->address,
                                           .time = m->visible,
                                           .cycle = e->cycle,
                                           .golden = golden_read(&m->memory, e->address, e->size)};
    if (e->kind != MEMORY_ORDER_LOAD_BOUND) {
        h->window[e->kind == MEMORY_ORDER_LR_BOUND ? WINDOW_LR : WINDOW_AMO] =
            (struct order_window){.valid = true, .address = eight_of(e->address), .time = m->visible};
    }
    return 0;
}

// ---- what is written ----
static void note_foreign(struct memory_order *m, unsigned hart, uint64_t address, unsigned size) {
    for (unsigned i = 0; i < m->harts; i++) {
        if (i == hart) continue;
        for (struct order_window *w = m->hart[i].window; w < m->hart[i].window + WINDOWS; w++) {
            if (!w->valid || eight_of(address) != w->address) continue;
            for (unsigned b = 0; b < size; b++)
                w->foreign[(address + b) % BYTES] = m->visible;
        }
    }
}

// hart: whose it is; m->harts: nobody's instruction.
static void write_memory(struct memory_order *m, const struct memory_order_event *e, unsigned hart) {
    m->stored_cycle = e->cycle + 1;
    m->visible++;
    golden_write(&m->memory, e->address, e->size, e->data, m->visible);
    note_foreign(m, hart, e->address, e->size);
}

int put_written(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    (void)err;
    write_memory(m, e, m->harts);
    return 0;
}

// ---- the host: it has a line's only copy, or one among readers ----
int put_host_read(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const uint64_t word = golden_read(&m->memory, e->address, e->size).word, read = low_bytes(e->data, e->size);
    const uint8_t owner = m->memory.own[(e->address - m->memory.base) / MEMORY_ORDER_LINE];
    if (owner) {
        return axiom_broken(m, e, MEMORY_ORDER_ONE_WRITER, e->address, err,
                            "the host reads 0x%" PRIx64 " while hart %d may write the line", e->address, owner - 1);
    }
    if (read == word) return 0;
    return axiom_broken(m, e, MEMORY_ORDER_LOAD_VALUE, e->address, err,
                        "the host reads 0x%" PRIx64 ": expected 0x%" PRIx64 ", got 0x%" PRIx64, e->address, word, read);
}

int put_host_written(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const uint8_t held = m->memory.held[(e->address - m->memory.base) / MEMORY_ORDER_LINE];
    if (held) {
        return axiom_broken(m, e, MEMORY_ORDER_ONE_WRITER, e->address, err,
                            "the host writes to 0x%" PRIx64 " while hart %d holds the line", e->address,
                            __builtin_ctz(held));
    }
    return put_written(m, e, err);
}

// ---- stores of harts ----
static int check_writer(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const uint64_t line = (e->address - m->memory.base) / MEMORY_ORDER_LINE;
    const unsigned mine = 1u << e->hart, others = m->memory.held[line] & ~mine;
    if (others) {
        return axiom_broken(m, e, MEMORY_ORDER_ONE_WRITER, e->address, err,
                            "it stores to 0x%" PRIx64 " while hart %d holds the line", e->address,
                            __builtin_ctz(others));
    }
    if (m->hart[e->hart].reports_lines && m->memory.own[line] != 1 + e->hart) {
        return axiom_broken(m, e, MEMORY_ORDER_ONE_WRITER, e->address, err,
                            "it stores to 0x%" PRIx64 ", and may not write the line", e->address);
    }
    return 0;
}

static int make_early(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    struct early *early = &h->early[e->id];
    if (early->valid) {
        return stream_fault(m, e, err, "store %u became visible in cycle %" PRIu64 ", and no instruction made it",
                            e->id, early->cycle);
    }
    *early = (struct early){.valid = true,
                            .size = e->size,
                            .address = e->address,
                            .data = e->data,
                            .time = m->visible + 1,
                            .cycle = e->cycle};
    memcpy(early->window, h->window, sizeof early->window);
    write_memory(m, e, e->hart);
    return 0;
}

int put_visible(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    int status = check_writer(m, e, err);
    if (status) return status;
    const uint64_t number = h->number_of[e->id];
    if (!number) return make_early(m, e, err);
    struct order_store *s = store_of(h, number);
    if (s->address != e->address || s->size != e->size || s->data != low_bytes(e->data, e->size)) {
        return axiom_broken(m, e, MEMORY_ORDER_LOAD_VALUE, s->address, err,
                            "the store at pc 0x%" PRIx64 " of 0x%" PRIx64 " to 0x%" PRIx64
                            " becomes visible as 0x%" PRIx64 " at 0x%" PRIx64,
                            s->pc, s->data, s->address, e->data, e->address);
    }
    if (h->oldest <= s->wait.number) {
        return axiom_broken(m, e, s->wait.rule, s->address, err,
                            "the store at pc 0x%" PRIx64 " becomes visible before the one at pc 0x%" PRIx64
                            ", which it comes after",
                            s->pc, store_of(h, h->oldest)->pc);
    }
    write_memory(m, e, e->hart);
    h->number_of[e->id] = 0;
    s->visible = true;
    s->time = m->visible;
    status = check_overlapping(m, e, s, err);
    if (!status) settle_stores(h, e->cycle);
    return status;
}

// It becomes visible, and no byte of it is.
int put_lost(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    const uint64_t number = h->number_of[e->id];
    if (!number) return stream_fault(m, e, err, "store %u is lost, and has not retired", e->id);
    struct order_store *s = store_of(h, number);
    h->number_of[e->id] = 0;
    s->visible = true;
    s->time = ++m->visible;
    settle_stores(h, e->cycle);
    return 0;
}

int check_waits(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    for (unsigned i = 0; i < m->harts; i++) {
        struct order_hart *h = &m->hart[i];
        if (h->oldest == h->next_store) continue;
        const struct order_store *s = store_of(h, h->oldest);
        const uint64_t since = s->cycle > h->moved ? s->cycle : h->moved; // it was the next one
        if (!h->patience || e->cycle - since <= h->patience) continue;
        return axiom_broken(m, e, MEMORY_ORDER_PROGRESS, s->address, err,
                            "hart %u's store at pc 0x%" PRIx64 " retired in cycle %" PRIu64
                            " and is the oldest since cycle %" PRIu64 ", and is not visible after %" PRIu64 " cycles",
                            i, s->pc, s->cycle, since, h->patience);
    }
    return 0;
}

// ---- lines ----
static int check_line(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const uint64_t first = e->address / MEMORY_ORDER_LINE * MEMORY_ORDER_LINE;
    uint64_t words[MEMORY_ORDER_LINE / BYTES];
    if (e->size != MEMORY_ORDER_LINE) return 0;
    golden_line(&m->memory, first, words);
    if (e->data == memory_order_digest(words)) return 0;
    return axiom_broken(m, e, MEMORY_ORDER_LINE_VALUE, e->address, err,
                        "the cache %s other bytes than memory has after all stores",
                        e->kind == MEMORY_ORDER_LINE_LOST ? "gives up" : "has");
}

int put_line(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    struct order_memory *g = &m->memory;
    const uint64_t line = (e->address - g->base) / MEMORY_ORDER_LINE;
    const uint8_t mine = (uint8_t)(1u << e->hart);
    const uint8_t others = g->held[line] & (uint8_t)~mine;
    m->hart[e->hart].reports_lines = true;
    m->counts.lines++;
    const int status = check_line(m, e, err);
    if (status) return status;
    if (e->kind == MEMORY_ORDER_LINE_LOST) {
        if (g->own[line] == 1 + e->hart) g->own[line] = 0;
        g->held[line] = others;
        return 0;
    }
    const bool owned = e->kind == MEMORY_ORDER_LINE_OWNED;
    if (others && (owned || g->own[line])) {
        return axiom_broken(m, e, MEMORY_ORDER_ONE_WRITER, e->address, err, "it gets the line for %s while hart %d %s",
                            owned ? "writing" : "reading", __builtin_ctz(others),
                            g->own[line] ? "may write it" : "holds it");
    }
    g->held[line] |= mine;
    g->own[line] = owned ? (uint8_t)(1 + e->hart) : 0;
    return 0;
}
