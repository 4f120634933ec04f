// Samples by loop, the length of each loop's rounds, and what its samples are worth: see beats.h.
#include "report/beats.h"
#include "analysis/chance.h"
#include "analysis/phases.h"
#include "base/array.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 64,      // of a call stack that are looked at, the innermost
    LOOPS = 512,      // that one sample is in: frames and what is around them
    TRIGGERS = 16384, // of a loop that are judged, the first
    REPEATS = 1024,   // of a sample that are
    FEW = 16,         // triggers of a loop below which nothing is said
    LINE = 64,
    MISS = 200,  // bytes of a line of code, and cycles that one may take to come
    CALLEES = 32 // lines of what a loop calls
};

struct loop_samples {
    struct function_flow *of;
    size_t loop;
    struct place header;
    struct phase_trigger *triggers;
    size_t trigger_count, trigger_capacity;
    uint64_t last; // number of its last sample, from 1; 0: none yet
    uint32_t visits;
    double cycles;
    bool tried, judged; // tried: whatever the granularity, once
    struct phases phases;
};

struct gathering {
    const struct run *d;
    struct flows *flows;
    const struct stack_node *nodes;
    uint32_t node_count;
    struct loop_samples *loops;
    size_t loop_count, loop_capacity;
    struct loop_list { // of the samples of a kind: the loops that they are in
        size_t first, count;
        uint32_t unit; // its oldest instruction's number
        bool found;
    } * lists;
    uint32_t *in; // the loops of all lists
    size_t in_count, in_capacity;
    double all; // cycles of all samples
    bool failed;
};

bool beats_possible(const struct samples_header *h) {
    return !h->sampling.period || h->sampling.golden || !h->sampling.jitter_bits ||
           UINT64_C(2) << h->sampling.jitter_bits <= h->sampling.period;
}

// ---- which loops a sample is in ----
struct found {
    size_t count, list[LOOPS];
};

static void add_loops(struct gathering *g, struct place place, struct found *found) {
    struct image_hit hit;
    size_t count;
    if (place.pc == PROFILE_PC_END || !images_find(g->d->images, place, &hit)) return;
    struct function_flow *f = flows_of(g->flows, &hit);
    if (!f) {
        g->failed = true;
        return;
    }
    const struct flow_loop *loops = flow_loops(f->flow, &count);
    size_t i = flow_blocks(f->flow, &count)[flow_block_of(f->flow, hit.instruction)].loop;
    for (; i != PROGRAM_NONE && found->count < LOOPS; i = loops[i].parent) {
        if (f->loops[i].unit == UNIT_NONE) {
            if (!array_reserve(&g->loops, &g->loop_capacity, g->loop_count, sizeof *g->loops)) {
                g->failed = true;
                return;
            }
            f->loops[i].unit = g->loop_count;
            const size_t first = flow_blocks(f->flow, &count)[loops[i].header].first;
            const struct place header = {flows_instruction(f, first)->pc + hit.bias, place.context};
            g->loops[g->loop_count++] = (struct loop_samples){.of = f, .loop = i, .header = header};
        }
        found->list[found->count++] = f->loops[i].unit;
    }
}

static void add_frames(struct gathering *g, uint32_t stack, struct found *found) {
    for (unsigned i = 0; i < FRAMES && stack > STACK_LOST && stack < g->node_count; i++) {
        const struct stack_node *node = &g->nodes[stack];
        if (node->kind != STACK_CALL || node->parent >= stack) return;
        // The call is the caller's, in whose context it was made.
        const uint64_t context = node->parent > STACK_LOST ? g->nodes[node->parent].context : node->context;
        add_loops(g, (struct place){node->site, context}, found);
        stack = node->parent;
    }
}

// ---- a sample, to its loops ----
static bool add_to_loop(struct gathering *g, struct loop_samples *l, const struct sample_times *t, uint64_t number,
                        uint32_t unit) {
    if (l->last == number) return true; // called from itself
    if (!l->last || l->last + 1 != number) l->visits++;
    l->last = number;
    l->cycles += (double)t->cycles;
    const uint64_t triggers = UINT64_C(1) + t->repeats + t->stalled, apart = g->d->header->sampling.period;
    for (uint64_t i = 0; i < triggers && i < REPEATS && l->trigger_count < TRIGGERS; i++) {
        if (!array_reserve(&l->triggers, &l->trigger_capacity, l->trigger_count, sizeof *l->triggers)) return false;
        l->triggers[l->trigger_count++] = (struct phase_trigger){t->cycle + i * apart, unit, l->visits};
    }
    return true;
}

// A number for the sample's oldest instruction: whatever the granularity, instructions tell best whether triggers keep
// step.
static uint32_t instruction_number(struct place place) {
    return (uint32_t)((place.pc ^ place.context << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct oldest {
    struct place place;
    uint32_t stack;
};

static struct oldest oldest_of(const struct sample_record *r) {
    const struct sample *s = &r->sample;
    const unsigned lane = s->valid >> s->oldest & 1 ? s->oldest : s->valid ? (unsigned)__builtin_ctz(s->valid) : 0;
    const uint64_t context = place_context(s->priv, s->space);
    return (struct oldest){s->valid ? (struct place){s->addr[lane], context} : PLACE_END, r->stack[lane]};
}

// Loops are numbered as they come.
static bool find_loops(struct gathering *g, uint32_t kind) {
    struct loop_list *list = &g->lists[kind];
    struct sample_record common;
    struct found found;
    if (list->found) return true;
    sample_store_common(g->d->store, kind, &common);
    const struct oldest oldest = oldest_of(&common);
    found.count = 0;
    add_loops(g, oldest.place, &found);
    add_frames(g, oldest.stack, &found);
    *list = (struct loop_list){g->in_count, found.count, instruction_number(oldest.place), true};
    for (size_t i = 0; i < found.count && !g->failed; i++) {
        g->failed = !array_reserve(&g->in, &g->in_capacity, g->in_count, sizeof *g->in);
        if (!g->failed) g->in[g->in_count++] = (uint32_t)found.list[i];
    }
    return !g->failed;
}

static bool add_samples(struct gathering *g) {
    struct sample_walk walk = sample_store_walk(g->d->store);
    struct sample_times times;
    for (uint64_t number = 1; sample_walk_next(&walk, &times); number++) {
        if (!find_loops(g, times.kind)) return false;
        const struct loop_list *list = &g->lists[times.kind];
        for (size_t i = list->first; i < list->first + list->count; i++) {
            if (!add_to_loop(g, &g->loops[g->in[i]], &times, number, list->unit)) return false;
        }
        g->all += (double)times.cycles;
    }
    return true;
}

// ---- a loop ----
struct body {
    double bytes, units; // executed instructions' bytes, and units of the granularity among them
    bool calls;
};

static bool is_in(const struct flow_loop *loops, size_t inner, size_t loop) {
    while (inner != PROGRAM_NONE && inner != loop)
        inner = loops[inner].parent;
    return inner == loop;
}

static struct body body_of(const struct gathering *g, const struct loop_samples *l, enum granularity granularity) {
    size_t count, loop_count;
    struct body body = {0};
    const struct flow_block *blocks = flow_blocks(l->of->flow, &count);
    const struct flow_loop *loops = flow_loops(l->of->flow, &loop_count);
    for (size_t b = 0; b < count; b++) {
        if (!is_in(loops, blocks[b].loop, l->loop) || !flows_executions(g->flows, l->of, b)) continue;
        for (size_t i = 0; i < blocks[b].count; i++)
            body.bytes += flows_instruction(l->of, blocks[b].first + i)->bytes;
        body.units += granularity == BY_INSTRUCTION ? (double)blocks[b].count : 1;
        body.calls = body.calls || blocks[b].calls;
    }
    if (granularity >= BY_FUNCTION) body.units = 1;
    return body;
}

// What rounds take: the loop's time by its samples, which is right to a period where a visit begins and where it ends,
// over their number; the first round may have waited for its code, too.
static bool judge(struct gathering *g, struct loop_samples *l, const struct body *body) {
    size_t count;
    if (l->tried) return true;
    l->tried = true;
    const double rounds = (double)flows_executions(g->flows, l->of, flow_loops(l->of->flow, &count)[l->loop].header);
    const double period = g->all / (double)g->d->sample_count;
    const double edge = period * fmin(l->visits, 1.2 * sqrt(l->visits));
    const double cold = MISS * (1 + body->bytes / LINE + (body->calls ? CALLEES : 0));
    l->phases.draws = (double)l->trigger_count;
    if (rounds < 2 || l->trigger_count < FEW) return true;
    return phases_judge(l->triggers, l->trigger_count, (l->cycles - edge - cold) / rounds, (l->cycles + edge) / rounds,
                        &l->judged, &l->phases);
}

// Of so many units with equal parts, drawn so often.
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

static void gathering_destroy(void *gathering) {
    struct gathering *g = gathering;
    for (size_t i = 0; i < g->loop_count; i++)
        free(g->loops[i].triggers);
    free(g->loops);
    free(g->lists);
    free(g->in);
    if (g->flows) flows_destroy(g->flows);
    free(g);
}

// Once a run, whatever the granularity. NULL with err: no memory.
static struct gathering *gather(const struct run *d, struct error *err) {
    static const char key;
    struct gathering *g = run_kept(d, &key, 0);
    if (g) return g;
    g = calloc(1, sizeof *g);
    if (g) {
        g->d = d;
        g->flows = flows_create(d);
        g->nodes = samples_stacks(d->samples, &g->node_count);
        g->lists = calloc((size_t)sample_store_kinds(d->store) + 1, sizeof *g->lists);
        const bool good = g->flows && g->lists && add_samples(g);
        if (!good) gathering_destroy(g);
        if (good && run_keep(d, &key, 0, g, gathering_destroy)) return g;
    }
    report_out_of_memory(d->path, err);
    return NULL;
}

bool beats_judge(const struct run *d, enum granularity g, struct beats *result, struct error *err) {
    struct gathering *all = gather(d, err);
    *result = (struct beats){0};
    if (!all) return false;
    if (!executed_known(all->flows->executed) || !d->sample_count) return true;
    return judge_all(all, g, result) || report_out_of_memory(d->path, err) == 0;
}

// ---- single loops ----
struct loop_error {
    const struct program *program;
    uint64_t header;
    double error;
};
struct loop_errors {
    size_t count;
    struct loop_error list[];
};

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

static bool fill(struct loop_errors *result, struct gathering *g) {
    const bool possible = beats_possible(g->d->header) && executed_known(g->flows->executed);
    for (size_t i = 0; i < g->loop_count; i++) {
        struct loop_samples *l = &g->loops[i];
        const struct body body = body_of(g, l, BY_INSTRUCTION);
        bool good;
        double error = error_by_chance(l, &good);
        if (!good || (possible && !judge(g, l, &body))) return false;
        if (possible) error = fmax(error, error_in_step(l, &body));
        const struct program_instruction *header = flows_instruction(
            l->of, flow_blocks(l->of->flow, &(size_t){0})[flow_loops(l->of->flow, &(size_t){0})[l->loop].header].first);
        result->list[result->count++] = (struct loop_error){l->of->program, header->pc, error};
    }
    return true;
}

struct loop_errors *loop_errors_create(const struct run *d, struct error *err) {
    struct gathering *g = gather(d, err);
    if (!g) return NULL;
    struct loop_errors *result = calloc(1, sizeof *result + (g->loop_count + 1) * sizeof *result->list);
    if (result && fill(result, g)) return result;
    report_out_of_memory(d->path, err);
    free(result);
    return NULL;
}

void loop_errors_destroy(struct loop_errors *l) {
    free(l);
}

bool loop_errors_of(const struct loop_errors *l, const struct program *p, uint64_t header, double *error) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].program != p || l->list[i].header != header) continue;
        *error = l->list[i].error;
        return true;
    }
    return false;
}
