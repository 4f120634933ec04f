// How long each loop's rounds are, and what its samples are worth: see beats.h.
#include "report/beats.h"
#include "analysis/chance.h"
#include "report/loop_samples.h"
#include <math.h>
#include <stdlib.h>

enum {
    FEW = 16, // triggers of a loop below which nothing is reported
    LINE = 64,
    MISS = 200,  // bytes of a line of code, and cycles that one may take to come
    CALLEES = 32 // lines of what a loop calls
};

bool beats_possible(const struct samples_header *h) {
    return !h->sampling.period || h->sampling.golden || !h->sampling.jitter_bits ||
           UINT64_C(2) << h->sampling.jitter_bits <= h->sampling.period;
}

// ---- a loop ----
struct body {
    double bytes, units; // executed instructions' bytes, and units of the granularity among them
    bool calls;
};

static struct body body_of(const struct gathering *g, const struct loop_samples *l, enum granularity granularity) {
    struct body body = {0};
    const struct flow_block *blocks = l->of->blocks;
    for (size_t b = 0; b < l->of->block_count; b++) {
        if (!flow_in_loop(l->of, b, l->loop) || !flows_executions(g->flows, l->of, b)) continue;
        for (size_t i = 0; i < blocks[b].count; i++)
            body.bytes += l->of->code[blocks[b].first + i].bytes;
        body.units += granularity == BY_INSTRUCTION ? (double)blocks[b].count : 1;
        body.calls = body.calls || blocks[b].calls;
    }
    if (granularity >= BY_FUNCTION) body.units = 1;
    return body;
}

// What rounds take: the loop's time by its samples, which is right to a period where a visit begins and where it ends,
// over their number; the first round may have waited for its code, too.
static bool judge(struct gathering *g, struct loop_samples *l, const struct body *body) {
    if (l->tried) return true;
    l->tried = true;
    const double rounds = (double)flows_executions(g->flows, l->of, l->of->loops[l->loop].header);
    const double period = g->all / (double)g->d->sample_count;
    const double edge = period * fmin(l->visits, 1.2 * sqrt(l->visits));
    const double cold = MISS * (1 + body->bytes / LINE + (body->calls ? CALLEES : 0));
    l->phases.draws = (double)l->trigger_count;
    if (rounds < 2 || l->trigger_count < FEW) return true;
    return phases_judge(l->triggers, l->trigger_count, (l->cycles - edge - cold) / rounds, (l->cycles + edge) / rounds,
                        &l->judged, &l->phases);
}

// Of `units` with equal parts, drawn `draws` times.
static double error_of_draws(double units, double draws) {
    if (units <= 1) return 0;
    draws = fmax(draws, 1);
    return fmin(units * chance_binomial(draws, 1 / units) / draws / 2, 1 - 1 / units);
}

static double error_in_step(const struct loop_samples *l, const struct body *body) {
    if (!l->phases.length) return 0;
    const double cycles = l->phases.length; // no more units than cycles have time
    return error_of_draws(body->calls ? cycles : fmin(cycles, body->units), l->phases.draws);
}

// Of the samples of a kind: what part of them is likely to be at another unit, by the loop that says most.
struct verdict {
    float wrong;
    bool known;
};

static void sum_up(const struct gathering *g, const struct verdict *verdicts, struct beats *result) {
    struct sample_walk walk = sample_store_walk(g->d->store);
    struct sample_times times;
    while (g->all > 0 && sample_walk_next(&walk, &times)) {
        const struct verdict *v = &verdicts[times.kind];
        const double cycles = (double)times.cycles;
        result->known += v->known ? cycles / g->all : 0;
        result->share += v->wrong > 0 ? cycles / g->all : 0;
        result->error += (double)v->wrong * cycles / g->all;
    }
}

static bool judge_all(struct gathering *g, enum granularity granularity, struct beats *result) {
    const uint32_t kinds = sample_store_kinds(g->d->store);
    struct verdict *loops = calloc(g->loop_count + 1, sizeof *loops);
    struct verdict *verdicts = calloc((size_t)kinds + 1, sizeof *verdicts);
    bool good = loops && verdicts;
    double most = 0;
    for (size_t i = 0; good && i < g->loop_count; i++) {
        struct loop_samples *l = &g->loops[i];
        const struct body body = body_of(g, l, granularity);
        good = judge(g, l, &body);
        const double wrong = error_in_step(l, &body);
        loops[i] = (struct verdict){(float)wrong, l->judged};
        if (wrong * l->cycles <= most) continue;
        most = wrong * l->cycles;
        result->worst = l->header;
        result->worst_length = l->phases.length;
        result->worst_samples = (double)l->trigger_count;
        result->worst_draws = l->phases.draws;
    }
    for (uint32_t kind = 0; good && kind < kinds; kind++) {
        const struct loop_list *list = &g->lists[kind];
        for (size_t i = list->first; i < list->first + list->count; i++) {
            const struct verdict *of = &loops[g->in[i]];
            verdicts[kind].known |= of->known;
            verdicts[kind].wrong = fmaxf(verdicts[kind].wrong, of->wrong);
        }
    }
    if (good) sum_up(g, verdicts, result);
    free(loops);
    free(verdicts);
    return good;
}

bool beats_judge(const struct run *d, enum granularity g, struct beats *result, struct error *err) {
    struct gathering *all = loop_samples_gather(d, err);
    *result = (struct beats){0};
    if (!all) return false;
    if (!executed_known(all->flows->executed) || !d->sample_count) return true;
    return judge_all(all, g, result) || report_out_of_memory(d->path, err) == 0;
}

// ---- single loops ----
static int by_number(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

// What chance does to the loop's own samples: as confidence_by_chance, or the part of instructions met once, which is
// about that of those never met (Good, Biometrika 40, 1953).
static double error_by_chance(const struct loop_samples *l, bool *good) {
    const double draws = (double)l->trigger_count;
    uint32_t *found = malloc((l->trigger_count + 1) * sizeof *found);
    double error = 0, once = 0;
    *good = found != NULL;
    if (!found) return 0;
    for (size_t i = 0; i < l->trigger_count; i++)
        found[i] = l->triggers[i].found;
    qsort(found, l->trigger_count, sizeof *found, by_number);
    for (size_t first = 0, i; first < l->trigger_count; first = i) {
        for (i = first; i < l->trigger_count && found[i] == found[first]; i++) {
        }
        const double part = (double)(i - first) / draws;
        error += sqrt(part * (1 - part) / draws * 2 / M_PI) / 2;
        once += i - first == 1;
    }
    free(found);
    return fmax(error, once / draws);
}

static bool find_error(struct gathering *g, struct loop_samples *l) {
    const struct body body = body_of(g, l, BY_INSTRUCTION);
    const bool possible = beats_possible(g->d->header) && executed_known(g->flows->executed);
    bool good;
    const double error = error_by_chance(l, &good);
    if (!good || (possible && !judge(g, l, &body))) return false;
    l->error = possible ? fmax(error, error_in_step(l, &body)) : error;
    return true;
}

// The gathering has flows of its own.
bool loop_error(const struct run *d, const struct function_flow *f, size_t loop, double *error) {
    struct gathering *g = loop_samples_gather(d, NULL);
    for (size_t i = 0; g && i < g->loop_count; i++) {
        struct loop_samples *l = &g->loops[i];
        if (l->of->function != f->function || l->loop != loop) continue;
        const bool good = l->error >= 0 || find_error(g, l);
        *error = l->error;
        return good;
    }
    return false;
}
