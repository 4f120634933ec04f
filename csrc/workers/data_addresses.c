// The data that samples wait for: of a Stalled one those of its instruction, which leaves next, as the ISS accesses
// them; of one that waits for the store queue those of the store that drains, which is another instruction's.
#include "workers/data_addresses.h"
#include "base/array.h"
#include "memory_map.h"
#include "workers/worker.h"
#include <stdlib.h>
#include <string.h>

struct addresses {
    uint64_t *queue;                      // the store queue: addresses of committed stores, by their place ...
    unsigned entries, head, tail, stores; // ... which are taken in program order; stores: from head to tail
    bool reported;                        // some store has left: the model reports it
    struct worker_data out;
    size_t capacity; // of out.samples
};

static void destroy(void *state) {
    struct addresses *a = state;
    free(a->queue);
    free(a->out.samples);
    free(a);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct addresses *a = error_calloc(sizeof *a, "data-addresses", err);
    if (!a) return NULL;
    a->entries = run->store_queue ? run->store_queue : 1;
    a->queue = error_calloc(a->entries * sizeof *a->queue, "data-addresses", err);
    if (a->queue) return a;
    destroy(a);
    return NULL;
}

// A store has left the queue: it and all before it, devices' stores, which leave without a word.
static void leaves(struct addresses *a, unsigned place) {
    a->reported = true;
    if (place >= a->entries) return;
    const unsigned left = (place + a->entries - a->head) % a->entries + 1;
    a->stores -= left < a->stores ? left : a->stores;
    a->head = (place + 1) % a->entries;
}

static bool atomic(uint32_t insn) {
    return (insn & 0x7f) == 0x2f;
}
static bool fence(uint32_t insn) {
    return (insn & 0x7f) == 0x0f;
}

static void commits(struct addresses *a, const struct iss_retire *step) {
    if (atomic(step->insn)) { // none of before it is left
        a->stores = 0;
        a->head = a->tail;
    } else if (step->access == ISS_ACCESS_STORE) {
        a->queue[a->tail] = step->address;
        a->tail = (a->tail + 1) % a->entries;
        if (a->stores == a->entries) a->head = a->tail; // the oldest has left: a device's
        a->stores += a->stores < a->entries;
    }
}

// The first instruction that leaves after a sample was begun is what that waited for, if it is Stalled.
static void resolve(struct addresses *a, const struct iss_retire *step) {
    for (; a->out.waiting; a->out.waiting--) {
        struct sample_data *s = &a->out.samples[a->out.sample_count++];
        if (step->trap) continue;
        s->own = step->access != ISS_ACCESS_NONE || step->is_sc ? step->address : 0;
        s->waits = atomic(step->insn) || fence(step->insn);
    }
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct addresses *a = state;
    (void)err;
    for (unsigned i = 0; i < v->accesses->count; i++) {
        const struct access_event *e = &v->accesses->list[i];
        if (e->kind == ACCESS_STORE || e->kind == ACCESS_LOST) leaves(a, e->id);
    }
    const struct golden *golden = v->golden;
    if (golden->cycle != v->cycle || !golden->count) return 0;
    resolve(a, &golden->step[0]);
    for (unsigned i = 0; i < golden->count; i++)
        if (!golden->step[i].trap) commits(a, &golden->step[i]);
    return 0;
}

// Of a device's store at the head nobody says when it leaves: it is not blamed, nor is what comes after it.
static uint64_t draining(const struct addresses *a) {
    const uint64_t address = a->reported && a->stores ? a->queue[a->head] : 0;
    return address >= DRAM_BASE ? address : 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    struct addresses *a = state;
    (void)bundle;
    const size_t all = a->out.sample_count + a->out.waiting;
    if (!taken || !array_reserve(&a->out.samples, &a->capacity, all, sizeof *a->out.samples)) return;
    a->out.samples[all] = (struct sample_data){.cycle = cycle, .drain = draining(a)};
    a->out.waiting++;
}

void worker_data_taken(struct worker_data *data) {
    if (data->waiting)
        memmove(data->samples, data->samples + data->sample_count, data->waiting * sizeof *data->samples);
    data->sample_count = 0;
}

static struct worker_data *data(void *state) {
    struct addresses *a = state;
    return &a->out;
}

const struct worker_ops worker_data_addresses = {.name = "data-addresses",
                                                 .text = "the address of the data that each sample waits for",
                                                 .needs = DPI_BUNDLE | DPI_RETIRE | DPI_ACCESSES | WORKER_GOLDEN,
                                                 .standard = WORKER_WITH_LOCKSTEP,
                                                 .samples_only = true,
                                                 .create = create,
                                                 .cycle = cycle,
                                                 .sample = sample,
                                                 .data = data,
                                                 .destroy = destroy};
