// Reads what the workers exec-counts, events, mispredict-cost and stall-causes found.
#include "report/facts.h"
#include "oracle/refills.h"
#include "report/executed.h"
#include <stdlib.h>

struct behind { // time of an instruction on the account of a branch
    struct code_place at, branch;
    uint64_t shadow;
    bool flush; // the branch is none: it flushes
};

struct met { // how often an instruction left with a vector
    struct code_place at;
    unsigned psv;
    uint64_t count;
};

struct facts {
    struct executed *executed;
    bool met_known;
    struct met *met; // by at
    size_t met_count;
    struct pairs refills, flushes, waits;
    struct misprediction *branches, *flushers; // by cost
    size_t branch_count, flusher_count;
    struct behind *behind; // by at
    size_t behind_count;
};

static int costlier(const void *x, const void *y) {
    const struct misprediction *a = x, *b = y;
    const uint64_t costs[2] = {a->flushed + a->shadow, b->flushed + b->shadow};
    if (costs[0] != costs[1]) return costs[0] > costs[1] ? -1 : 1;
    if (a->times != b->times) return a->times > b->times ? -1 : 1;
    return code_place_order(&a->branch, &b->branch);
}

static int by_at(const void *x, const void *y) {
    const struct behind *a = x, *b = y;
    const int order = code_place_order(&a->at, &b->at);
    return order ? order : code_place_order(&a->branch, &b->branch);
}

// By instruction: what its pairs add up to.
static struct misprediction *sum_up(struct facts *f, const struct pairs *p, bool flush, size_t *used) {
    struct misprediction *list = calloc(p->count + 1, sizeof *list);
    *used = 0;
    for (size_t i = 0; list && i < p->count; i++) {
        const struct code_pair *pair = &p->list[i];
        struct misprediction *m = *used ? &list[*used - 1] : NULL;
        if (!m || code_place_order(&m->branch, &pair->from) != 0) {
            m = &list[(*used)++];
            m->branch = pair->from;
        }
        m->times += pair->counts[REFILL_TIMES];
        m->flushed += pair->counts[REFILL_FLUSHED];
        m->shadow += pair->counts[REFILL_SHADOW];
        m->late += pair->counts[REFILL_LATE];
        f->behind[f->behind_count++] = (struct behind){pair->to, pair->from, pair->counts[REFILL_SHADOW], flush};
    }
    if (*used) qsort(list, *used, sizeof *list, costlier);
    return list;
}

static bool sum_up_all(struct facts *f) {
    f->behind = calloc(f->refills.count + f->flushes.count + 1, sizeof *f->behind);
    if (!f->behind) return false;
    f->branches = sum_up(f, &f->refills, false, &f->branch_count);
    f->flushers = sum_up(f, &f->flushes, true, &f->flusher_count);
    if (f->behind_count) qsort(f->behind, f->behind_count, sizeof *f->behind, by_at);
    return f->branches && f->flushers;
}

// ---- events ----
static int met_by_at(const void *x, const void *y) {
    const struct met *a = x, *b = y;
    const int order = code_place_order(&a->at, &b->at);
    return order ? order : a->psv < b->psv ? -1 : a->psv > b->psv;
}

static bool read_met(struct facts *f, const struct images *images, const struct results *results) {
    size_t count;
    const struct event_met *rows = results_event_met(results, &count);
    f->met_known = results_known(results, RESULT_EVENT_MET);
    f->met = calloc(count + 1, sizeof *f->met);
    if (!f->met) return false;
    for (; f->met_count < count; f->met_count++) {
        const struct event_met *row = &rows[f->met_count];
        f->met[f->met_count] = (struct met){code_place_of(images, row->instruction), row->psv, row->times};
    }
    if (count) qsort(f->met, count, sizeof *f->met, met_by_at);
    return true;
}

bool facts_met(const struct facts *f, const struct code_place *at, unsigned event, uint64_t *count) {
    size_t i = code_place_first(f->met, f->met_count, sizeof *f->met, at);
    *count = 0;
    for (; i < f->met_count && code_place_order(&f->met[i].at, at) == 0; i++)
        *count += f->met[i].psv >> event & 1 ? f->met[i].count : 0;
    return f->met_known;
}

struct facts *facts_read(const struct images *images, const struct results *results) {
    struct facts *f = calloc(1, sizeof *f);
    const bool good = f && (f->executed = executed_read(images, results)) && read_met(f, images, results) &&
                      pairs_read(&f->refills, images, results, RESULT_REFILL) &&
                      pairs_read(&f->flushes, images, results, RESULT_FLUSH) &&
                      pairs_read(&f->waits, images, results, RESULT_WAIT);
    if (good && sum_up_all(f)) return f;
    facts_free(f);
    return NULL;
}

void facts_free(struct facts *f) {
    if (!f) return;
    executed_free(f->executed);
    pairs_free(&f->refills);
    pairs_free(&f->flushes);
    pairs_free(&f->waits);
    free(f->branches);
    free(f->flushers);
    free(f->behind);
    free(f->met);
    free(f);
}

bool facts_executions_known(const struct facts *f) {
    return executed_known(f->executed);
}

bool facts_executions(const struct facts *f, const struct code_place *at, uint64_t *executions) {
    *executions = 0;
    if (!executed_known(f->executed) || !at->program) return false;
    *executions = executed_count(f->executed, at->program, at->pc);
    return true;
}

const struct code_pair *facts_waits(const struct facts *f, const struct code_place *at, size_t *count) {
    *count = 0;
    return f->waits.known ? pairs_from(&f->waits, at->program, at->pc, count) : NULL;
}

bool facts_mispredictions_known(const struct facts *f) {
    return f->refills.known;
}

const struct misprediction *facts_mispredictions(const struct facts *f, size_t *count) {
    *count = f->branch_count;
    return f->branches;
}

static const struct misprediction *find(const struct misprediction *list, size_t count, const struct code_place *at) {
    for (size_t i = 0; i < count; i++) {
        if (code_place_order(&list[i].branch, at) == 0) return &list[i];
    }
    return NULL;
}

const struct misprediction *facts_misprediction(const struct facts *f, const struct code_place *branch) {
    return find(f->branches, f->branch_count, branch);
}

const struct misprediction *facts_flush(const struct facts *f, const struct code_place *at) {
    return find(f->flushers, f->flusher_count, at);
}

const struct code_pair *facts_behind(const struct facts *f, const struct code_place *branch, size_t *count) {
    return pairs_from(&f->refills, branch->program, branch->pc, count);
}

uint64_t facts_shadow(const struct facts *f, const struct code_place *at, struct code_place *branch, bool *flush) {
    uint64_t sum = 0, most = 0;
    size_t i = code_place_first(f->behind, f->behind_count, sizeof *f->behind, at);
    for (; i < f->behind_count && code_place_order(&f->behind[i].at, at) == 0; i++) {
        sum += f->behind[i].shadow;
        if (f->behind[i].shadow <= most) continue;
        most = f->behind[i].shadow;
        *branch = f->behind[i].branch;
        *flush = f->behind[i].flush;
    }
    return sum;
}
