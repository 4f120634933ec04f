// Instructions that retire, in program order: the rules of preserved program order, each against the time at which the
// access took place. An earlier access is known by the greatest time of its kind, so a check is a comparison.
#include "memory_order/order_internal.h"
#include <inttypes.h>
#include <stddef.h>

static bool stores(enum memory_order_act act) {
    return act == MEMORY_ORDER_STORES || act == MEMORY_ORDER_SC || act == MEMORY_ORDER_AMO;
}

// ---- what comes after what ----
struct access { // one that retires
    const struct memory_order_step *step;
    bool load, store;
    bool atomic;   // an AMO or SC
    bool rcsc;     // has an RCsc annotation
    bool timed;    // time is known: all but stores that are not visible yet
    uint64_t time; // of an AMO: of its store
};

static bool too_early(const struct access *a, uint64_t time) {
    return a->timed && (a->store ? a->time <= time : a->time < time);
}

static int check_floor(struct memory_order *m, const struct memory_order_event *e, const struct access *a,
                       struct order_floor floor, unsigned rule, struct error *err) {
    if (!floor.time || !too_early(a, floor.time)) return 0;
    if (rule) floor.rule = (uint8_t)rule;
    return order_broken(m, e, &floor, a->time, err);
}

// Stores before it are not visible, and it is, or it is bound.
static int check_wait(struct memory_order *m, const struct memory_order_event *e, const struct access *a,
                      const struct order_wait *w, struct error *err) {
    const struct order_hart *h = &m->hart[e->hart];
    if (!a->timed || !w->number || h->oldest > w->number) return 0;
    const struct order_store *s = &h->stores[h->oldest % STORES];
    return axiom_broken(m, e, w->rule, e->step->address, err,
                        "b at pc 0x%" PRIx64 " (time %" PRIu64 ") came before a, the store at pc 0x%" PRIx64
                        ", which is not visible yet",
                        e->step->pc, a->time, s->pc);
}

static struct order_wait all_stores(const struct order_hart *h, uint64_t pc, unsigned rule) {
    return (struct order_wait){h->next_store - 1, pc, (uint8_t)rule};
}

// Rule 1, of a store that was visible before it retired: earlier loads of its bytes.
static int check_earlier_loads(struct memory_order *m, const struct memory_order_event *e, const struct access *a,
                               struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    if (!too_early(a, h->last_load.time)) return 0;
    for (uint64_t n = h->loads_count; n > 0 && h->loads_count - n < LOADS; n--) {
        const struct order_load *l = &h->loads[(n - 1) % LOADS];
        if (!too_early(a, l->time) || !overlap(l->address, l->size, a->step->address, a->step->size)) continue;
        return order_broken(m, e, &(struct order_floor){l->time, l->pc, 1}, a->time, err);
    }
    return 0;
}

static int check_rules(struct memory_order *m, const struct memory_order_event *e, const struct access *a,
                       struct error *err) {
    const struct memory_order_step *s = a->step;
    struct order_hart *h = &m->hart[e->hart];
    const struct order_wait release = all_stores(h, s->pc, 6);
    int status = 0;
    if (a->store && !status) status = check_earlier_loads(m, e, a, err);
    if (a->load && !status) status = check_floor(m, e, a, h->load_floor, 0, err);
    if (a->load && !status) status = check_wait(m, e, a, &h->load_wait, err);
    if (a->store && !status) status = check_floor(m, e, a, h->store_floor, 0, err);
    if (a->store && !status) status = check_wait(m, e, a, &h->store_wait, err);
    if (s->rl && !status) status = check_wait(m, e, a, &release, err);
    if (s->rl && !status) status = check_floor(m, e, a, h->last_load, 6, err);
    if (s->rl && !status) status = check_floor(m, e, a, (struct order_floor){h->settled, 0, 6}, 6, err);
    if (a->rcsc && !status) status = check_floor(m, e, a, h->rcsc, 7, err);
    if (s->act == MEMORY_ORDER_SC && !status) {
        const struct order_load *lr = &h->reservation.load;
        status = check_floor(m, e, a, (struct order_floor){lr->time, lr->pc, 8}, 8, err);
    }
    if (!status) status = check_floor(m, e, a, h->of_register[s->rs[0]], 9, err);
    if (a->store && !status) status = check_floor(m, e, a, h->of_register[s->rs[1]], 10, err);
    if (a->store && !status) status = check_floor(m, e, a, h->control, 11, err);
    if (a->store && !status) status = check_floor(m, e, a, h->address, 13, err);
    return status;
}

// ---- what it asks of later ones ----
static void order_after(struct order_hart *h, struct order_floor floor, bool for_loads, bool for_stores) {
    if (for_loads) raise_floor(&h->load_floor, floor);
    if (for_stores) raise_floor(&h->store_floor, floor);
}

static void order_after_stores(struct order_hart *h, uint64_t pc, unsigned rule, bool for_loads, bool for_stores) {
    const struct order_wait w = all_stores(h, pc, rule);
    if (h->oldest > w.number) {
        order_after(h, (struct order_floor){h->settled, pc, (uint8_t)rule}, for_loads, for_stores);
        return;
    }
    if (for_loads) h->load_wait = w;
    if (for_stores) h->store_wait = w;
}

static void retire_fence(struct order_hart *h, const struct memory_order_step *s) {
    const bool to_loads = s->succ & MEMORY_ORDER_R, to_stores = s->succ & MEMORY_ORDER_W;
    struct order_floor loaded = h->last_load;
    loaded.rule = 4;
    if (s->pred & MEMORY_ORDER_R) order_after(h, loaded, to_loads, to_stores);
    if (s->pred & MEMORY_ORDER_W) order_after_stores(h, s->pc, 4, to_loads && !s->tso, to_stores);
}

static void retire_annotated(struct order_hart *h, const struct access *a) {
    const struct memory_order_step *s = a->step;
    if (s->aq && a->timed) order_after(h, (struct order_floor){a->time, s->pc, 5}, true, true);
    if (s->aq && !a->timed) order_after_stores(h, s->pc, 5, true, true);
    if (a->rcsc) raise_floor(&h->rcsc, (struct order_floor){a->time, s->pc, 7});
}

// ---- registers ----
static struct order_floor sources(const struct order_hart *h, const struct memory_order_step *s) {
    struct order_floor f = h->of_register[s->rs[0]];
    raise_floor(&f, h->of_register[s->rs[1]]);
    raise_floor(&f, h->of_register[s->rs[2]]);
    return f;
}

static void retire_registers(struct order_hart *h, const struct memory_order_step *s, struct order_floor result) {
    if (s->rd) h->of_register[s->rd] = result;
}

// ---- accesses ----
static int take_load(struct memory_order *m, const struct memory_order_event *e, struct order_load *load,
                     struct error *err) {
    const struct memory_order_step *s = e->step;
    struct order_bound *b = &m->hart[e->hart].bound[s->load];
    if (!b->valid || b->kind != bound_kind(s->act) || b->address != s->address || b->size != s->size) {
        return stream_fault(m, e, err, "the load of %u bytes at 0x%" PRIx64 " at pc 0x%" PRIx64 " retires and %s",
                            s->size, s->address, s->pc, b->valid ? "another one was bound" : "has not been bound");
    }
    b->valid = false;
    return check_value(m, e, b, load, err);
}

// The store that retires, as far as it has become visible: *early NULL if it has not.
static int take_early(struct memory_order *m, const struct memory_order_event *e, struct early **early,
                      struct error *err) {
    const struct memory_order_step *s = e->step;
    struct early *found = &m->hart[e->hart].early[s->store];
    *early = NULL;
    if (!found->valid) {
        if (s->act == MEMORY_ORDER_STORES) return 0;
        return stream_fault(m, e, err, "the AMO or SC at pc 0x%" PRIx64 " retires before its store is visible", s->pc);
    }
    found->valid = false;
    *early = found;
    if (found->address == s->address && found->size == s->size &&
        low_bytes(found->data, s->size) == low_bytes(s->stored, s->size))
        return 0;
    return axiom_broken(m, e, MEMORY_ORDER_LOAD_VALUE, s->address, err,
                        "the store at pc 0x%" PRIx64 " of 0x%" PRIx64 " to 0x%" PRIx64 " became visible as 0x%" PRIx64
                        " at 0x%" PRIx64,
                        s->pc, low_bytes(s->stored, s->size), s->address, found->data, found->address);
}

static int check_pair(struct memory_order *m, const struct memory_order_event *e, const struct early *early,
                      const struct order_load *amo, struct error *err) {
    struct order_hart *h = &m->hart[e->hart];
    if (e->step->act == MEMORY_ORDER_AMO) return check_atomic(m, e, amo, early, WINDOW_AMO, err);
    if (!h->reservation.valid) {
        return axiom_broken(m, e, MEMORY_ORDER_ATOMICITY, e->step->address, err,
                            "the SC at pc 0x%" PRIx64 " succeeds, and no LR is paired with it", e->step->pc);
    }
    return check_atomic(m, e, &h->reservation.load, early, WINDOW_LR, err);
}

static int retire_store(struct memory_order *m, const struct memory_order_event *e, const struct access *a,
                        const struct early *early, struct error *err) {
    const struct memory_order_step *s = a->step;
    struct order_hart *h = &m->hart[e->hart];
    struct order_store made = {.visible = early != NULL,
                               .atomic = a->atomic,
                               .size = s->size,
                               .id = s->store,
                               .address = s->address,
                               .data = low_bytes(s->stored, s->size),
                               .pc = s->pc,
                               .cycle = e->cycle,
                               .time = early ? early->time : 0,
                               .needs = h->of_register[s->rs[0]],
                               .wait = s->rl ? all_stores(h, s->pc, 6) : h->store_wait};
    raise_floor(&made.needs, h->of_register[s->rs[1]]);
    struct order_store *kept;
    int status = add_store(m, e, &made, &kept, err);
    if (!status && early) status = check_overlapping(m, e, kept, err);
    if (!status) settle_stores(h, e->cycle);
    return status;
}

static int retire_access(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const struct memory_order_step *s = e->step;
    struct order_hart *h = &m->hart[e->hart];
    struct access a = {.step = s,
                       .load = bound_kind(s->act) != MEMORY_ORDER_PASSED,
                       .store = stores(s->act),
                       .atomic = s->act == MEMORY_ORDER_AMO || s->act == MEMORY_ORDER_SC,
                       .rcsc = s->act >= MEMORY_ORDER_LR && (s->aq || s->rl)};
    struct order_load load = {0};
    struct early *early = NULL;
    int status = a.load ? take_load(m, e, &load, err) : 0;
    if (!status && a.store) status = take_early(m, e, &early, err);
    if (!status && a.atomic) status = check_pair(m, e, early, &load, err);
    a.timed = !a.store || early;
    a.time = early ? early->time : load.time;
    if (!status) status = check_rules(m, e, &a, err);
    if (!status && a.store) status = retire_store(m, e, &a, early, err);
    if (status) return status;

    raise_floor(&h->address, h->of_register[s->rs[0]]);
    const struct order_floor done = {a.time, s->pc, 0};
    // Loads and AMOs carry no dependency from their sources; an SC's success depends on its store.
    retire_registers(h, s, a.load || s->act == MEMORY_ORDER_SC ? done : (struct order_floor){0});
    if (a.load) {
        load.time = a.time;
        load.next_store = h->next_store;
        keep_load(h, &load);
    }
    if (s->act == MEMORY_ORDER_LR) h->reservation = (struct reservation){true, load};
    if (s->act == MEMORY_ORDER_SC) h->reservation.valid = false;
    retire_annotated(h, &a);
    m->counts.loads += s->act == MEMORY_ORDER_LOADS;
    m->counts.stores += s->act == MEMORY_ORDER_STORES;
    m->counts.atomics += s->act >= MEMORY_ORDER_LR;
    return 0;
}

static bool computes(const struct memory_order_step *s) {
    return s->act <= MEMORY_ORDER_SC_FAILS || s->outside;
}

static int check_step(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const struct memory_order_step *s = e->step;
    if (!s || s->act > MEMORY_ORDER_AMO || s->rd >= REGISTERS || s->rs[0] >= REGISTERS || s->rs[1] >= REGISTERS ||
        s->rs[2] >= REGISTERS)
        return stream_fault(m, e, err, "it retires no instruction");
    if (computes(s)) return 0;
    const bool size = s->size == 1 || s->size == 2 || s->size == 4 || s->size == 8;
    if (size && !(s->address % s->size) && golden_inside(&m->memory, s->address, s->size) &&
        s->load < MEMORY_ORDER_IDS && s->store < MEMORY_ORDER_IDS)
        return 0;
    return stream_fault(m, e, err, "an access of %u bytes at 0x%" PRIx64 " (ids %u and %u)", s->size, s->address,
                        s->load, s->store);
}

int put_retired(struct memory_order *m, const struct memory_order_event *e, struct error *err) {
    const struct memory_order_step *s = e->step;
    struct order_hart *h = &m->hart[e->hart];
    const int status = check_step(m, e, err);
    if (status) return status;
    if (!computes(s)) return retire_access(m, e, err);
    const struct order_floor from = sources(h, s);
    if (s->act == MEMORY_ORDER_FENCES) retire_fence(h, s);
    if (s->renews) h->renewed[s->renews] = h->last_load.time; // what it has seen of other harts' stores, at least
    if (s->act == MEMORY_ORDER_BRANCHES) raise_floor(&h->control, from);
    if (s->act >= MEMORY_ORDER_SC_FAILS) raise_floor(&h->address, h->of_register[s->rs[0]]);
    if (s->act == MEMORY_ORDER_SC_FAILS || (s->outside && s->act >= MEMORY_ORDER_LR)) h->reservation.valid = false;
    // jalr, an SC that fails, and accesses of devices carry no dependency.
    retire_registers(h, s, s->act == MEMORY_ORDER_COMPUTES ? from : (struct order_floor){0});
    return 0;
}
