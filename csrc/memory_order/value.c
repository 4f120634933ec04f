// What a load returns: the load value axiom, byte by byte, and the rules that speak of who wrote a value (2, 3, 12).
#include "memory_order/order_internal.h"
#include <inttypes.h>

uint64_t writer_time(struct order_hart *h, uint64_t writer) {
    if (!(writer & OWN)) return writer;
    const uint64_t number = writer & ~OWN;
    const struct order_store *s = store_of(h, number);
    return s->number == number && s->visible ? s->time : writer;
}

// The bytes of (address, size) that other (address, size) has: a bit each, from the first one's on.
static unsigned bytes_met(uint64_t address, unsigned size, uint64_t other, unsigned other_size) {
    unsigned met = 0;
    for (unsigned i = 0; i < size; i++)
        met |= (unsigned)(address + i - other < other_size) << i;
    return met;
}

// ---- load value ----
// Each byte is the youngest older own store's if that was not visible when the load was bound; else it is memory's.
static bool find_value(struct order_hart *h, const struct order_bound *b, struct order_load *load, uint64_t *word) {
    unsigned left = (1u << b->size) - 1;
    *word = b->golden.word;
    for (unsigned i = 0; i < b->size; i++)
        load->written[i] = b->golden.written[i];
    const uint64_t kept = h->next_store > STORES ? h->next_store - STORES : 1;
    for (uint64_t n = h->next_store - 1; left && n >= kept; n--) {
        const struct order_store *s = store_of(h, n);
        if (n < h->oldest && s->settled <= b->time) return true; // and all before it
        const unsigned met = left & bytes_met(b->address, b->size, s->address, s->size);
        left &= ~met;
        if (!met || (s->visible && s->time <= b->time)) continue;
        for (unsigned i = 0; i < b->size; i++) {
            if (!(met >> i & 1)) continue;
            const unsigned from = (unsigned)(b->address + i - s->address);
            *word = (*word & ~(UINT64_C(0xff) << 8 * i)) | (s->data >> 8 * from & 0xff) << 8 * i;
            load->written[i] = OWN | s->number;
        }
    }
    // Not all is known: stores that are forgotten may have waited then.
    return !left || kept == 1 || (kept < h->oldest ? store_of(h, kept)->settled : h->settled) <= b->time;
}

bool memory_order_sees(struct memory_order *m, unsigned hart, const struct memory_order_step *step,
                       struct memory_order_seen *out) {
    struct order_hart *h = &m->hart[hart];
    const struct order_bound *b = &h->bound[step->load];
    struct order_load unused;
    if (!b->valid || b->kind != bound_kind(step->act)) return false;
    *out = (struct memory_order_seen){.address = b->address, .size = b->size};
    return find_value(h, b, &unused, &out->word);
}

// A byte of memory as the hart sees it now, whose value there is `golden`.
static uint8_t byte_now(const struct order_hart *h, uint64_t address, uint64_t golden) {
    for (uint64_t n = h->next_store - 1; n >= h->oldest; n--) {
        const struct order_store *s = &h->stores[n % STORES];
        if (!s->visible && address - s->address < s->size) return (uint8_t)(s->data >> 8 * (address - s->address));
    }
    return (uint8_t)golden;
}

bool memory_order_now(struct memory_order *m, unsigned hart, enum memory_order_renews what, uint64_t address,
                      unsigned bytes, struct memory_order_word *out) {
    const struct order_hart *h = &m->hart[hart];
    struct golden_bytes golden[BYTES];
    uint64_t last = 0;
    if (!golden_inside(&m->memory, address, bytes) || !golden_stored(&m->memory, address, bytes)) return false;
    for (unsigned i = 0; i < bytes; i++) {
        golden[i] = golden_read(&m->memory, address + i, 1);
        if (golden[i].written[0] > last) last = golden[i].written[0];
    }
    *out = (struct memory_order_word){.only = last <= h->renewed[what], .written = last};
    for (unsigned i = 0; last && i < bytes; i++)
        out->word |= (uint64_t)byte_now(h, address + i, golden[i].word) << 8 * i;
    return last > 0;
}

uint64_t memory_order_seen_until(const struct memory_order *m, unsigned hart) {
    return m->hart[hart].last_load.time;
}

// ---- rule 2 ----
static unsigned differing(struct order_hart *h, const struct order_load *a, const struct order_load *b, unsigned left) {
    unsigned differ = 0;
    const unsigned met = left & bytes_met(b->address, b->size, a->address, a->size);
    for (unsigned i = 0; i < b->size; i++) {
        if (!(met >> i & 1)) continue;
        const uint64_t from = a->written[b->address + i - a->address];
        differ |= (unsigned)(writer_time(h, from) != writer_time(h, b->written[i])) << i;
    }
    return differ;
}

// The earlier load that took place after b, and returned another store's value. Only loads that were in flight with b
// can have.
static const struct order_load *reordered(struct order_hart *h, const struct order_load *b) {
    unsigned left = (1u << b->size) - 1;
    uint64_t next = h->next_store;
    for (uint64_t n = h->loads_count; left && n > 0 && h->loads_count - n < LOADS; n--) {
        const struct order_load *a = &h->loads[(n - 1) % LOADS];
        for (; next > a->next_store && h->next_store - next < STORES; next--) { // own stores between the two
            const struct order_store *s = store_of(h, next - 1);
            left &= ~bytes_met(b->address, b->size, s->address, s->size);
        }
        if (a->time > b->time && differing(h, a, b, left)) return a;
    }
    return NULL;
}

void keep_load(struct order_hart *h, const struct order_load *load) {
    struct order_load *slot = &h->loads[h->loads_count++ % LOADS];
    if (h->loads_count > LOADS && slot->time > h->loads_forgotten) h->loads_forgotten = slot->time;
    *slot = *load;
    raise_floor(&h->last_load, (struct order_floor){load->time, load->pc, 1});
}

// Of the stores whose bytes it took before they were visible: after an AMO or SC it must not (rule 3); it comes after
// what their addresses and data depend on (rule 12).
static int check_forwarded(struct memory_order *m, const struct memory_order_event *e, const struct order_load *load,
                           struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    for (unsigned i = 0; i < load->size; i++) {
        if (!(load->written[i] & OWN)) continue;
        const struct order_store *s = store_of(h, load->written[i] & ~OWN);
        if (s->atomic) return order_broken(m, e, &(struct order_floor){s->time, s->pc, 3}, load->time, err);
        const struct order_floor needs = {s->needs.time, s->needs.pc, 12};
        if (load->time < needs.time) return order_broken(m, e, &needs, load->time, err);
    }
    return 0;
}

int check_value(struct memory_order *m, const struct memory_order_event *e, const struct order_bound *b,
                struct order_load *out, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    const struct memory_order_step *s = e->step;
    uint64_t word;
    *out = (struct order_load){.size = b->size, .address = b->address, .time = b->time, .pc = s->pc};
    if (!find_value(h, b, out, &word) || b->time < h->loads_forgotten) {
        return stream_fault(m, e, err,
                            "the load at pc 0x%" PRIx64 " was bound in cycle %" PRIu64
                            ", more than %u loads or stores before it retires",
                            s->pc, b->cycle, LOADS);
    }
    if (!s->unknown && word != low_bytes(s->loaded, b->size)) {
        return axiom_broken(m, e, MEMORY_ORDER_LOAD_VALUE, b->address, err,
                            "the load of %u bytes at 0x%" PRIx64 " at pc 0x%" PRIx64 ", bound in cycle %" PRIu64
                            ": expected 0x%" PRIx64 ", got 0x%" PRIx64,
                            b->size, b->address, s->pc, b->cycle, word, low_bytes(s->loaded, b->size));
    }
    const int status = check_forwarded(m, e, out, err);
    if (status || b->time >= h->last_load.time) return status;
    const struct order_load *a = reordered(h, out);
    return a ? order_broken(m, e, &(struct order_floor){a->time, a->pc, 2}, b->time, err) : 0;
}

// ---- atomicity ----
int check_atomic(struct memory_order *m, const struct memory_order_event *e, const struct order_load *load,
                 const struct early *store, unsigned window, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    const struct order_window *w = &store->window[window];
    if (store->time <= load->time) return 0; // rules 1 and 8
    if (w->time != load->time) {
        return stream_fault(
            m, e, err, "the AMO or SC at pc 0x%" PRIx64 " became visible when its load was not the last", e->step->pc);
    }
    for (unsigned i = 0; i < load->size; i++) {
        const uint64_t byte = load->address + i, foreign = w->foreign[byte % BYTES];
        if (byte - store->address >= store->size || foreign <= writer_time(h, load->written[i])) continue;
        return axiom_broken(m, e, MEMORY_ORDER_ATOMICITY, byte, err,
                            "another hart stored to 0x%" PRIx64 " (time %" PRIu64 ") between the load at pc 0x%" PRIx64
                            " (time %" PRIu64 ") and the store at pc 0x%" PRIx64 " (time %" PRIu64 ")",
                            byte, foreign, load->pc, load->time, e->step->pc, store->time);
    }
    return 0;
}
