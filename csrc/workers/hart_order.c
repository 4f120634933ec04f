// One hart's accesses to memory, from the records of its core and the ISS to the checker (memory_order/memory_order.h).
//
// When an access takes place comes from the core (sim/access_events.sv); what the program does, and the value of each
// load, from the ISS. So a load's value is not taken over from either: what memory and the store queue held when it was
// bound has to be what the ISS loads. Accesses to devices, and to the boot ROM, are outside.
#include "workers/hart_order.h"
#include "base/memory_size.h"
#include "workers/worker.h"
#include <errno.h>

enum {
    ATOMIC_ID = MEMORY_ORDER_IDS - 1, // of AMOs, LR and SC: one at a time
    HINT = 0x13                       // opcode of a prefetch, which takes a place in the load queue
};

static bool inside(const struct hart_order *o, uint64_t address) {
    return address - DRAM_BASE < o->bytes;
}

static struct known_step know(uint32_t insn) {
    const struct memory_order_step step = memory_order_step_of(insn);
    const bool hint = (insn & 0x7f) == HINT && (insn >> 12 & 7) == 6 && (insn >> 7 & 31) == 0 &&
                      (insn >> 20 & 31) <= 3 && (insn >> 20 & 31) != 2;
    return (struct known_step){insn, hint, step};
}

void hart_order_load(struct memory_order *checker, const struct image *image) {
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        memory_order_load(checker, segment->address, segment->data, segment->file_bytes);
    }
}

// Caches that are full when the run begins (--warm): they are coherent, and so no event is refused.
static void hold_lines(struct hart_order *o, const struct worker_run *run) {
    struct error err;
    for (size_t i = 0; i < run->held_count; i++)
        memory_order_put(o->checker,
                         &(struct memory_order_event){.kind = run->held[i].owned ? MEMORY_ORDER_LINE_OWNED
                                                                                 : MEMORY_ORDER_LINE_SHARED,
                                                      .hart = o->hart,
                                                      .address = run->held[i].address},
                         &err);
}

void hart_order_init(struct hart_order *o, struct memory_order *checker, unsigned hart, const struct worker_run *run) {
    *o = (struct hart_order){.checker = checker,
                             .hart = (uint8_t)hart,
                             .bytes = memory_size_or_default(run->core.memory),
                             .load_queue = run->load_queue,
                             .store_queue = run->store_queue};
    for (unsigned i = 0; i < HART_ORDER_STEPS; i++)
        o->known[i] = know(0);
    hold_lines(o, run);
}

// ---- when accesses take place ----
static const struct {
    enum memory_order_kind kind;
    enum hart_order_part part;
} rows[ACCESS_KINDS] = {[ACCESS_HOST] = {MEMORY_ORDER_WRITTEN, HART_ORDER_HOST_WRITES},
                        [ACCESS_LOAD] = {MEMORY_ORDER_LOAD_BOUND, HART_ORDER_LOADS},
                        [ACCESS_AMO] = {MEMORY_ORDER_AMO_BOUND, HART_ORDER_LOADS},
                        [ACCESS_LR] = {MEMORY_ORDER_LR_BOUND, HART_ORDER_LOADS},
                        [ACCESS_STORE] = {MEMORY_ORDER_STORE_VISIBLE, HART_ORDER_STORES},
                        [ACCESS_AMO_STORE] = {MEMORY_ORDER_STORE_VISIBLE, HART_ORDER_STORES},
                        [ACCESS_TABLE] = {MEMORY_ORDER_WRITTEN, HART_ORDER_STORES},
                        [ACCESS_LOST] = {MEMORY_ORDER_STORE_LOST, HART_ORDER_STORES},
                        [ACCESS_OTHER] = {MEMORY_ORDER_WRITTEN, HART_ORDER_STORES},
                        [ACCESS_LINE_SHARED] = {MEMORY_ORDER_LINE_SHARED, HART_ORDER_LINES_GAINED},
                        [ACCESS_LINE_OWNED] = {MEMORY_ORDER_LINE_OWNED, HART_ORDER_LINES_GAINED},
                        [ACCESS_LINE_LOST] = {MEMORY_ORDER_LINE_LOST, HART_ORDER_LINES_LOST}};

static bool is_atomic(enum access_kind kind) {
    return kind == ACCESS_AMO || kind == ACCESS_LR || kind == ACCESS_AMO_STORE;
}

static int put(struct hart_order *o, const struct memory_order_event *event, struct error *err) {
    return memory_order_put(o->checker, event, err) ? -EBADMSG : 0;
}

// It was written at the end of the cycle before.
static int put_host(struct hart_order *o, uint64_t cycle, struct error *err) {
    if (o->host_done == o->host_written) return 0;
    const struct host_write *h = &o->host[o->host_done++ % HART_ORDER_HOST];
    if (!inside(o, h->addr)) return 0;
    return put(o,
               &(struct memory_order_event){.kind = MEMORY_ORDER_WRITTEN,
                                            .hart = o->hart,
                                            .size = sizeof h->data,
                                            .cycle = cycle ? cycle - 1 : 0,
                                            .address = h->addr,
                                            .data = h->data},
               err);
}

// A line that its cache gets, shares or loses: id says whether data is a digest of what it has.
static bool is_line(enum access_kind kind) {
    return kind >= ACCESS_LINE_SHARED && kind <= ACCESS_LINE_LOST;
}

static int put_access(struct hart_order *o, const struct access_event *a, uint64_t cycle, struct error *err) {
    o->reported = true;
    if (a->kind == ACCESS_HOST) return put_host(o, cycle, err);
    if (a->kind >= ACCESS_KINDS || !inside(o, a->address)) return 0;
    const bool line = is_line(a->kind);
    return put(o,
               &(struct memory_order_event){.kind = rows[a->kind].kind,
                                            .hart = o->hart,
                                            .size = !line   ? a->bytes
                                                    : a->id ? MEMORY_ORDER_LINE
                                                            : 0,
                                            .id = is_atomic(a->kind) ? ATOMIC_ID
                                                  : line             ? 0
                                                                     : a->id,
                                            .cycle = cycle,
                                            .address = a->address,
                                            .data = a->data},
               err);
}

// ---- what the program does ----
// Each in the queue's next place: the queues fill in program order. A prefetch takes one of the loads'.
static void place(struct hart_order *o, struct memory_order_step *s, bool hint) {
    s->load = s->store = ATOMIC_ID;
    if (s->act == MEMORY_ORDER_LOADS || hint) {
        s->load = (uint16_t)o->load;
        o->load = o->load + 1 == o->load_queue ? 0 : o->load + 1;
    } else if (s->act == MEMORY_ORDER_STORES) {
        s->store = (uint16_t)o->store;
        o->store = o->store + 1 == o->store_queue ? 0 : o->store + 1;
    }
}

static void add_access(struct hart_order *o, struct memory_order_step *s, const struct iss_retire *step) {
    if (s->act == MEMORY_ORDER_SC && !step->sc_success) s->act = MEMORY_ORDER_SC_FAILS;
    s->outside = !inside(o, step->address);
    const bool others = step->reads_nondeterministic && (s->outside || !o->host_shown);
    s->unknown = others || (s->act == MEMORY_ORDER_AMO && !step->rd_written);
    s->address = step->address;
    s->size = step->size;
    s->loaded = s->act == MEMORY_ORDER_AMO ? step->rd_value : step->data;
    s->stored = step->data;
}

WORKER_RARE static int not_reported(struct error *err) {
    error_set(err, "memory-order: the model does not report when accesses take place: build it again (make build), or "
                   "leave them out (--worker memory-order:on=no)");
    return -EBADMSG;
}

static const struct known_step *known(struct hart_order *o, uint32_t insn) {
    struct known_step *k = &o->known[(insn >> 2 ^ insn >> 15) % HART_ORDER_STEPS];
    if (k->insn != insn) *k = know(insn);
    return k;
}

int hart_order_retire(struct hart_order *o, uint64_t cycle, const struct iss_retire *step, struct error *err) {
    const struct known_step *k = known(o, step->insn);
    struct memory_order_step s = k->step;
    s.pc = step->pc;
    if (s.act >= MEMORY_ORDER_LOADS) add_access(o, &s, step);
    if (s.act == MEMORY_ORDER_LOADS && !s.outside && !o->reported) return not_reported(err);
    if (s.act >= MEMORY_ORDER_LOADS || k->hint) place(o, &s, k->hint);
    return put(o,
               &(struct memory_order_event){.kind = MEMORY_ORDER_RETIRED, .hart = o->hart, .cycle = cycle, .step = &s},
               err);
}

bool hart_order_sees(struct hart_order *o, uint32_t insn, struct memory_order_seen *out) {
    const enum memory_order_act act = known(o, insn)->step.act;
    if (act != MEMORY_ORDER_LOADS && act != MEMORY_ORDER_LR && act != MEMORY_ORDER_AMO) return false;
    const uint16_t load = act == MEMORY_ORDER_LOADS ? (uint16_t)o->load : ATOMIC_ID;
    return memory_order_sees(o->checker, o->hart, &(struct memory_order_step){.act = act, .load = load}, out);
}

// ---- cycles ----
void hart_order_host_writes(struct hart_order *o, const struct trace_left *left) {
    for (unsigned i = 0; i < left->host_write_count; i++)
        o->host[o->host_written++ % HART_ORDER_HOST] = left->host_writes[i];
}

int hart_order_cycle(struct hart_order *o, uint64_t cycle, const struct trace_left *left,
                     const struct trace_accesses *accesses, const struct golden *golden, struct error *err) {
    int result = 0;
    hart_order_host_writes(o, left);
    for (unsigned i = 0; i < accesses->count && !result; i++)
        result = put_access(o, &accesses->list[i], cycle, err);
    if (golden->cycle != cycle) return result;
    for (unsigned i = 0; i < golden->count && !result; i++)
        if (!golden->step[i].trap) result = hart_order_retire(o, cycle, &golden->step[i], err);
    return result;
}

int hart_order_host(struct hart_order *o, uint64_t cycle, bool write, uint64_t address, uint64_t word,
                    struct error *err) {
    if (!inside(o, address)) return 0;
    return put(o,
               &(struct memory_order_event){.kind = write ? MEMORY_ORDER_HOST_WRITTEN : MEMORY_ORDER_HOST_READ,
                                            .hart = o->hart,
                                            .size = sizeof word,
                                            .cycle = cycle,
                                            .address = address,
                                            .data = word},
               err);
}

unsigned hart_order_parts(const struct trace_accesses *accesses) {
    unsigned parts = 0;
    for (unsigned i = 0; i < accesses->count; i++)
        if (accesses->list[i].kind < ACCESS_KINDS) parts |= 1u << rows[accesses->list[i].kind].part;
    return parts;
}

int hart_order_part(struct hart_order *o, uint64_t cycle, const struct trace_accesses *accesses,
                    enum hart_order_part part, struct error *err) {
    int result = 0;
    for (unsigned i = 0; i < accesses->count && !result; i++) {
        const struct access_event *a = &accesses->list[i];
        if (a->kind < ACCESS_KINDS && rows[a->kind].part == part) result = put_access(o, a, cycle, err);
    }
    return result;
}
