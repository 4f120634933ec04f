// Reads what the workers edges and refills found.
#include "report/facts.h"
#include "oracle/refills.h"
#include "report/executed.h"
#include "report/json.h"
#include <stdlib.h>

struct behind { // time of an instruction on the account of a branch
    struct code_place at, branch;
    uint64_t shadow;
};

struct facts {
    struct executed *executed;
    struct pairs refills;
    struct misprediction *branches; // by cost
    size_t branch_count;
    struct behind *behind; // by at
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

static bool sum_up(struct facts *f) {
    const struct pairs *p = &f->refills;
    f->branches = calloc(p->count + 1, sizeof *f->branches);
    f->behind = calloc(p->count + 1, sizeof *f->behind);
    if (!f->branches || !f->behind) return false;
    for (size_t i = 0; i < p->count; i++) {
        const struct code_pair *pair = &p->list[i];
        struct misprediction *m = f->branch_count ? &f->branches[f->branch_count - 1] : NULL;
        if (!m || code_place_order(&m->branch, &pair->from) != 0) {
            m = &f->branches[f->branch_count++];
            m->branch = pair->from;
        }
        m->times += pair->counts[REFILL_TIMES];
        m->flushed += pair->counts[REFILL_FLUSHED];
        m->shadow += pair->counts[REFILL_SHADOW];
        f->behind[i] = (struct behind){pair->to, pair->from, pair->counts[REFILL_SHADOW]};
    }
    if (f->branch_count) qsort(f->branches, f->branch_count, sizeof *f->branches, costlier);
    if (p->count) qsort(f->behind, p->count, sizeof *f->behind, by_at);
    return true;
}

struct facts *facts_read(const struct report_data *d) {
    struct facts *f = calloc(1, sizeof *f);
    cJSON *statistics = samples_statistics(d->samples) ? cJSON_Parse(samples_statistics(d->samples)) : NULL;
    const bool good = f && (f->executed = executed_read(d)) && pairs_read(&f->refills, d, statistics, "refills");
    cJSON_Delete(statistics);
    if (good && sum_up(f)) return f;
    facts_free(f);
    return NULL;
}

void facts_free(struct facts *f) {
    if (!f) return;
    executed_free(f->executed);
    pairs_free(&f->refills);
    free(f->branches);
    free(f->behind);
    free(f);
}

bool facts_executions(const struct facts *f, const struct code_place *at, uint64_t *executions) {
    *executions = 0;
    if (!executed_known(f->executed) || !at->program) return false;
    *executions = executed_count(f->executed, at->program, at->pc);
    return true;
}

bool facts_mispredictions_known(const struct facts *f) {
    return f->refills.known;
}

const struct misprediction *facts_mispredictions(const struct facts *f, size_t *count) {
    *count = f->branch_count;
    return f->branches;
}

const struct misprediction *facts_misprediction(const struct facts *f, const struct code_place *branch) {
    for (size_t i = 0; i < f->branch_count; i++) {
        if (code_place_order(&f->branches[i].branch, branch) == 0) return &f->branches[i];
    }
    return NULL;
}

const struct code_pair *facts_behind(const struct facts *f, const struct code_place *branch, size_t *count) {
    return pairs_from(&f->refills, branch->program, branch->pc, count);
}

uint64_t facts_shadow(const struct facts *f, const struct code_place *at, struct code_place *branch) {
    uint64_t sum = 0, most = 0;
    size_t low = 0, high = f->refills.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (code_place_order(&f->behind[middle].at, at) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < f->refills.count && code_place_order(&f->behind[low].at, at) == 0; low++) {
        sum += f->behind[low].shadow;
        if (f->behind[low].shadow <= most) continue;
        most = f->behind[low].shadow;
        *branch = f->behind[low].branch;
    }
    return sum;
}
