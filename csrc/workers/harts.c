// Several harts in step: the next cycle of all is taken out of their batches, part by part.
#include "workers/harts.h"
#include "base/memory_size.h"
#include "memory_map.h"
#include "workers/aside.h"
#include "workers/batch.h"
#include "workers/hart_view.h"
#include <inttypes.h>
#include <stdlib.h>

struct found {
    int result;
    struct error fault; // with it
};
struct hart_place {
    struct harts *all;
    struct harts_feed feed; // all NULL: it has none, or has none any more
    struct found known;     // of what had been shown when the last was handed over
    uint64_t passed, next;  // all before it are in the batches; the cycle that is shown next
    bool proves;            // order is in use
    unsigned parts;         // of its accesses in the cycle that is shown
    bool waits;             // at this wfi, for another hart:
    uint64_t wfi;
    int result;
    struct error fault; // with it
    struct hart_order order;
};
enum {
    TOGETHER = 256, // cycles that are shown together: what checks need is in the machine's caches for all of them
    HOST = 2048     // accesses of the host that wait for their cycle: a line's, every few cycles
};
struct harts {
    unsigned count;
    struct memory_order *checker; // NULL: nobody has asked yet
    uint64_t due;                 // more is handed over when all harts have passed this cycle
    struct aside *aside;          // that shows what was handed over: cycles before `until`
    uint64_t until;
    bool over, stopped; // a worker has found something; and that is known
    struct harts_host_access host[HOST];
    size_t host_told, host_given, host_shown, host_free; // free: shown, as far as is known
    struct hart_place place[];
};

// ---- workers ----
static bool create_checker(struct harts *h, const struct worker_run *run, struct error *err) {
    const uint64_t bytes = memory_size_or_default(run->core.memory);
    h->checker = memory_order_create(&(struct memory_order_shape){h->count, DRAM_BASE, bytes, 0}, err);
    if (!h->checker) return false;
    hart_order_load(h->checker, run->image);
    return true;
}

struct hart_order *harts_order(struct harts *h, const struct worker_run *run, uint64_t patience, struct error *err) {
    struct hart_place *p = &h->place[run->hart];
    if (!h->checker && !create_checker(h, run, err)) return NULL;
    memory_order_set_patience(h->checker, run->hart, patience);
    hart_order_init(&p->order, h->checker, run->hart, run);
    p->order.host_shown = true;
    p->proves = true;
    return &p->order;
}

static void before(void *context, const struct retired *core, struct iss *iss, struct hart *hart) {
    hart_view_before(&(struct hart_view){&((struct hart_place *)context)->order, iss, hart}, core);
}

static void before_trap(void *context, const struct trapped *trap, struct iss *iss, struct hart *hart) {
    hart_view_before_trap(&(struct hart_view){&((struct hart_place *)context)->order, iss, hart}, trap);
}

static int after(void *context, uint64_t cycle, const struct iss_retire *step, struct error *err) {
    return hart_order_retire(&((struct hart_place *)context)->order, cycle, step, err);
}

struct cosim_shared harts_shared(struct harts *h, unsigned hart) {
    return (struct cosim_shared){&h->place[hart], before, before_trap, after};
}

void harts_waits(struct harts *h, unsigned hart, uint64_t pc) {
    h->place[hart].waits = true;
    h->place[hart].wfi = pc;
}

void harts_goes_on(struct harts *h, unsigned hart) {
    h->place[hart].waits = false;
}

bool harts_all_wait(const struct harts *h, char *text, size_t size) {
    int used = 0;
    for (unsigned i = 0; i < h->count && used < (int)size; i++) {
        const struct hart_place *p = &h->place[i];
        if (!p->waits) return false;
        used += snprintf(text + used, size - (size_t)used, "%shart %u at 0x%" PRIx64, i ? ", " : "", i, p->wfi);
    }
    return true;
}

void harts_explain(const struct harts *h, FILE *out) {
    if (h->checker) memory_order_explain(h->checker, out);
}

// ---- cycles ----
static void stop(struct hart_place *p, int result) {
    p->result = result;
    p->all->over = true;
}

static void show_part(struct harts *h, uint64_t cycle, enum hart_order_part part) {
    for (struct hart_place *p = h->place; p < h->place + h->count && !h->over; p++) {
        if (!(p->parts >> part & 1)) continue;
        const int result = hart_order_part(&p->order, cycle, &p->feed.now->accesses, part, &p->fault);
        if (result == 0) continue;
        workers_stop(p->feed.workers, "memory-order", result);
        stop(p, result);
    }
}

void harts_host(struct harts *h, const struct harts_host_access *access) {
    if (!h->checker || h->stopped) return;
    if (h->host_told - h->host_free == HOST) abort(); // what harts emit waits for far more than TOGETHER
    h->host[h->host_told++ % HOST] = *access;
}

static void show_host(struct harts *h, uint64_t cycle) {
    for (; h->host_shown < h->host_given && h->host[h->host_shown % HOST].cycle <= cycle && !h->over; h->host_shown++) {
        const struct harts_host_access *a = &h->host[h->host_shown % HOST];
        struct hart_place *p = &h->place[a->hart];
        const int result = hart_order_host(&p->order, a->cycle - 1, a->write, a->address, a->word, &p->fault);
        if (result == 0) continue;
        workers_stop(p->feed.workers, "memory-order", result);
        stop(p, result);
    }
}

static void show_cycle(struct harts *h, uint64_t cycle) {
    show_host(h, cycle);
    if (h->over) return;
    unsigned parts = 0;
    for (struct hart_place *p = h->place; p < h->place + h->count; p++) {
        p->parts = 0;
        if (p->next != cycle || !batch_read(p->feed.showing, p->feed.now) || !p->proves) continue;
        hart_order_host_writes(&p->order, &p->feed.now->left);
        parts |= p->parts = hart_order_parts(&p->feed.now->accesses);
    }
    for (; parts; parts &= parts - 1)
        show_part(h, cycle, (enum hart_order_part)__builtin_ctz(parts));
    for (struct hart_place *p = h->place; p < h->place + h->count && !h->over; p++) {
        const int result = p->next == cycle ? batch_tell(p->feed.showing, p->feed.workers, p->feed.now, &p->fault) : 0;
        if (result < 0) stop(p, result);
    }
}

// The earliest cycle that a batch has next; UINT64_MAX: none has any.
static uint64_t next_cycle(struct harts *h) {
    uint64_t first = UINT64_MAX;
    for (struct hart_place *p = h->place; p < h->place + h->count; p++) {
        p->next = UINT64_MAX;
        const int result = p->feed.showing ? batch_next(p->feed.showing, p->feed.workers, &p->next, &p->fault) : 0;
        if (result < 0) stop(p, result);
        if (p->next < first) first = p->next;
    }
    return first;
}

static void show_all(void *context) {
    struct harts *h = context;
    for (uint64_t next; !h->over && (next = next_cycle(h)) < h->until && !h->over;)
        show_cycle(h, next);
    for (struct hart_place *p = h->place; p < h->place + h->count; p++)
        if (p->feed.showing) batch_forget(p->feed.showing, p->feed.workers);
}

// ---- handing over ----
static uint64_t all_passed(const struct harts *h) {
    uint64_t all = UINT64_MAX;
    for (const struct hart_place *p = h->place; p < h->place + h->count; p++)
        if (p->feed.showing && p->passed < all) all = p->passed;
    return all;
}

void harts_join(struct harts *h, unsigned hart, const struct harts_feed *feed) {
    h->place[hart].feed = *feed;
}

// All that was handed over has been shown: what was found in it is known.
static void look(struct harts *h) {
    aside_wait(h->aside);
    h->stopped = h->over;
    h->host_free = h->host_shown;
    for (struct hart_place *p = h->place; p < h->place + h->count; p++) {
        if (p->known.result == 0 && p->result < 0) p->known = (struct found){p->result, p->fault};
        if (p->known.result == 0 && p->feed.showing) p->known.result = p->feed.shown(p->feed.context, &p->known.fault);
    }
}

static void give(struct harts *h, uint64_t until) {
    if (h->stopped) return;
    for (struct hart_place *p = h->place; p < h->place + h->count; p++)
        if (p->feed.showing && !batch_move(p->feed.showing, p->feed.filling))
            p->known.result = error_nomem(&p->known.fault, "workers");
    h->until = until;
    h->host_given = h->host_told;
    aside_give(h->aside);
}

void harts_passed(struct harts *h, unsigned hart, uint64_t cycle) {
    h->place[hart].passed = cycle;
    const uint64_t until = all_passed(h);
    if (until < h->due && cycle != UINT64_MAX) return;
    h->due = until + TOGETHER;
    look(h);
    give(h, until);
    if (cycle == UINT64_MAX) look(h);
}

void harts_leave(struct harts *h, unsigned hart) {
    aside_wait(h->aside);
    h->place[hart].feed = (struct harts_feed){0};
}

int harts_result(const struct harts *h, unsigned hart, struct error *err) {
    const struct hart_place *p = &h->place[hart];
    if (p->known.result < 0) *err = p->known.fault;
    return p->known.result;
}

bool harts_stopped(const struct harts *h) {
    return h->stopped;
}

bool harts_shown(const struct harts *h, unsigned hart) {
    return batch_empty(h->place[hart].feed.filling) && batch_empty(h->place[hart].feed.showing);
}

// ---- set-up ----
struct harts *harts_create(unsigned count, bool thread, struct error *err) {
    struct harts *h = error_calloc(sizeof *h + count * sizeof *h->place, "harts", err);
    if (!h) return NULL;
    h->count = count;
    for (unsigned i = 0; i < count; i++)
        h->place[i].all = h;
    h->aside = aside_create(show_all, h, thread, err);
    if (h->aside) return h;
    free(h);
    return NULL;
}

void harts_destroy(struct harts *h) {
    if (!h) return;
    aside_destroy(h->aside);
    memory_order_destroy(h->checker);
    free(h);
}
