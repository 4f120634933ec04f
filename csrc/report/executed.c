// Executions by address: of the places up to an instruction at which control arrived, less those before it from which
// control left.
#include "report/executed.h"
#include <stdlib.h>

struct step { // arrivals or departures
    struct code_place at;
    uint64_t count; // of those up to here, of this program
};
struct executed {
    struct pairs edges;
    struct step *arrivals, *departures;
    size_t arrival_count, departure_count;
};

static int by_step(const void *x, const void *y) {
    const struct step *a = x, *b = y;
    return code_place_order(&a->at, &b->at);
}

// Sorts, makes one of those of the same place, and sums up.
static size_t sum_up(struct step *steps, size_t count) {
    size_t used = 0;
    if (count) qsort(steps, count, sizeof *steps, by_step);
    for (size_t i = 0; i < count; i++) {
        if (used && by_step(&steps[used - 1], &steps[i]) == 0) {
            steps[used - 1].count += steps[i].count;
        } else {
            steps[used++] = steps[i];
        }
    }
    for (size_t i = 1; i < used; i++) {
        if (steps[i].at.program == steps[i - 1].at.program) steps[i].count += steps[i - 1].count;
    }
    return used;
}

struct executed *executed_read(const struct images *images, const struct results *results) {
    struct executed *e = calloc(1, sizeof *e);
    if (e && pairs_read(&e->edges, images, results, RESULT_JUMP)) {
        e->arrivals = calloc(e->edges.count + 1, sizeof *e->arrivals);
        e->departures = calloc(e->edges.count + 1, sizeof *e->departures);
    }
    if (!e || !e->arrivals || !e->departures) {
        executed_free(e);
        return NULL;
    }
    for (const struct code_pair *x = e->edges.list; x < e->edges.list + e->edges.count; x++) {
        if (x->to.program) e->arrivals[e->arrival_count++] = (struct step){x->to, x->counts[0]};
        if (x->from.program) e->departures[e->departure_count++] = (struct step){x->from, x->counts[0]};
    }
    e->arrival_count = sum_up(e->arrivals, e->arrival_count);
    e->departure_count = sum_up(e->departures, e->departure_count);
    return e;
}

void executed_free(struct executed *e) {
    if (!e) return;
    pairs_free(&e->edges);
    free(e->arrivals);
    free(e->departures);
    free(e);
}

bool executed_known(const struct executed *e) {
    return e->edges.known;
}

// Of all before pc.
static uint64_t up_to(const struct step *steps, size_t count, const struct program *p, uint64_t pc) {
    const size_t behind = code_place_first(steps, count, sizeof *steps, &(struct code_place){.program = p, .pc = pc});
    return behind && steps[behind - 1].at.program == p ? steps[behind - 1].count : 0;
}

uint64_t executed_count(const struct executed *e, const struct program *p, uint64_t pc) {
    const uint64_t arrived = up_to(e->arrivals, e->arrival_count, p, pc + 1),
                   left = up_to(e->departures, e->departure_count, p, pc);
    return arrived > left ? arrived - left : 0;
}

// The first edge from there, or after it.
static size_t first_from(const struct executed *e, const struct program *p, uint64_t pc) {
    return code_place_first(e->edges.list, e->edges.count, sizeof *e->edges.list,
                            &(struct code_place){.program = p, .pc = pc});
}

const struct code_pair *executed_between(const struct executed *e, const struct program *p, uint64_t start,
                                         uint64_t end, size_t *count) {
    const size_t first = first_from(e, p, start);
    *count = first_from(e, p, end) - first;
    return e->edges.list + first;
}

const struct code_pair *executed_from(const struct executed *e, const struct program *p, uint64_t pc, size_t *count) {
    return pairs_from(&e->edges, p, pc, count);
}

uint64_t executed_passed(const struct executed *e, const struct program *p, uint64_t pc) {
    size_t count;
    const struct code_pair *edges = executed_from(e, p, pc, &count);
    uint64_t passed = executed_count(e, p, pc);
    for (size_t i = 0; i < count; i++)
        passed -= edges[i].counts[0] < passed ? edges[i].counts[0] : passed;
    return passed;
}
