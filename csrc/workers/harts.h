// Several harts of one memory: their cycles are shown to their workers in step, and one checker proves what each load
// sees (docs/method/memory-order.md).
//
// A hart's cores run some cycles ahead of each other. What they emit waits until every hart has passed a cycle; then it
// is put in order: what all loads bind, what all stores make visible, what retires. So each hart's workers see what
// they would see alone, and nothing depends on the turns.
#ifndef TIPOFF_WORKERS_HARTS_H
#define TIPOFF_WORKERS_HARTS_H

#include "base/error.h"
#include "cosim/cosim.h"
#include "workers/hart_order.h"

struct batch;
struct workers;
struct harts;

// count: 1 to MEMORY_ORDER_HARTS. Lives longer than their workers and feeds. NULL with err.
// thread: what they emit is shown in a thread of its own, if one can be started.
struct harts *harts_create(unsigned count, bool thread, struct error *err);
void harts_destroy(struct harts *h); // NULL is fine

// ---- for workers, which find it in worker_run ----
// The hart's way to the checker, which begins with the program of the first one that asks. patience: in cycles, as of
// memory_order_set_patience. NULL with err.
struct hart_order *harts_order(struct harts *h, const struct worker_run *run, uint64_t patience, struct error *err);
struct cosim_shared harts_shared(struct harts *h, unsigned hart);
void harts_explain(const struct harts *h, FILE *out); // as memory_order_explain
// This hart stands at a wfi that another one alone can end; or goes on.
void harts_waits(struct harts *h, unsigned hart, uint64_t pc);
void harts_goes_on(struct harts *h, unsigned hart);
bool harts_all_wait(const struct harts *h, char *text, size_t size); // text: where each is

// ---- for whoever has the host: its accesses to memory, in order ----
struct harts_host_access {
    uint64_t cycle; // it takes place at the beginning of that one, which no hart's workers have been shown yet
    uint8_t hart;   // in whose system call
    bool write;
    uint64_t address, word; // 8 bytes
};
void harts_host(struct harts *h, const struct harts_host_access *access);

// ---- for feeds ----
// What the hart emits is written to filling, and is taken from there to showing in calls of harts_passed alone. That
// batch, and the workers, belong to whoever shows.
struct harts_feed {
    struct workers *workers;
    struct batch *filling, *showing;
    struct trace_cycle *now;                        // as its workers see it
    int (*shown)(void *context, struct error *err); // called when all that was handed over has been shown
    void *context;                                  // of that
};
void harts_join(struct harts *h, unsigned hart, const struct harts_feed *feed);
// All of the hart's cycles before this one are in its batch; UINT64_MAX: it is over. Hands over what all have passed,
// some hundred cycles together, once those before have been shown.
void harts_passed(struct harts *h, unsigned hart, uint64_t cycle);
void harts_leave(struct harts *h, unsigned hart); // its batch and workers are no more
// What a worker of this hart has found in what had been shown when the next was handed over: 0, or as workers_cycle,
// with err. Once one has, nothing more is shown.
int harts_result(const struct harts *h, unsigned hart, struct error *err);
bool harts_stopped(const struct harts *h);              // a worker of some hart has
bool harts_shown(const struct harts *h, unsigned hart); // all that it emitted

#endif
