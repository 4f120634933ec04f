// Counts records by the write pointer of sctrstatus, in which each is one step, and reads the ring when a period is
// full.
#include "harness/transfer_stacks.h"
#include "base/array.h"
#include "csrs.h"
#include <stdlib.h>

enum { LEAST = 16, MOST = 256, FIRST = 0x200 };     // depths; siselect of the youngest record
enum { SOURCE = 1, TARGET, DATA, VALID = 1 };       // their registers; bit of ctrsource
enum { CONTROL_ALL_MODES = 7, POINTER = MOST - 1 }; // of mctrctl; of sctrstatus

struct transfer_stacks {
    unsigned depth;
    uint64_t period, left, taken, cycle;
    unsigned pointer; // where the next record goes
    struct transfer_stack *stacks;
    size_t stack_count, stack_capacity;
    struct transfer *transfers;
    size_t transfer_count, transfer_capacity;
};

struct transfer_stacks *transfer_stacks_create(const struct collection *wanted, unsigned most, struct error *err) {
    const unsigned depth = wanted->depth;
    if (depth < LEAST || depth > MOST || (depth & (depth - 1)) != 0) {
        error_set(err, "worker collections: source=unit has no depth=%u: write 16, 32, 64, 128 or 256", depth);
        return NULL;
    }
    if (depth > most) {
        error_set(err,
                  "worker collections: the core has %u records of transfers, not %u: choose a smaller depth, another "
                  "profile.ctr_depth, or source=model",
                  most, depth);
        return NULL;
    }
    struct transfer_stacks *t = calloc(1, sizeof *t);
    if (!t) {
        error_set(err, "worker collections: out of memory: free some and run again");
        return NULL;
    }
    t->depth = depth;
    t->period = t->left = wanted->lbr_period;
    return t;
}

void transfer_stacks_destroy(struct transfer_stacks *t) {
    if (!t) return;
    free(t->stacks);
    free(t->transfers);
    free(t);
}

static bool read_pointer(const struct transfer_stacks *t, const struct model_api *api, struct model *model,
                         unsigned *pointer) {
    uint64_t status;
    if (api->csr_read(model, CSR_SCTRSTATUS, &status) < 0) return false;
    *pointer = (unsigned)(status & POINTER) & (t->depth - 1);
    return true;
}

bool transfer_stacks_start(struct transfer_stacks *t, const struct model_api *api, struct model *model,
                           struct error *err) {
    const unsigned code = (unsigned)__builtin_ctz(t->depth / LEAST);
    uint64_t got = MOST;
    if (api->csr_write(model, CSR_SCTRDEPTH, code) < 0 || api->csr_read(model, CSR_SCTRDEPTH, &got) < 0 ||
        got != code || api->csr_write(model, CSR_MCTRCTL, CONTROL_ALL_MODES) < 0 ||
        !read_pointer(t, api, model, &t->pointer)) {
        error_set(err,
                  "worker collections: the core has no %u records of transfers: choose a smaller depth, a core with "
                  "profile.ctr_depth, or source=model",
                  t->depth);
        return false;
    }
    t->left = t->period;
    t->taken = 0;
    t->stack_count = t->transfer_count = 0;
    return true;
}

// The oldest record first; those that are not valid yet are the oldest.
static bool read_stack(struct transfer_stacks *t, const struct model_api *api, struct model *model, uint64_t context) {
    struct transfer_stack stack = {.cycle = api->cycles(model), .context = context, .first = t->transfer_count};
    for (unsigned i = t->depth; i-- > 0;) {
        struct transfer record;
        if (api->window_read(model, FIRST + (int)i, SOURCE, &record.source) < 0) return false;
        if (!(record.source & VALID)) continue;
        api->window_read(model, FIRST + (int)i, TARGET, &record.target);
        api->window_read(model, FIRST + (int)i, DATA, &record.data);
        record.source &= ~UINT64_C(1);
        record.target &= ~UINT64_C(1); // MISP
        if (!array_reserve(&t->transfers, &t->transfer_capacity, t->transfer_count, sizeof record)) return false;
        t->transfers[t->transfer_count++] = record;
        stack.count++;
    }
    if (!array_reserve(&t->stacks, &t->stack_capacity, t->stack_count, sizeof stack)) return false;
    t->stacks[t->stack_count++] = stack;
    return true;
}

bool transfer_stacks_look(struct transfer_stacks *t, const struct model_api *api, struct model *model,
                          uint64_t context) {
    unsigned pointer;
    if (!read_pointer(t, api, model, &pointer)) return false;
    const unsigned records = (pointer - t->pointer) & (t->depth - 1);
    t->pointer = pointer;
    t->taken += records;
    if (records < t->left) {
        t->left -= records;
        return true;
    }
    t->left += t->period - records; // of several in one cycle, the younger ones are in this stack already
    return read_stack(t, api, model, context);
}

struct collection transfer_stacks_in(const struct transfer_stacks *t, const struct collection *collection) {
    struct collection all = *collection;
    all.transfers_taken = t->taken;
    all.stacks = t->stacks;
    all.stack_count = t->stack_count;
    all.transfers = t->transfers;
    all.transfer_count = t->transfer_count;
    return all;
}
