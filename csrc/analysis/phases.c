// Phases of triggers in a loop, and pairs of triggers of one phase: see phases.h.
#include "analysis/phases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.1    // by which the phase has to say what is found: below, the length is not the loop's
#define NOTHING 0.95 // pairs that find the same instruction, of all: above, nothing decides

// Pairs are ordered, so that each counts twice.
struct pairs {
    double all;   // within one visit
    double alike; // of them: that find the same instruction
};

struct work {
    const struct phase_trigger *list;
    struct phase_trigger *settled; // those of settled rounds
    size_t count, settled_count;
    uint32_t *counts;             // by phase
    struct phase_trigger *sorted; // cycle: the phase
    double all;                   // pairs within a visit
    struct pairs pairs;           // of settled rounds
};

static int by_phase(const void *x, const void *y) {
    const struct phase_trigger *a = x, *b = y;
    if (a->visit != b->visit) return a->visit < b->visit ? -1 : 1;
    if (a->cycle != b->cycle) return a->cycle < b->cycle ? -1 : 1;
    return a->found < b->found ? -1 : a->found > b->found;
}

// Those of settled rounds and one phase, where by_phase has put them together; a phase each where `length` is 0.
static struct pairs pairs_of(struct work *w, uint32_t length) {
    struct pairs p = {0, 0};
    memcpy(w->sorted, w->settled, w->settled_count * sizeof *w->settled);
    for (size_t i = 0; i < w->settled_count; i++)
        w->sorted[i].cycle = length ? w->sorted[i].cycle % length : 0;
    qsort(w->sorted, w->settled_count, sizeof *w->sorted, by_phase);
    size_t phase = 0, found = 0; // the first of them
    for (size_t i = 0; i < w->settled_count; i++) {
        const struct phase_trigger *t = &w->sorted[i];
        if (t->visit != w->sorted[phase].visit || t->cycle != w->sorted[phase].cycle) phase = found = i;
        if (t->found != w->sorted[found].found) found = i;
        p.all += 2 * (double)(i - phase);
        p.alike += 2 * (double)(i - found);
    }
    return p;
}

static double pairs_within_visits(const struct phase_trigger *list, size_t count) {
    double pairs = 0;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].visit != list[first].visit) first = i;
        pairs += 2 * (double)(i - first);
    }
    return pairs;
}

// Without the first rounds of each visit, which wait for code and data, and find other instructions for that.
static size_t settled(const struct phase_trigger *list, size_t count, struct phase_trigger *out) {
    enum { FIRST = 4 }; // that part of them
    size_t used = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && list[end].visit == list[first].visit; end++) {
        }
        const size_t from = first + (end - first) / FIRST;
        memcpy(out + used, list + from, (end - from) * sizeof *out);
        used += end - from;
    }
    return used;
}

// Without their instructions: what can be done for each length.
static double same_phase(struct work *w, uint32_t length) {
    double pairs = 0;
    for (size_t first = 0, i; first < w->count; first = i) {
        for (i = first; i < w->count && w->list[i].visit == w->list[first].visit; i++)
            pairs += 2 * (double)w->counts[w->list[i].cycle % length]++;
        for (size_t k = first; k < i; k++)
            w->counts[w->list[k].cycle % length] = 0;
    }
    return pairs;
}

// By how much the phase says which instruction is found: 0 not at all, 1 wholly.
static double determined(const struct pairs *all, const struct pairs *phase) {
    const double usual = all->alike / all->all, here = phase->alike / phase->all;
    if (usual > NOTHING) return 1;
    return fmin(fmax((here - usual) / (1 - usual), 0), 1);
}

static uint32_t factor(uint32_t a, uint32_t b) {
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void try_length(struct work *w, uint32_t length, struct phases *best) {
    const double even = w->all / length, same = same_phase(w, length), count = (double)w->count;
    const double excess = (same - even) / (count * (1 - 1.0 / length)); // 1 and more: the design effect less one
    if (excess < 0.5 || same - even < 5 * sqrt(2 * even)) return;       // as by chance
    const struct pairs phase = pairs_of(w, length);
    const double by_phase = determined(&w->pairs, &phase), draws = count / (1 + by_phase * excess);
    if (by_phase >= LEAST && draws < best->draws) *best = (struct phases){length, draws};
}

bool phases_judge(const struct phase_trigger *list, size_t count, double shortest, double longest, bool *tried,
                  struct phases *result) {
    struct work w = {.list = list, .count = count};
    *result = (struct phases){0, (double)count};
    shortest = fmax(shortest, 2);
    unsigned most = PHASES_ROUNDS;
    while (most && (most * longest > PHASES_LONGEST || (longest - shortest) * most * (most + 1) / 2 > PHASES_LENGTHS))
        most--;
    *tried = most > 0;
    if (!*tried || count < 2) return true;
    w.counts = calloc(PHASES_LONGEST, sizeof *w.counts);
    w.sorted = malloc(count * sizeof *w.sorted);
    w.settled = malloc(count * sizeof *w.settled);
    const bool good = w.counts && w.sorted && w.settled;
    if (good) {
        w.settled_count = settled(list, count, w.settled);
        w.pairs = pairs_of(&w, 0);
        w.all = pairs_within_visits(list, count);
    }
    for (unsigned rounds = 1; good && w.pairs.all > 0 && rounds <= most; rounds++) {
        for (uint32_t l = (uint32_t)ceil(shortest * rounds); l <= longest * rounds; l++) {
            if (factor(l, rounds) == 1) try_length(&w, l, result); // else fewer rounds have been tried
        }
    }
    free(w.counts);
    free(w.settled);
    free(w.sorted);
    return good;
}
