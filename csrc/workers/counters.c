// The counters, exactly: those of the program at every read (workers/program_counters.h; minstret, as exact, is
// lockstep's), those of `--count` when they are read at the end. What an event counter must show is counted a second
// time, by event and mode (workers/event_tally.h). The mode of every cycle is compared, too: counts and samples are by
// it.
#include "base/grouped.h"
#include "csrs.h"
#include "results.h"
#include "workers/program_counters.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct counters {
    unsigned mode; // of the machine, after the last cycle
    bool follows;  // the harness may begin to count in any cycle
    struct event_tally tally;
    struct program_counters own;
    struct counter_model asked[COUNTER_NUMBERS]; // the harness's, by number
    uint32_t asks;                               // for these
    uint64_t compared;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct counters *c = error_calloc(sizeof *c, "counters", err);
    if (!c) return NULL;
    c->mode = MODE_MACHINE;
    c->follows = run->counts;
    c->tally.width = run->width;
    c->tally.hub.coherent = run->event_count > EVENT_COUNT_ALONE;
    c->tally.hub.vectors = run->vectors;
    c->own.present = COUNTER_FIRST + run->counters;
    c->own.sampling = run->sample_counter;
    return c;
}

static void destroy(void *state) {
    struct counters *c = state;
    hub_tally_free(&c->tally.hub);
    free(c);
}

// ---- cycles ----
// The program sets off its first counter, by an instruction that is alone in the ROB: whatever was before it is over.
static void count_from(struct counters *c, const struct commit_bundle *b) {
    c->tally.slots = (struct slots){0};
    event_tally_remember(&c->tally, b);
}

WORKER_RARE static int access_csr(struct counters *c, const struct worker_view *v, unsigned i, struct error *err) {
    const bool counted = c->asks || c->own.counts;
    const struct iss_retire *step = &v->golden->step[i];
    int result = program_counters_access(&c->own, &c->tally, v, step, &v->left->retired[i], err);
    if (!counted && c->own.counts) count_from(c, v->bundle);
    if (step->csr_written && step->csr >= CSR_TSELECT && step->csr <= CSR_TDATA2)
        event_tally_triggers(&c->tally, v->golden->hart);
    return result;
}

// Something has left that was not plain.
static int left(struct counters *c, const struct worker_view *v, struct error *err) {
    int result = 0;
    for (unsigned i = 0; result == 0 && i < v->left->count; i++)
        if (v->golden->step[i].csr_accessed) result = access_csr(c, v, i, err);
    c->mode = hart_privilege(v->golden->hart);
    program_counters_allow(&c->own, v->golden->hart);
    return result;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct counters *c = state;
    const bool leaves = v->bundle->commit | v->bundle->exception;
    if (v->bundle->priv != c->mode) {
        error_set(err, "counters: cycle %" PRIu64 ": the core shows mode %c, the ISS is in %c", v->cycle,
                  MODE_LETTERS[v->bundle->priv & 3], MODE_LETTERS[c->mode]);
        return -EBADMSG;
    }
    if (!hub_tally_cycle(&c->tally.hub, v, c->mode)) return error_nomem(err, "counters");
    if (c->asks || c->own.counts) {
        event_tally_cycle(&c->tally, v, c->mode);
    } else if (c->follows || leaves) {
        event_tally_remember(&c->tally, v->bundle);
    }
    int result = leaves ? program_counters_left(&c->own, &c->tally, v, err) : 0;
    if (result < 0 || v->golden->plain || v->golden->cycle != v->cycle) return result;
    return left(c, v, err);
}

static int memory(void *state, const struct memory_event *event, struct error *err) {
    struct counters *c = state;
    if (event->kind == MEMORY_LINES) program_counters_time(&c->own, event);
    return hub_tally_memory(&c->tally.hub, event) ? 0 : error_nomem(err, "counters");
}

// ---- those of the harness ----
static int counter(void *state, const struct counter_event *e, struct error *err) {
    struct counters *c = state;
    struct counter_model *m = &c->asked[e->number % COUNTER_NUMBERS];
    char event[64];
    if (!e->read) {
        *m = (struct counter_model){0};
        counter_model_select_event(m, &c->tally, e->cycle - 1, e->select);
        c->asks |= UINT32_C(1) << e->number % COUNTER_NUMBERS;
        return 0;
    }
    if (!(c->asks >> e->number % COUNTER_NUMBERS & 1)) return 0; // the run has ended before it was set off
    const uint64_t expected = counter_model_up_to(m, &c->tally, e->cycle - 1).value;
    c->compared++;
    if (e->value == expected) return 0;
    counter_model_describe(m, event, sizeof event);
    error_set(err, "counters: cycle %" PRIu64 ": --count, %s: expected %" PRIu64 ", got %" PRIu64, e->cycle, event,
              expected, e->value);
    return -EBADMSG;
}

static bool publish(void *state, struct results *results) {
    const struct counters *c = state;
    return results_add_counters_checked(results, &(struct counters_checked){c->own.reads, c->compared});
}

static void checked(void *state, char *text, size_t size) {
    const struct counters *c = state;
    char reads[GROUPED_TEXT], counts[GROUPED_TEXT];
    snprintf(text, size, "%s reads of counters and %s counts to the unit", grouped(reads, c->own.reads),
             grouped(counts, c->compared));
}

const struct worker_ops worker_counters = {
    .name = "counters",
    .text = "mcycle, time and event counters at every read, overflows, and the counts of --count",
    .needs = DPI_BUNDLE | DPI_RETIRE | DPI_ACCESSES | WORKER_GOLDEN | WORKER_MEMORY,
    .standard = WORKER_WITH_LOCKSTEP,
    .check = true,
    .create = create,
    .cycle = cycle,
    .memory = memory,
    .counter = counter,
    .publish = publish,
    .checked = checked,
    .destroy = destroy};
