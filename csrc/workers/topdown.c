// Top-down: what every slot of dispatch was used for (Yasin, "A Top-Down Method for Performance Analysis and Counters
// Architecture", ISPASS 2014), levels 1 and 2. A cycle has `width` slots, in order of age; each is one of these:
//
//   an instruction dispatches     retiring if it commits, else bad speculation
//   there is none                 bad speculation from a redirect to the first instruction behind it, else the front
//   end:
//                                 its latency where the cycle has no instruction at all, its bandwidth else. While the
//                                 fetch target queue is full, which instructions leave as they commit: the back end
//   there is one, and it cannot   the back end: memory where the oldest instruction is a load, a store or an AMO that
//   does not
//                                 commit in this cycle, the core else. In the cycle of a redirect: bad speculation
//
// So they add up to cycles * width. Slots of instructions that never commit go to branch mispredictions and to machine
// clears (traps, flushes, replays) by how many redirects each made; the empty ones behind a redirect to its own. Adds
// to the statistics:
//   topdown  {slots, retiring, bad_speculation: {slots, mispredictions, clears}, frontend: {slots, latency, bandwidth},
//            backend: {slots, memory, core}}
#include "workers/worker.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct topdown {
    unsigned width, queue_full; // its slot among the signals
    uint32_t group;             // that it is of
    bool ended;
    bool recovers, clear; // since a redirect, nothing has dispatched; it was a machine clear
    bool clears;          // a trap, a flush or a replay in the cycle before
    uint64_t slots, dispatched, committed;
    uint64_t recovery[2], redirects[2]; // by misprediction, by clear
    uint64_t latency, bandwidth, memory, core;
};

static const struct signal_info signals[] = {SIGNAL_ROWS};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct topdown *t = calloc(1, sizeof *t);
    if (!t) error_set(err, "topdown: out of memory: free some and run again");
    if (t) t->width = run->width;
    for (unsigned i = 0; t && i < SIGNAL_COUNT; i++) {
        if (strcmp(signals[i].name, "queue_full") != 0) continue;
        t->queue_full = signals[i].slot;
        t->group = 1u << (signals[i].group + SIGNAL_FIRST_BIT);
    }
    return t;
}

// The oldest instruction accesses memory, and stays: 32-bit forms by their opcode, 16-bit ones by their quadrant.
static bool memory_stalls(const struct commit_bundle *b) {
    if (b->rob_empty || b->commit) return false;
    const uint32_t insn = b->insn[b->oldest];
    const unsigned opcode = insn & 0x7f, funct3 = insn >> 13 & 7;
    if ((insn & 3) == 3) return opcode == 0x03 || opcode == 0x07 || opcode == 0x23 || opcode == 0x27 || opcode == 0x2f;
    return ((insn & 3) == 0 || (insn & 3) == 2) && funct3 != 0 && funct3 != 4;
}

static unsigned slots_empty(const struct topdown *t, const struct commit_bundle *b) {
    unsigned empty = 0;
    for (unsigned i = 0; i < t->width; i++)
        empty += b->dispatch_pc[i] == 0;
    return empty;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    (void)err;
    struct topdown *t = state;
    const struct commit_bundle *b = v->bundle;
    if (t->ended) return 0;
    const unsigned dispatched = (unsigned)__builtin_popcount(b->dispatch_valid), empty = slots_empty(t, b);
    const unsigned held = t->width - empty - dispatched;
    if (b->redirect) {
        t->recovers = true;
        t->clear = t->clears;
        t->redirects[t->clear]++;
    }
    t->slots += v->count * t->width;
    t->dispatched += dispatched;
    t->committed += (unsigned)__builtin_popcount(b->commit);
    bool full = v->signals->value[t->queue_full];
    if (t->recovers && !dispatched) {
        t->recovery[t->clear] += v->count * (empty + (b->redirect ? held : 0));
    } else if (full) {
        *(memory_stalls(b) ? &t->memory : &t->core) += v->count * empty;
    } else {
        *(empty == t->width ? &t->latency : &t->bandwidth) += v->count * empty;
    }
    if (!b->redirect) *(memory_stalls(b) ? &t->memory : &t->core) += v->count * held;
    if (dispatched) t->recovers = false;
    t->clears = b->exception || (b->commit & b->flush);
    return 0;
}

static uint32_t groups(void *state) {
    return ((const struct topdown *)state)->group;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    struct topdown *t = state;
    *t = (struct topdown){.width = t->width,
                          .queue_full = t->queue_full,
                          .group = t->group,
                          .recovers = t->recovers,
                          .clear = t->clear,
                          .clears = t->clears};
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct topdown *)state)->ended = true;
    return 0;
}

// Instructions that dispatched and did not commit. Of a region they may be less than 0, by those in flight where it
// begins.
static double wasted(const struct topdown *t) {
    return (double)t->dispatched - (double)t->committed;
}

static double bad_speculation(const struct topdown *t) {
    return wasted(t) + (double)(t->recovery[0] + t->recovery[1]);
}

static void add_statistics(void *state, cJSON *statistics) {
    const struct topdown *t = state;
    const double redirects = (double)(t->redirects[0] + t->redirects[1]);
    const double by_clears = redirects > 0 ? wasted(t) * (double)t->redirects[1] / redirects : 0;
    cJSON *o = cJSON_AddObjectToObject(statistics, "topdown");
    cJSON_AddNumberToObject(o, "slots", (double)t->slots);
    cJSON_AddNumberToObject(o, "retiring", (double)t->committed);
    cJSON *bad = cJSON_AddObjectToObject(o, "bad_speculation");
    cJSON_AddNumberToObject(bad, "slots", bad_speculation(t));
    cJSON_AddNumberToObject(bad, "mispredictions", wasted(t) - by_clears + (double)t->recovery[0]);
    cJSON_AddNumberToObject(bad, "clears", by_clears + (double)t->recovery[1]);
    cJSON *frontend = cJSON_AddObjectToObject(o, "frontend");
    cJSON_AddNumberToObject(frontend, "slots", (double)(t->latency + t->bandwidth));
    cJSON_AddNumberToObject(frontend, "latency", (double)t->latency);
    cJSON_AddNumberToObject(frontend, "bandwidth", (double)t->bandwidth);
    cJSON *backend = cJSON_AddObjectToObject(o, "backend");
    cJSON_AddNumberToObject(backend, "slots", (double)(t->memory + t->core));
    cJSON_AddNumberToObject(backend, "memory", (double)t->memory);
    cJSON_AddNumberToObject(backend, "core", (double)t->core);
}

static void print(void *state, uint64_t cycles, FILE *out) {
    (void)cycles;
    const struct topdown *t = state;
    const double all = t->slots ? 100 / (double)t->slots : 0;
    fprintf(out,
            "Top-down: retiring %.1f %%, bad speculation %.1f %%, front end %.1f %% (latency %.1f, bandwidth %.1f), "
            "back end %.1f %% (memory %.1f, core %.1f)\n",
            all * (double)t->committed, all * bad_speculation(t), all * (double)(t->latency + t->bandwidth),
            all * (double)t->latency, all * (double)t->bandwidth, all * (double)(t->memory + t->core),
            all * (double)t->memory, all * (double)t->core);
}

const struct worker_ops worker_topdown = {.name = "topdown",
                                          .text = "top-down, levels 1 and 2: what each slot of dispatch was used for",
                                          .needs = DPI_BUNDLE | DPI_SIGNALS,
                                          .create = create,
                                          .groups = groups,
                                          .cycle = cycle,
                                          .begin = begin,
                                          .end = end,
                                          .add_statistics = add_statistics,
                                          .print = print,
                                          .destroy = free};
