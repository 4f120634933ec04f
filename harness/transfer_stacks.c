// Counts records by the write pointer of sctrstatus, in which each is one step, and reads the ring when a period is
// full.
#include "harness/transfer_stacks.h"
#include "base/array.h"
#include "csrs.h"
#include "harness/branch_records.h"
#include <stdlib.h>

enum { LEAST = 16, POINTER = BRANCH_RECORDS_MOST - 1 }; // depth; bits of sctrstatus: where the next record goes

struct transfer_stacks {
    unsigned depth;
    uint64_t period, left, taken;
    unsigned pointer; // where the next record goes
    struct transfer_stack *stacks;
    size_t stack_count, stack_capacity;
    struct transfer *transfers;
    size_t transfer_count, transfer_capacity;
};

struct transfer_stacks *transfer_stacks_create(unsigned depth, uint64_t period, unsigned most, struct error *err) {
    if (depth < LEAST || depth > BRANCH_RECORDS_MOST || (depth & (depth - 1)) != 0) {
        error_set(err, "worker collections: source=unit does not support depth=%u: write 16, 32, 64, 128 or 256",
                  depth);
        return NULL;
    }
    if (depth > most) {
        error_set(err,
                  "worker collections: the core has %u records of transfers, not %u: choose a smaller depth, another "
                  "profile.ctr_depth, or source=model",
                  most, depth);
        return NULL;
    }
    struct transfer_stacks *t = error_calloc(sizeof *t, "worker collections", err);
    if (!t) return NULL;
    t->depth = depth;
    t->period = t->left = period;
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
    if (branch_records_begin(api, model, t->depth, BRANCH_RECORDS_ALL, err) < 0) return false;
    read_pointer(t, api, model, &t->pointer);
    t->left = t->period;
    t->taken = 0;
    t->stack_count = t->transfer_count = 0;
    return true;
}

static bool read_stack(struct transfer_stacks *t, const struct model_api *api, struct model *model, uint64_t context) {
    struct branch_record records[BRANCH_RECORDS_MOST];
    const unsigned count = branch_records_read(api, model, records);
    for (unsigned i = 0; i < count; i++) {
        if (!array_reserve(&t->transfers, &t->transfer_capacity, t->transfer_count, sizeof *t->transfers)) return false;
        t->transfers[t->transfer_count++] = (struct transfer){records[i].source, records[i].target, records[i].type};
    }
    if (!array_reserve(&t->stacks, &t->stack_capacity, t->stack_count, sizeof *t->stacks)) return false;
    t->stacks[t->stack_count++] =
        (struct transfer_stack){.cycle = api->cycles(model), .context = context, .transfers.count = count};
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

bool transfer_stacks_publish(const struct transfer_stacks *t, struct results *results) {
    const struct collection *modelled = results_collection(results);
    if (!modelled) return true;
    struct collection own = *modelled;
    own.transfers_taken = t->taken;
    results_drop(results, RESULT_TRANSFER_STACK);
    results_drop(results, RESULT_TRANSFER);
    bool good = results_add_collection(results, &own);
    for (size_t i = 0; good && i < t->stack_count; i++)
        good = results_add_transfer_stack(results, &t->stacks[i]);
    for (size_t i = 0; good && i < t->transfer_count; i++)
        good = results_add_transfer(results, &t->transfers[i]);
    return good;
}
