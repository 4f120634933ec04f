// mcycle, exactly, at every read: it is what a counter shows that is 0 in cycle 0, counts every cycle in which
// mcountinhibit lets it, and takes a written value over in the cycle after the write. (minstret, as exact, is
// lockstep's.)
//
// A CSR instruction reads in the cycle before the one in which it commits: it is alone in the ROB, and commits as soon
// as it is done. Of csrrs and csrrc the written value is believed, for what they set and clear is what was read.
#include "csrs.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { READ_BEFORE_COMMIT = 1, INHIBIT_CYCLE = 1 };

struct counters {
    uint64_t base, from; // value in cycle `from`
    bool stopped;
    uint64_t reads;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    struct counters *c = calloc(1, sizeof *c);
    if (!c) error_set(err, "counters: out of memory: free some and run again");
    return c;
}

static uint64_t value_in(const struct counters *c, uint64_t cycle) {
    return c->stopped ? c->base : c->base + (cycle - c->from);
}

// A write that commits in this cycle.
static void write_csr(struct counters *c, uint64_t cycle, const struct iss_retire *step, const struct retired *core) {
    bool sets = (step->insn >> 12 & 3) != 1;
    if (step->csr == CSR_MCYCLE) {
        c->base = sets ? core->csr_value : step->csr_value;
        c->from = cycle + 1;
    } else if (step->csr == CSR_MCOUNTINHIBIT) {
        c->base = value_in(c, cycle + 1);
        c->from = cycle + 1;
        c->stopped = step->csr_value & INHIBIT_CYCLE;
    }
}

static int check_access(struct counters *c, uint64_t cycle, const struct iss_retire *step, const struct retired *core,
                        struct error *err) {
    uint64_t expected = value_in(c, cycle - READ_BEFORE_COMMIT);
    if ((step->csr == CSR_MCYCLE || step->csr == CSR_CYCLE) && core->rd_written) {
        c->reads++;
        if (core->rd_value != expected) {
            error_set(err, "counters: cycle %" PRIu64 ", pc 0x%" PRIx64 ": mcycle: expected %" PRIu64 ", got %" PRIu64,
                      cycle, core->pc, expected, core->rd_value);
            return -EBADMSG;
        }
    }
    if (step->csr_written) write_csr(c, cycle, step, core);
    return 0;
}

WORKER_RARE static int check_accesses(struct counters *c, const struct worker_view *v, struct error *err) {
    int result = 0;
    for (unsigned i = 0; i < v->left->count && result == 0; i++) {
        const struct iss_retire *step = &v->golden->step[i];
        if (step->csr_accessed) result = check_access(c, v->cycle, step, &v->left->retired[i], err);
    }
    return result;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    if (v->golden->plain) return 0;
    for (unsigned i = 0; i < v->left->count; i++) {
        if (v->golden->step[i].csr_accessed) return check_accesses(state, v, err);
    }
    return 0;
}

static void add_statistics(void *state, cJSON *statistics) {
    cJSON_AddNumberToObject(cJSON_GetObjectItem(statistics, "checks"), "mcycle_reads",
                            (double)((struct counters *)state)->reads);
}

const struct worker_ops worker_counters = {.name = "counters",
                                           .text = "the value of mcycle at every read",
                                           .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
                                           .standard = WORKER_WITH_LOCKSTEP,
                                           .check = true,
                                           .leaving_only = true,
                                           .create = create,
                                           .cycle = cycle,
                                           .add_statistics = add_statistics,
                                           .destroy = free};
