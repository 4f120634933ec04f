// From marker to marker: pacsim_live.h.
#include "methods/regions/pacsim_live.h"
#include "isa/control.h"
#include "iss/flow.h"
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
    uint64_t steps; // of all regions
    bool ended, exception;
    struct timespec since;
    struct error *err;
};

static bool over(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss_refused(iss, "", NULL) || iss_asks_for_reset(iss);
}

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
    return kind == CONTROL_BRANCH ||
           (kind == CONTROL_JUMP && (!l->same_function || l->same_function(l->names, out->pc, target)));
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

// ---- a region ----
// The machine alone, to `until` steps of the region.
static uint64_t go_on(struct run *r, uint64_t done, uint64_t until) {
    while (done < until && !over(r->iss)) {
        const uint64_t piece = until - done < PIECE ? until - done : PIECE, now = iss_run(r->iss, piece);
        done += now;
        if (now == 0) {
            r->ended = true;
            break;
        }
        if (r->l->stop && *r->l->stop) break;
    }
    return done;
}

static struct hart *one(struct run *r, bool detailed, struct iss_retire *out, bool *fault) {
    const struct pacsim_engine *e = r->l->engine;
    return e->step && (detailed || e->always) ? e->step(e->context, r->iss, detailed, out, fault)
                                              : iss_step(r->iss, out);
}

// To the region's end: *marker, where the next one begins. False with err.
static bool region(struct run *r, bool detailed, uint64_t *steps, uint64_t *marker) {
    const struct pacsim_live *l = r->l;
    const bool alone = !l->engine->step || (!detailed && !l->engine->always);
    const uint64_t left = l->max - r->steps, twice = l->most < left / 2 ? 2 * l->most : left;
    struct iss_retire out = {.access = ISS_ACCESS_STORE};
    uint64_t done = alone ? go_on(r, 0, l->barrier_count ? l->least : l->most < left ? l->most - 1 : left) : 0;
    bool fault = false;
    while (!r->ended) {
        if ((out.access == ISS_ACCESS_STORE && over(r->iss)) || done >= left) {
            r->ended = true;
            break;
        }
        if ((done % PIECE == 0 && l->stop && *l->stop) || done >= twice) break;
        const struct hart *h = one(r, detailed, &out, &fault);
        if (fault) return error_nomem(r->err, "regions") == 0;
        r->ended = h == NULL;
        done += h != NULL;
        if (!h || is_marker(l, &out, done)) break;
    }
    r->exception = !r->ended && l->markers && done >= twice;
    r->ended = r->ended || over(r->iss) || (l->stop && *l->stop);
    *steps = done;
    *marker = out.next_pc;
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
    const size_t harts = r->p->harts;
    memset(r->sums, 0, harts * PACSIM_DIMS * sizeof *r->sums);
    memset(r->instructions, 0, harts * sizeof *r->instructions);
    iss_flow_take(r->iss, seen, r);
    if (!iss_flow_whole(r->iss)) return error_nomem(r->err, "regions") == 0;
    for (size_t h = 0; h < harts; h++) {
        region->instructions += r->instructions[h];
        if (r->instructions[h] > region->most) region->most = r->instructions[h];
    }
    for (size_t h = 0; h < harts; h++)
        region->active += r->instructions[h] > region->most / IDLE;
    pacsim_norm(r->vector, r->sums, harts);
    return true;
}

static bool all_regions(struct run *r) {
    const struct pacsim_live *l = r->l;
    const struct pacsim_engine *e = l->engine;
    struct hart *first = iss_next(r->iss);
    uint64_t marker = first ? hart_pc(first) : 0;
    while (!r->ended && r->steps < l->max) {
        const struct pacsim_answer answer = pacsim_ask(r->p, marker, 0, r->exception);
        struct pacsim_region now = {.marker = marker, .begin = r->steps, .detailed = answer.detailed};
        const size_t number = r->p->count;
        if (e->begin && !e->begin(e->context, r->iss, number, answer.detailed, r->err)) return false;
        pass(r, PACSIM_ANALYSIS);
        if (!region(r, answer.detailed, &now.steps, &marker)) return false;
        r->l->exceptions += r->exception;
        r->steps += now.steps;
        const bool empty = now.steps == 0; // the program ended with the region before
        if (!empty && e->end && !e->end(e->context, number, answer.detailed, now.steps, &now.cycles, r->err))
            return false;
        pass(r, answer.detailed ? PACSIM_DETAIL : PACSIM_FAST);
        if (!profile(r, &now)) return false;
        if (!now.most) now.most = 1; // traps alone
        if (!empty && !pacsim_end(r->p, &now, &answer, r->vector, r->err)) return false;
        pass(r, PACSIM_ANALYSIS);
    }
    pacsim_estimate(r->p);
    return true;
}

int pacsim_live_run(struct pacsim_live *l, struct pacsim *p, struct iss *iss, struct error *err) {
    struct run r = {.l = l, .p = p, .iss = iss, .err = err};
    r.sums = calloc(p->harts * PACSIM_DIMS, sizeof *r.sums);
    r.vector = calloc(p->harts * PACSIM_DIMS, sizeof *r.vector);
    r.instructions = calloc(p->harts, sizeof *r.instructions);
    int rc = 0;
    if (!r.sums || !r.vector || !r.instructions) {
        rc = error_nomem(err, "regions");
    } else if (!iss_watch_flow(iss, err)) {
        rc = -ENOMEM;
    } else {
        clock_gettime(CLOCK_MONOTONIC, &r.since);
        if (!all_regions(&r)) rc = -ECANCELED;
    }
    free(r.sums);
    free(r.vector);
    free(r.instructions);
    return rc;
}
