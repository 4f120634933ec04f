// Samples by loop, the length of each loop's rounds, and what its samples are worth: see beats.h.
#include "report/beats.h"
#include "analysis/chance.h"
#include "analysis/phases.h"
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
    uint32_t *numbers; // of all its samples
    size_t trigger_count, trigger_room, count, room;
    uint32_t visits;
    double cycles;
    bool judged;
    struct phases phases;
};

struct gathering {
    const struct run *d;
    enum granularity granularity;
    struct flows *flows;
    const struct stack_node *nodes;
    uint32_t node_count;
    struct loop_samples *loops;
    size_t loop_count, loop_room;
    double *cycles; // of each sample
    float *wrong;   // ... part of it that is likely to be at another unit: greatest of its loops
    bool *known;
    size_t count, room;
    double all;
    bool failed;
};

bool beats_possible(const struct samples_header *h) {
    return !h->sampling.period || h->sampling.golden || !h->sampling.jitter_bits ||
           UINT64_C(2) << h->sampling.jitter_bits <= h->sampling.period;
}

// Room for one more; list: of a pointer.
static bool grown(void *list, size_t *room, size_t count, size_t size) {
    void *old, *bigger;
    if (count < *room) return true;
    memcpy(&old, list, sizeof old);
    const size_t more = *room ? 2 * *room : 256;
    if (!(bigger = realloc(old, more * size))) return false;
    memcpy(list, &bigger, sizeof bigger);
    *room = more;
    return true;
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
            if (!grown(&g->loops, &g->loop_room, g->loop_count, sizeof *g->loops)) {
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
static bool add_to_loop(struct gathering *g, struct loop_samples *l, const struct sample_record *r, uint32_t unit) {
    const uint32_t number = (uint32_t)g->count;
    if (l->count && l->numbers[l->count - 1] == number) return true; // called from itself
    if (!grown(&l->numbers, &l->room, l->count, sizeof *l->numbers)) return false;
    if (!l->count || l->numbers[l->count - 1] + 1 != number) l->visits++;
    l->numbers[l->count++] = number;
    l->cycles += (double)r->cycles;
    const uint64_t triggers = samples_periods(r), apart = g->d->header->sampling.period;
    for (uint64_t i = 0; i < triggers && i < REPEATS && l->trigger_count < TRIGGERS; i++) {
        if (!grown(&l->triggers, &l->trigger_room, l->trigger_count, sizeof *l->triggers)) return false;
        l->triggers[l->trigger_count++] = (struct phase_trigger){r->cycle + i * apart, unit, l->visits};
    }
    return true;
}

// A number for the sample's oldest instruction: whatever the granularity, instructions tell best whether triggers keep
// step.
static uint32_t instruction_number(struct place place) {
    return (uint32_t)((place.pc ^ place.context << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct gathering *g = context;
    struct found found;
    const struct sample_record known = run_booked(header, record);
    const struct sample *s = &known.sample;
    const unsigned lane = s->valid >> s->oldest & 1 ? s->oldest : s->valid ? (unsigned)__builtin_ctz(s->valid) : 0;
    const struct place place = s->valid ? (struct place){s->addr[lane], place_context(s->priv, s->space)} : PLACE_END;
    if (!grown(&g->cycles, &g->room, g->count, sizeof *g->cycles)) return false;
    found.count = 0;
    add_loops(g, place, &found);
    add_frames(g, record->stack[lane], &found);
    const uint32_t unit = instruction_number(place);
    for (size_t i = 0; i < found.count && !g->failed; i++)
        g->failed = !add_to_loop(g, &g->loops[found.list[i]], &known, unit);
    g->cycles[g->count++] = (double)known.cycles;
    g->all += (double)known.cycles;
    return !g->failed && g->count < UINT32_MAX;
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

static struct body body_of(const struct gathering *g, const struct loop_samples *l) {
    size_t count, loop_count;
    struct body body = {0};
    const struct flow_block *blocks = flow_blocks(l->of->flow, &count);
    const struct flow_loop *loops = flow_loops(l->of->flow, &loop_count);
    for (size_t b = 0; b < count; b++) {
        if (!is_in(loops, blocks[b].loop, l->loop) || !flows_executions(g->flows, l->of, b)) continue;
        for (size_t i = 0; i < blocks[b].count; i++)
            body.bytes += flows_instruction(l->of, blocks[b].first + i)->bytes;
        body.units += g->granularity == BY_INSTRUCTION ? (double)blocks[b].count : 1;
        body.calls = body.calls || blocks[b].calls;
    }
    if (g->granularity >= BY_FUNCTION) body.units = 1;
    return body;
}

// What rounds take: the loop's time by its samples, which is right to a period where a visit begins and where it ends,
// over their number; the first round may have waited for its code, too.
static bool judge(struct gathering *g, struct loop_samples *l, const struct body *body) {
    size_t count;
    const double rounds = (double)flows_executions(g->flows, l->of, flow_loops(l->of->flow, &count)[l->loop].header);
    const double period = g->all / (double)g->count;
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

static bool judge_all(struct gathering *g, struct beats *result) {
    double most = 0;
    g->wrong = calloc(g->count + 1, sizeof *g->wrong);
    g->known = calloc(g->count + 1, sizeof *g->known);
    if (!g->wrong || !g->known) return false;
    for (size_t i = 0; i < g->loop_count; i++) {
        struct loop_samples *l = &g->loops[i];
        const struct body body = body_of(g, l);
        if (!judge(g, l, &body)) return false;
        const double wrong = error_in_step(l, &body);
        for (size_t k = 0; k < l->count; k++) {
            g->known[l->numbers[k]] |= l->judged;
            g->wrong[l->numbers[k]] = (float)fmax(g->wrong[l->numbers[k]], wrong);
        }
        if (wrong * l->cycles <= most) continue;
        most = wrong * l->cycles;
        result->worst = l->header;
        result->worst_length = l->phases.length;
        result->worst_samples = (double)l->trigger_count;
        result->worst_draws = l->phases.draws;
    }
    for (size_t i = 0; i < g->count && g->all > 0; i++) {
        result->known += g->known[i] ? g->cycles[i] / g->all : 0;
        result->share += g->wrong[i] > 0 ? g->cycles[i] / g->all : 0;
        result->error += (double)g->wrong[i] * g->cycles[i] / g->all;
    }
    return true;
}

static void gathering_free(struct gathering *g) {
    for (size_t i = 0; i < g->loop_count; i++) {
        free(g->loops[i].triggers);
        free(g->loops[i].numbers);
    }
    free(g->loops);
    free(g->cycles);
    free(g->wrong);
    free(g->known);
    if (g->flows) flows_destroy(g->flows);
}

static bool gather(struct gathering *g, const struct run *d, enum granularity granularity, struct error *err) {
    *g = (struct gathering){.d = d, .granularity = granularity, .flows = flows_create(d)};
    g->nodes = samples_stacks(d->samples, &g->node_count);
    if (!g->flows) return report_out_of_memory(d->path, err) == 0;
    struct samples *again = samples_read(d->path, take, g, err);
    samples_destroy(again);
    return again && !g->failed;
}

bool beats_judge(const struct run *d, enum granularity g, struct beats *result, struct error *err) {
    struct gathering all;
    *result = (struct beats){0};
    bool good = gather(&all, d, g, err);
    if (good && executed_known(all.flows->executed) && all.count)
        good = judge_all(&all, result) || report_out_of_memory(d->path, err) == 0;
    gathering_free(&all);
    return good;
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
        const struct body body = body_of(g, l);
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
    struct gathering g;
    struct loop_errors *result = NULL;
    if (gather(&g, d, BY_INSTRUCTION, err)) {
        result = calloc(1, sizeof *result + (g.loop_count + 1) * sizeof *result->list);
        if (!result || !fill(result, &g)) {
            report_out_of_memory(d->path, err);
            free(result);
            result = NULL;
        }
    }
    gathering_free(&g);
    return result;
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
