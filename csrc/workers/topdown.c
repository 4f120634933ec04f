// Top-down: what every slot of dispatch was used for (Yasin, "A Top-Down Method for Performance Analysis and Counters
// Architecture", ISPASS 2014), levels 1 and 2. A cycle has `width` slots, in order of age; each is one of these:
//
//   an instruction dispatches     retiring if it commits, else bad speculation
//   there is none                 bad speculation from a redirect to the first instruction after it, else the front
//   end:
//                                 its latency where the cycle has no instruction at all, its bandwidth else. While the
//                                 fetch target queue is full, which instructions leave as they commit: the back end
//   there is one, and it cannot   the back end: memory where the oldest instruction is a load, a store or an AMO that
//   does not
//                                 commit in this cycle, the core else. In the cycle of a redirect: bad speculation
//
// So they add up to cycles * width. Slots of instructions that never commit go to branch mispredictions and to machine
// clears (traps, flushes, replays) by how many redirects and clears there were; those of recovery to their own.
//
// The core's counters (`--count topdown`) do not see that queue: for them cycles without an instruction are the back
// end's while the ROB stalls. That is by_counters here, counted from the bundle by the same rules: all else is the
// same. Where they count in the same run, they are compared when they are read.
#include "base/grouped.h"
#include "events.h"
#include "results.h"
#include "workers/slots.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct topdown {
    unsigned width, queue_full; // its slot among the signals
    uint32_t group;             // its group
    bool ended;
    struct slots flags;
    struct uses {
        uint64_t slots, dispatched, committed;
        uint64_t recovery[2], redirects[2]; // by misprediction, by clear
        struct ends {
            uint64_t latency, bandwidth, memory, core;
        } seen, counted; // as above; as the core's counters have it
        uint64_t full, stalled,
            both;          // empty slots, not of recovery: while the queue is full; where the ROB stalls and all are
    } now, measured, from; // since time counts; what counts of it, once it does no more; when --count was set off
    bool counts;
    uint64_t compared;
};

static const struct signal_info signals[] = {SIGNAL_ROWS};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct topdown *t = calloc(1, sizeof *t);
    if (!t) error_nomem(err, "topdown");
    if (t) t->width = run->width;
    for (unsigned i = 0; t && i < SIGNAL_COUNT; i++) {
        if (strcmp(signals[i].name, "queue_full") != 0) continue;
        t->queue_full = signals[i].slot;
        t->group = 1u << (signals[i].group + SIGNAL_FIRST_BIT);
    }
    return t;
}

// Of a cycle's slots in which nothing dispatches and that are none of recovery.
static void book(struct ends *e, const struct slot_use *u, bool held_back, uint64_t count) {
    const unsigned fetch = held_back ? 0 : u->empty, back = u->held + u->empty - fetch;
    *(u->idle ? &e->latency : &e->bandwidth) += count * fetch;
    *(u->memory ? &e->memory : &e->core) += count * back;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    (void)err;
    struct topdown *t = state;
    struct uses *n = &t->now;
    const struct commit_bundle *b = v->bundle;
    const bool full = v->signals->value[t->queue_full];
    const struct slot_use u = slots_cycle(&t->flags, t->width, b);
    n->slots += v->count * t->width;
    n->dispatched += v->count * u.dispatched;
    n->committed += v->count * (unsigned)__builtin_popcount(b->commit);
    n->recovery[u.of_clear] += v->count * u.recovery;
    n->redirects[0] += v->count * u.branch_redirect;
    n->redirects[1] += v->count * u.clear;
    book(&n->seen, &u, full, v->count);
    const bool stalled = u.stalls && u.idle;
    book(&n->counted, &u, stalled, v->count);
    if (full) n->full += v->count * u.empty;
    if (stalled) n->stalled += v->count * u.empty;
    if (full && stalled) n->both += v->count * u.empty;
    return 0;
}

// ---- the core's counters of the same ----
// False: an event that top-down has no number for.
static bool uses_of(const struct uses *u, unsigned width, unsigned event, uint64_t *uses) {
    switch (event) {
    case PMU_EVENT_CYCLES: *uses = u->slots / width; return true;
    case PMU_EVENT_INSTRUCTIONS: *uses = u->committed; return true;
    case PMU_EVENT_DISPATCHED: *uses = u->dispatched; return true;
    case PMU_EVENT_FETCH_LATENCY: *uses = u->counted.latency; return true;
    case PMU_EVENT_FETCH_BANDWIDTH: *uses = u->counted.bandwidth; return true;
    case PMU_EVENT_MEMORY_BOUND: *uses = u->counted.memory; return true;
    case PMU_EVENT_RECOVERY_BRANCH: *uses = u->recovery[0]; return true;
    case PMU_EVENT_RECOVERY_CLEAR: *uses = u->recovery[1]; return true;
    case PMU_EVENT_BRANCH_REDIRECTS: *uses = u->redirects[0]; return true;
    case PMU_EVENT_CLEARS: *uses = u->redirects[1]; return true;
    default: return false;
    }
}

// Of those that count in all modes. The others are the worker counters' alone.
static int counter(void *state, const struct counter_event *e, struct error *err) {
    static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};
    struct topdown *t = state;
    uint64_t now, from;
    if (!e->read) {
        t->from = t->now;
        t->counts = true;
        return 0;
    }
    if (!t->counts || e->select > UINT8_MAX || !uses_of(&t->now, t->width, (unsigned)e->select, &now)) return 0;
    uses_of(&t->from, t->width, (unsigned)e->select, &from);
    t->compared++;
    if (e->value == now - from) return 0;
    const char *name = "";
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++)
        if (events[i].number == e->select) name = events[i].name;
    error_set(err, "topdown: cycle %" PRIu64 ": --count, %s: expected %" PRIu64 ", got %" PRIu64, e->cycle, name,
              now - from, e->value);
    return -EBADMSG;
}

static void checked(void *state, char *text, size_t size) {
    const struct topdown *t = state;
    char counts[GROUPED_TEXT];
    if (t->compared) snprintf(text, size, "%s counts against topdown", grouped(counts, t->compared));
}

static uint32_t groups(void *state) {
    return ((const struct topdown *)state)->group;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct topdown *)state)->now = (struct uses){0};
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    struct topdown *t = state;
    t->ended = true;
    t->measured = t->now;
    return 0;
}

static const struct uses *measured(const struct topdown *t) {
    return t->ended ? &t->measured : &t->now;
}

// Instructions that dispatched and did not commit. Of a region they may be less than 0, by those in flight where it
// begins.
static double wasted(const struct uses *t) {
    return (double)t->dispatched - (double)t->committed;
}

static double bad_speculation(const struct uses *t) {
    return wasted(t) + (double)(t->recovery[0] + t->recovery[1]);
}

static bool publish(void *state, struct results *results) {
    const struct uses *t = measured(state);
    const struct ends *seen = &t->seen, *counted = &t->counted;
    const double redirects = (double)(t->redirects[0] + t->redirects[1]);
    const double by_clears = redirects > 0 ? wasted(t) * (double)t->redirects[1] / redirects : 0;
    return results_add_slot_uses(
        results, &(struct slot_uses){.slots = t->slots,
                                     .retiring = t->committed,
                                     .bad_speculation_slots = bad_speculation(t),
                                     .bad_speculation_mispredictions = wasted(t) - by_clears + (double)t->recovery[0],
                                     .bad_speculation_clears = by_clears + (double)t->recovery[1],
                                     .frontend_slots = seen->latency + seen->bandwidth,
                                     .frontend_latency = seen->latency,
                                     .frontend_bandwidth = seen->bandwidth,
                                     .backend_slots = seen->memory + seen->core,
                                     .backend_memory = seen->memory,
                                     .backend_core = seen->core,
                                     .by_counters_latency = counted->latency,
                                     .by_counters_bandwidth = counted->bandwidth,
                                     .by_counters_memory = counted->memory,
                                     .by_counters_core = counted->core,
                                     .empty_queue_full = t->full,
                                     .empty_stalled = t->stalled,
                                     .empty_both = t->both,
                                     .dispatched = t->dispatched,
                                     .recovery_branches = t->recovery[0],
                                     .recovery_clears = t->recovery[1],
                                     .redirects_branches = t->redirects[0],
                                     .redirects_clears = t->redirects[1]});
}

static void print(void *state, uint64_t cycles, FILE *out) {
    (void)cycles;
    const struct uses *t = measured(state);
    const struct ends *e = &t->seen;
    const double all = t->slots ? 100 / (double)t->slots : 0;
    fprintf(out,
            "Top-down: retiring %.1f %%, bad speculation %.1f %%, front end %.1f %% (latency %.1f, bandwidth %.1f), "
            "back end %.1f %% (memory %.1f, core %.1f)\n",
            all * (double)t->committed, all * bad_speculation(t), all * (double)(e->latency + e->bandwidth),
            all * (double)e->latency, all * (double)e->bandwidth, all * (double)(e->memory + e->core),
            all * (double)e->memory, all * (double)e->core);
}

const struct worker_ops worker_topdown = {.name = "topdown",
                                          .text = "top-down, levels 1 and 2: what each slot of dispatch was used for",
                                          .needs = DPI_BUNDLE | DPI_SIGNALS,
                                          .check = true,
                                          .create = create,
                                          .groups = groups,
                                          .cycle = cycle,
                                          .counter = counter,
                                          .begin = begin,
                                          .end = end,
                                          .checked = checked,
                                          .publish = publish,
                                          .print = print,
                                          .destroy = free};
