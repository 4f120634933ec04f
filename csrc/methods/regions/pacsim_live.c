// From marker to marker: pacsim_live.h.
#include "methods/regions/pacsim_live.h"
#include "isa/control.h"
#include "iss/flow.h"
#include "methods/regions/pacsim_data.h"
#include "methods/regions/pacsim_vector.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 1 << 20 }; // instructions between two looks at `stop`: milliseconds
enum { IDLE = 100 };      // a hart with a hundredth of the busiest one's instructions only waits

struct run {
    struct pacsim_live *l;
    struct pacsim *p;
    struct iss *iss;
    uint64_t *sums, *instructions; // by hart: of its vector, and how many
    double *vector;
    struct pacsim_data *data;          // NULL: blocks alone
    uint64_t steps;                    // of all regions before
    uint64_t done, steps_before, next; // of the one that goes on: steps; of harts before it; where the next begins
    bool alone, marked;                // the machine goes on alone; a marker was found
    bool ended, exception, failed;
    struct timespec since;
    struct error *err;
};

static void pass(struct run *r, enum pacsim_phase phase) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    r->l->seconds[phase] += (double)(now.tv_sec - r->since.tv_sec) + 1e-9 * (double)(now.tv_nsec - r->since.tv_nsec);
    r->since = now;
}

// ---- markers ----
bool pacsim_is_loop(const struct pacsim_live *l, const struct iss_retire *out) {
    uint64_t target;
    if (out->trap || out->next_pc > out->pc || !control_target(out->pc, out->insn, &target) || target != out->next_pc)
        return false;
    const enum control_kind kind = control_kind_of(out->insn);
    if (kind != CONTROL_BRANCH && kind != CONTROL_JUMP) return false;
    return !l->closes || l->closes(l->names, out->pc, target, kind == CONTROL_JUMP);
}

static bool is_barrier(const struct pacsim_live *l, uint64_t pc) {
    for (size_t i = 0; i < l->barrier_count; i++)
        if (l->barriers[i] == pc) return true;
    return false;
}

static bool is_marker(const struct pacsim_live *l, const struct iss_retire *out, uint64_t done) {
    if (done >= l->most) return !l->markers || pacsim_is_loop(l, out);
    return l->markers && done >= l->least && !out->trap && is_barrier(l, out->next_pc);
}

// Of a region that is stepped.
static bool stepped(void *context, unsigned hart, const struct iss_retire *out) {
    struct run *r = context;
    (void)hart;
    const struct pacsim_engine *e = r->l->engine;
    r->done++;
    r->next = out->next_pc;
    if (e->ahead && r->done + e->ahead == r->l->most && !e->near_end(e->context, r->iss, r->p->count + 1, r->err)) {
        r->failed = true;
        return true;
    }
    r->marked = is_marker(r->l, out, r->done);
    return r->marked || (r->done % PIECE == 0 && r->l->stop && *r->l->stop);
}

// Of one that is not: before a barrier.
static bool met(void *context, struct hart *hart, size_t mark) {
    struct run *r = context;
    if (!r->alone || iss_flow_steps(hart) - r->steps_before < r->l->least) return false;
    r->next = r->l->barriers[mark];
    r->marked = true;
    return true;
}

// ---- a region ----
static uint64_t all_steps(const struct iss *iss) {
    uint64_t steps = 0;
    for (unsigned i = 0; i < iss_harts(iss); i++)
        steps += hart_steps(iss_hart(iss, i));
    return steps;
}

// The machine alone, to `until` steps of the region, or a barrier.
static void go_on(struct run *r, uint64_t until) {
    r->alone = true;
    while (r->done < until && !r->marked && !iss_over(r->iss) && !(r->l->stop && *r->l->stop)) {
        const uint64_t piece = until - r->done < PIECE ? until - r->done : PIECE, now = iss_run(r->iss, piece);
        r->done += now;
        if (now == 0 && !r->marked) {
            r->ended = true; // all harts wait
            break;
        }
    }
    r->alone = false;
}

// Likewise, step by step, until a marker.
static void step_on(struct run *r, uint64_t until) {
    struct iss_retire out = {.access = ISS_ACCESS_STORE};
    while (r->done < until && !r->ended && !r->marked) {
        if (out.access == ISS_ACCESS_STORE && iss_over(r->iss)) break;
        const struct hart *h = iss_step(r->iss, &out);
        if (h && stepped(r, hart_number(h), &out)) break;
        r->ended = h == NULL;
    }
}

// To the region's end. False with err.
static bool region(struct run *r, bool detailed) {
    const struct pacsim_live *l = r->l;
    const struct pacsim_engine *e = l->engine;
    const uint64_t left = l->max - r->steps, twice = l->most < left / 2 ? 2 * l->most : left;
    const uint64_t most = l->most < left ? l->most : left;
    r->done = 0;
    r->marked = false;
    r->steps_before = all_steps(r->iss);
    if (e->run && (detailed || e->always)) {
        if (!e->run(e->context, r->iss, detailed, twice, stepped, r, r->err) || r->failed) return false;
    } else {
        if (e->ahead && e->ahead < most) {
            go_on(r, most - e->ahead);
            if (!r->marked && !e->near_end(e->context, r->iss, r->p->count + 1, r->err)) return false;
        }
        go_on(r, most - 1);
        step_on(r, twice);
    }
    r->ended = r->ended || iss_over(r->iss) || (l->stop && *l->stop) || (!r->marked && r->done < twice);
    r->exception = !r->ended && !r->marked && r->done < left;
    return true;
}

static void seen(void *context, size_t number, uint64_t instructions) {
    struct run *r = context;
    const struct place block = iss_flow_place(r->iss, number);
    const unsigned hart = place_hart(block.context);
    r->instructions[hart] += instructions;
    pacsim_sum(r->sums + (size_t)hart * PACSIM_DIMS, block, instructions);
}

// What it executed.
static bool profile(struct run *r, struct pacsim_region *region) {
    const size_t harts = iss_harts(r->iss);
    memset(r->sums, 0, r->p->dims * sizeof *r->sums);
    memset(r->instructions, 0, harts * sizeof *r->instructions);
    iss_flow_take(r->iss, seen, r);
    const bool whole = !r->data || pacsim_data_take(r->data, r->sums + harts * PACSIM_DIMS);
    if (!whole || !iss_flow_whole(r->iss)) return error_nomem(r->err, "regions") == 0;
    for (size_t h = 0; h < harts; h++) {
        region->instructions += r->instructions[h];
        if (r->instructions[h] > region->most) region->most = r->instructions[h];
    }
    for (size_t h = 0; h < harts; h++)
        region->active += r->instructions[h] > region->most / IDLE;
    pacsim_norm(r->vector, r->sums, r->p->dims / PACSIM_DIMS);
    return true;
}

// From one marker to the next. False with err.
static bool one_region(struct run *r) {
    const struct pacsim_engine *e = r->l->engine;
    const struct pacsim_answer answer = pacsim_ask(r->p, r->next, 0, r->exception);
    struct pacsim_region now = {.marker = r->next, .begin = r->steps, .detailed = answer.detailed};
    const size_t number = r->p->count;
    if (e->begin && !e->begin(e->context, r->iss, number, answer.detailed, r->err)) return false;
    pass(r, PACSIM_ANALYSIS);
    if (!region(r, answer.detailed)) return false;
    pass(r, answer.detailed ? PACSIM_DETAIL : PACSIM_FAST);
    now.steps = r->done;
    if (!profile(r, &now)) return false;
    if (!now.most) now.most = 1; // traps alone
    pass(r, PACSIM_ANALYSIS);
    if (now.steps && e->end && !e->end(e->context, r->iss, number, &now, r->err)) return false;
    pass(r, answer.detailed ? PACSIM_DETAIL : PACSIM_FAST);
    // Without a step the program had ended with the region before.
    if (now.steps && !pacsim_end(r->p, &now, &answer, r->vector, r->err)) return false;
    r->l->exceptions += r->exception;
    r->steps += now.steps;
    pass(r, PACSIM_ANALYSIS);
    return true;
}

static bool all_regions(struct run *r) {
    struct hart *first = iss_next(r->iss);
    r->next = first ? hart_pc(first) : 0;
    while (!r->ended && r->steps < r->l->max)
        if (!one_region(r)) return false;
    pacsim_estimate(r->p);
    return true;
}

int pacsim_live_run(struct pacsim_live *l, struct pacsim *p, struct iss *iss, struct error *err) {
    struct run r = {.l = l, .p = p, .iss = iss, .err = err};
    r.sums = calloc(p->dims, sizeof *r.sums);
    r.vector = calloc(p->dims, sizeof *r.vector);
    r.instructions = calloc(p->harts, sizeof *r.instructions);
    if (p->settings.data) r.data = pacsim_data_create(iss, err);
    int rc = 0;
    if (!r.sums || !r.vector || !r.instructions || (p->settings.data && !r.data)) {
        rc = error_nomem(err, "regions");
    } else if (!iss_watch_flow(iss, err) ||
               (l->barrier_count && !iss_flow_mark(iss, l->barriers, l->barrier_count, met, &r, err))) {
        rc = -ENOMEM;
    } else {
        clock_gettime(CLOCK_MONOTONIC, &r.since);
        if (!all_regions(&r)) rc = -ECANCELED;
    }
    free(r.sums);
    free(r.vector);
    free(r.instructions);
    pacsim_data_destroy(r.data);
    return rc;
}
