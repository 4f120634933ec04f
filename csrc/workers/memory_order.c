// The order of memory (memory_order/memory_order.h): what the core's loads and stores do, and when, against RVWMO.
//
// When an access takes place comes from the core (sim/access_events.sv); what the program does, and the value of each
// load, from the ISS. So a load's value is not taken over from either: what memory and the store queue held when it was
// bound has to be what the ISS loads. Accesses to devices, and to the boot ROM, are outside.
#include "memory_order/memory_order.h"
#include "base/memory_size.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ATOMIC_ID = MEMORY_ORDER_IDS - 1, // of AMOs, LR and SC: one at a time
    STEPS = 1 << 10,                  // instructions that are known: a power of two
    HOST_WAITS = 2 * MAX_HOST_WRITES,
    HINT = 0x13 // opcode of a prefetch, which takes a place in the load queue
};

struct order {
    struct memory_order *checker;
    uint64_t bytes; // of DRAM
    unsigned load_queue, store_queue;
    unsigned load, store; // the places of the next ones that retire
    bool reported;        // some access has been
    struct host_write host[HOST_WAITS];
    uint64_t host_written, host_done;
    struct known {
        uint32_t insn;
        bool hint;
        struct memory_order_step step;
    } known[STEPS];
};

static void destroy(void *state) {
    struct order *o = state;
    memory_order_destroy(o->checker);
    free(o);
}

static bool inside(const struct order *o, uint64_t address) {
    return address - DRAM_BASE < o->bytes;
}

static void load_image(struct order *o, const struct image *image) {
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        memory_order_load(o->checker, segment->address, segment->data, segment->file_bytes);
    }
}

static struct known know(uint32_t insn) {
    const struct memory_order_step step = memory_order_step_of(insn);
    const bool hint = (insn & 0x7f) == HINT && (insn >> 12 & 7) == 6 && (insn >> 7 & 31) == 0 &&
                      (insn >> 20 & 31) <= 3 && (insn >> 20 & 31) != 2;
    return (struct known){insn, hint, step};
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct order *o = error_calloc(sizeof *o, "memory-order", err);
    if (!o) return NULL;
    o->bytes = memory_size_or_default(run->core.memory);
    o->load_queue = run->load_queue;
    o->store_queue = run->store_queue;
    o->checker = memory_order_create(&(struct memory_order_shape){1, DRAM_BASE, o->bytes, values[0].number}, err);
    if (!o->checker) {
        destroy(o);
        return NULL;
    }
    load_image(o, run->image);
    for (unsigned i = 0; i < STEPS; i++)
        o->known[i] = know(0);
    return o;
}

// ---- when accesses take place ----
static const enum memory_order_kind kinds[ACCESS_KINDS] = {
    [ACCESS_HOST] = MEMORY_ORDER_WRITTEN,        [ACCESS_LOAD] = MEMORY_ORDER_LOAD_BOUND,
    [ACCESS_AMO] = MEMORY_ORDER_AMO_BOUND,       [ACCESS_LR] = MEMORY_ORDER_LR_BOUND,
    [ACCESS_STORE] = MEMORY_ORDER_STORE_VISIBLE, [ACCESS_AMO_STORE] = MEMORY_ORDER_STORE_VISIBLE,
    [ACCESS_TABLE] = MEMORY_ORDER_WRITTEN,       [ACCESS_LOST] = MEMORY_ORDER_STORE_LOST,
    [ACCESS_OTHER] = MEMORY_ORDER_WRITTEN};

static bool is_atomic(enum access_kind kind) {
    return kind == ACCESS_AMO || kind == ACCESS_LR || kind == ACCESS_AMO_STORE;
}

static int put(struct order *o, const struct memory_order_event *event, struct error *err) {
    return memory_order_put(o->checker, event, err) ? -EBADMSG : 0;
}

// It was written at the end of the cycle before.
static int put_host(struct order *o, uint64_t cycle, struct error *err) {
    if (o->host_done == o->host_written) return 0;
    const struct host_write *h = &o->host[o->host_done++ % HOST_WAITS];
    if (!inside(o, h->addr)) return 0;
    return put(o,
               &(struct memory_order_event){.kind = MEMORY_ORDER_WRITTEN,
                                            .size = sizeof h->data,
                                            .cycle = cycle ? cycle - 1 : 0,
                                            .address = h->addr,
                                            .data = h->data},
               err);
}

static int put_access(struct order *o, const struct access_event *a, uint64_t cycle, struct error *err) {
    o->reported = true;
    if (a->kind == ACCESS_HOST) return put_host(o, cycle, err);
    if (a->kind >= ACCESS_KINDS || !inside(o, a->address)) return 0;
    return put(o,
               &(struct memory_order_event){.kind = kinds[a->kind],
                                            .size = a->bytes,
                                            .id = is_atomic(a->kind) ? ATOMIC_ID : a->id,
                                            .cycle = cycle,
                                            .address = a->address,
                                            .data = a->data},
               err);
}

// ---- what the program does ----
// Each in the queue's next place: the queues fill in program order. A prefetch takes one of the loads'.
static void place(struct order *o, struct memory_order_step *s, bool hint) {
    s->load = s->store = ATOMIC_ID;
    if (s->act == MEMORY_ORDER_LOADS || hint) {
        s->load = (uint16_t)o->load;
        o->load = o->load + 1 == o->load_queue ? 0 : o->load + 1;
    } else if (s->act == MEMORY_ORDER_STORES) {
        s->store = (uint16_t)o->store;
        o->store = o->store + 1 == o->store_queue ? 0 : o->store + 1;
    }
}

static void add_access(struct order *o, struct memory_order_step *s, const struct iss_retire *step) {
    if (s->act == MEMORY_ORDER_SC && !step->sc_success) s->act = MEMORY_ORDER_SC_FAILS;
    s->outside = !inside(o, step->address);
    s->unknown = step->reads_nondeterministic || (s->act == MEMORY_ORDER_AMO && !step->rd_written);
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

static int retire(struct order *o, const struct iss_retire *step, uint64_t cycle, struct error *err) {
    struct known *k = &o->known[(step->insn >> 2 ^ step->insn >> 15) % STEPS];
    if (k->insn != step->insn) *k = know(step->insn);
    struct memory_order_step s = k->step;
    s.pc = step->pc;
    if (s.act >= MEMORY_ORDER_LOADS) add_access(o, &s, step);
    if (s.act == MEMORY_ORDER_LOADS && !s.outside && !o->reported) return not_reported(err);
    if (s.act >= MEMORY_ORDER_LOADS || k->hint) place(o, &s, k->hint);
    return put(o, &(struct memory_order_event){.kind = MEMORY_ORDER_RETIRED, .cycle = cycle, .step = &s}, err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct order *o = state;
    for (unsigned i = 0; i < v->left->host_write_count; i++)
        o->host[o->host_written++ % HOST_WAITS] = v->left->host_writes[i];
    int result = 0;
    for (unsigned i = 0; i < v->accesses->count && !result; i++)
        result = put_access(o, &v->accesses->list[i], v->cycle, err);
    if (v->golden->cycle != v->cycle) return result;
    for (unsigned i = 0; i < v->golden->count && !result; i++)
        if (!v->golden->step[i].trap) result = retire(o, &v->golden->step[i], v->cycle, err);
    return result;
}

static void explain(void *state, FILE *out) {
    memory_order_explain(((struct order *)state)->checker, out);
}

const struct worker_ops worker_memory_order = {
    .name = "memory-order",
    .text = "loads and stores, and when they take place, against RVWMO",
    .needs = DPI_BUNDLE | DPI_RETIRE | DPI_ACCESSES | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .check = true,
    .keys = {{"patience", WORKER_NUMBER, "cycles that a store may wait to be visible; 0: any number", "0", 0,
              UINT64_MAX}},
    .create = create,
    .cycle = cycle,
    .explain = explain,
    .destroy = destroy};
