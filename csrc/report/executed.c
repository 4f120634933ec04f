// Executions by address: of the places up to an instruction at which control arrived, less those before it from which
// control left.
#include "report/executed.h"
#include "results.h"
#include <stdlib.h>
#include <string.h>

struct step { // arrivals or departures
    const struct program *program;
    uint64_t pc, count; // count: of those up to here, of this program
};
struct executed {
    bool known;
    struct executed_edge *edges; // by from
    struct step *arrivals, *departures;
    size_t count, arrival_count, departure_count;
};

static int compare_place(const struct program *p, uint64_t a, const struct program *q, uint64_t b) {
    if (p != q) return (uintptr_t)p < (uintptr_t)q ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int by_from(const void *x, const void *y) {
    const struct executed_edge *a = x, *b = y;
    const int order = compare_place(a->from_program, a->from, b->from_program, b->from);
    return order ? order : compare_place(a->to_program, a->to, b->to_program, b->to);
}

static int by_step(const void *x, const void *y) {
    const struct step *a = x, *b = y;
    return compare_place(a->program, a->pc, b->program, b->pc);
}

static const struct program *place_of(const struct images *images, struct place place, uint64_t *pc) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END || !images_find(images, place, &hit)) return NULL;
    *pc = place.pc - hit.bias;
    return hit.program;
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
        if (steps[i].program == steps[i - 1].program) steps[i].count += steps[i - 1].count;
    }
    return used;
}

static void merge_edges(struct executed *e) {
    size_t used = 0;
    if (e->count) qsort(e->edges, e->count, sizeof *e->edges, by_from);
    for (size_t i = 0; i < e->count; i++) {
        if (used && by_from(&e->edges[used - 1], &e->edges[i]) == 0) {
            e->edges[used - 1].count += e->edges[i].count;
        } else {
            e->edges[used++] = e->edges[i];
        }
    }
    e->count = used;
}

struct executed *executed_read(const struct images *images, const struct results *results) {
    struct executed *e = calloc(1, sizeof *e);
    size_t most;
    const struct jump *jumps = results_jump(results, &most);
    if (e) {
        e->known = results_known(results, RESULT_JUMP);
        e->edges = calloc(most + 1, sizeof *e->edges);
        e->arrivals = calloc(most + 1, sizeof *e->arrivals);
        e->departures = calloc(most + 1, sizeof *e->departures);
    }
    if (!e || !e->edges || !e->arrivals || !e->departures) {
        executed_free(e);
        return NULL;
    }
    for (; e->count < most; e->count++) {
        struct executed_edge *edge = &e->edges[e->count];
        edge->count = jumps[e->count].executions;
        edge->from_program = place_of(images, jumps[e->count].from, &edge->from);
        edge->to_program = place_of(images, jumps[e->count].to, &edge->to);
    }
    merge_edges(e);
    for (size_t i = 0; i < e->count; i++) {
        const struct executed_edge *x = &e->edges[i];
        if (x->to_program) e->arrivals[e->arrival_count++] = (struct step){x->to_program, x->to, x->count};
        if (x->from_program) e->departures[e->departure_count++] = (struct step){x->from_program, x->from, x->count};
    }
    e->arrival_count = sum_up(e->arrivals, e->arrival_count);
    e->departure_count = sum_up(e->departures, e->departure_count);
    return e;
}

void executed_free(struct executed *e) {
    if (!e) return;
    free(e->edges);
    free(e->arrivals);
    free(e->departures);
    free(e);
}

bool executed_known(const struct executed *e) {
    return e->known;
}

// Of all up to pc, or before it.
static uint64_t up_to(const struct step *steps, size_t count, const struct program *p, uint64_t pc, bool included) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const int order = compare_place(steps[middle].program, steps[middle].pc, p, pc);
        if (order < 0 || (order == 0 && included)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low && steps[low - 1].program == p ? steps[low - 1].count : 0;
}

uint64_t executed_count(const struct executed *e, const struct program *p, uint64_t pc) {
    const uint64_t arrived = up_to(e->arrivals, e->arrival_count, p, pc, true),
                   left = up_to(e->departures, e->departure_count, p, pc, false);
    return arrived > left ? arrived - left : 0;
}

// The first edge from there, or after it.
static size_t first_from(const struct executed *e, const struct program *p, uint64_t pc) {
    size_t low = 0, high = e->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_place(e->edges[middle].from_program, e->edges[middle].from, p, pc) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct executed_edge *executed_between(const struct executed *e, const struct program *p, uint64_t start,
                                             uint64_t end, size_t *count) {
    const size_t first = first_from(e, p, start);
    *count = first_from(e, p, end) - first;
    return e->edges + first;
}

const struct executed_edge *executed_from(const struct executed *e, const struct program *p, uint64_t pc,
                                          size_t *count) {
    return executed_between(e, p, pc, pc + 1, count);
}

uint64_t executed_passed(const struct executed *e, const struct program *p, uint64_t pc) {
    size_t count;
    const struct executed_edge *edges = executed_from(e, p, pc, &count);
    uint64_t passed = executed_count(e, p, pc);
    for (size_t i = 0; i < count; i++)
        passed -= edges[i].count < passed ? edges[i].count : passed;
    return passed;
}
