// Each pair is looked at twice, from its first instruction and from its second: samples of what is fetched up to W
// instructions behind and before it. Looks are sorted by instruction and summed up.
#include "methods/profileme/pairs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- overlap: cycles are counted from the fetch of `self` ----
static int64_t fetch_to_issue(const struct instruction_sample *s) {
    return (int64_t)s->dispatch + s->operands + s->contention;
}
static int64_t fetch_to_ready(const struct instruction_sample *s) { // to retire, or to its end
    return fetch_to_issue(s) + s->execution;
}
static bool issues_between(const struct profileme_pair *p, int64_t begin, int64_t end) {
    const int64_t issue = p->apart + fetch_to_issue(p->other);
    return p->other->issued && issue >= begin && issue < end;
}

static bool useful(const struct profileme_pair *p) {
    return !p->other->flushed && issues_between(p, 0, fetch_to_ready(p->self));
}
static bool useless(const struct profileme_pair *p) {
    return p->other->flushed && issues_between(p, 0, fetch_to_ready(p->self));
}
static bool waiting(const struct profileme_pair *p) {
    return p->self->dispatched && !p->other->flushed && issues_between(p, p->self->dispatch, fetch_to_issue(p->self));
}
static bool executing(const struct profileme_pair *p) {
    const int64_t begin = p->apart + fetch_to_issue(p->other);
    if (!p->self->issued || !p->other->issued || p->other->flushed) return false;
    return begin < fetch_to_ready(p->self) && fetch_to_issue(p->self) < begin + p->other->execution;
}
static bool retiring(const struct profileme_pair *p) {
    const int64_t retire = p->apart + p->other->total;
    return !p->other->flushed && retire >= 0 && retire < p->self->total;
}
static bool near(const struct profileme_pair *p) {
    const int64_t between = p->apart + p->other->total - p->self->total;
    return !p->self->flushed && !p->other->flushed && between <= (int64_t)p->near && -between <= (int64_t)p->near;
}

static const struct profileme_overlap overlaps[] = {
    {"useful", "issues while it is in progress, from fetch to retire ready, and retires", useful},
    {"useless", "issues while it is in progress, and never retires", useless},
    {"waiting", "issues while it waits in the issue queue, and retires", waiting},
    {"executing", "executes in a cycle in which it executes, and retires", executing},
    {"retiring", "retires while it is in flight, from fetch to its end", retiring},
    {"near", "retires within --near cycles of its retirement", near},
};

size_t profileme_overlap_count(void) {
    return sizeof overlaps / sizeof *overlaps;
}
const struct profileme_overlap *profileme_overlap(size_t i) {
    return &overlaps[i];
}
const struct profileme_overlap *profileme_overlap_find(const char *name) {
    for (size_t i = 0; i < profileme_overlap_count(); i++)
        if (strcmp(overlaps[i].name, name) == 0) return &overlaps[i];
    return NULL;
}

// ---- sums ----
struct look { // at a pair, from one of its instructions
    struct place place;
    size_t pair;
    uint64_t progress;
    bool first, retired, overlaps, near;
};
struct profileme_pairs {
    struct profileme_pairs_row *rows;
    size_t count;
    double interval, window; // S, W
    struct profileme_pairs_settings settings;
};

static struct look look_at(const struct profileme_pairs_settings *s, const struct instruction_sample *self,
                           const struct instruction_sample *other, size_t number) {
    const struct profileme_pair pair = {self, other, (int64_t)(other->cycle - self->cycle), s->near};
    return (struct look){.place = {self->pc, place_context(self->mode, self->space)},
                         .pair = number,
                         .progress = (uint64_t)fetch_to_ready(self),
                         .first = !self->second,
                         .retired = !self->flushed,
                         .overlaps = !other->opportunity && s->overlap->overlaps(&pair),
                         .near = !other->opportunity && near(&pair)};
}

static int context_order(struct place a, struct place b) {
    if (a.context != b.context) return a.context < b.context ? -1 : 1;
    return (a.pc > b.pc) - (a.pc < b.pc);
}

static int by_place(const void *x, const void *y) {
    const struct look *a = x, *b = y;
    const int order = context_order(a->place, b->place);
    if (order) return order;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static double wasted_by(const struct profileme_pairs *p, uint64_t progress, uint64_t overlapping) {
    return (double)progress * p->settings.slots * p->interval / 2 - (double)overlapping * p->window * p->interval;
}

static void sum_up(struct profileme_pairs *p, const struct look *looks, size_t n) {
    double pending = 0; // what one pair adds: both of its looks, if both belong to this instruction
    for (size_t i = 0; i < n; i++) {
        const struct look *l = &looks[i];
        if (i == 0 || context_order(l->place, looks[i - 1].place))
            p->rows[p->count++] = (struct profileme_pairs_row){.place = l->place};
        struct profileme_pairs_row *row = &p->rows[p->count - 1];
        row->firsts += l->first;
        row->seconds += !l->first;
        row->after += l->first && l->overlaps;
        row->before += !l->first && l->overlaps;
        row->progress += l->progress;
        row->retired += l->retired;
        row->near += l->near;
        pending += wasted_by(p, l->progress, l->overlaps);
        if (i + 1 < n && by_place(l, &looks[i + 1]) == 0) continue;
        row->squares += pending * pending;
        pending = 0;
    }
}

struct profileme_pairs *profileme_pairs_create(const struct instruction_sample *records, size_t count,
                                               const struct instruction_settings *settings,
                                               const struct profileme_pairs_settings *pairs, struct error *err) {
    if (!settings->pairs) {
        error_set(err, "the records are no pairs: run again with --profileme INTERVAL,pairs=64");
        return NULL;
    }
    struct profileme_pairs *p = calloc(1, sizeof *p);
    struct look *looks = calloc(count + 1, sizeof *looks);
    if (p) p->rows = calloc(count + 1, sizeof *p->rows);
    if (!p || !looks || !p->rows) {
        free(looks);
        profileme_pairs_destroy(p);
        error_nomem(err, "profileme");
        return NULL;
    }
    p->settings = *pairs;
    p->interval = profileme_summarize(records, count, settings).interval;
    p->window = (double)(UINT64_C(1) << settings->window);
    size_t n = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        const struct instruction_sample *first = &records[i], *second = &records[i + 1];
        if (first->second || !second->second) continue; // a file that ends within a pair
        if (!first->opportunity) looks[n++] = look_at(pairs, first, second, i);
        if (!second->opportunity) looks[n++] = look_at(pairs, second, first, i);
    }
    if (n) qsort(looks, n, sizeof *looks, by_place);
    sum_up(p, looks, n);
    free(looks);
    return p;
}

void profileme_pairs_destroy(struct profileme_pairs *p) {
    if (!p) return;
    free(p->rows);
    free(p);
}

const struct profileme_pairs_row *profileme_pairs_rows(const struct profileme_pairs *p, size_t *count) {
    *count = p->count;
    return p->rows;
}

static int row_order(const void *key, const void *row) {
    return context_order(*(const struct place *)key, ((const struct profileme_pairs_row *)row)->place);
}

const struct profileme_pairs_row *profileme_pairs_find(const struct profileme_pairs *p, struct place place) {
    return bsearch(&place, p->rows, p->count, sizeof *p->rows, row_order);
}

double profileme_pairs_interval(const struct profileme_pairs *p) {
    return p->interval;
}

double profileme_overlapping(const struct profileme_pairs *p, const struct profileme_pairs_row *row) {
    return (double)(row->before + row->after) * p->window * p->interval;
}

double profileme_latency(const struct profileme_pairs *p, const struct profileme_pairs_row *row) {
    return (double)row->progress * p->interval / 2;
}

struct profileme_value profileme_wasted(const struct profileme_pairs *p, const struct profileme_pairs_row *row) {
    return (struct profileme_value){wasted_by(p, row->progress, row->before + row->after), sqrt(row->squares)};
}

double profileme_ipc(const struct profileme_pairs *p, const struct profileme_pairs_row *row) {
    if (!row->retired) return 0;
    // near W S pairs' worth of neighbours of retired S / 2 executions
    return (1 + 2 * (double)row->near * p->window / (double)row->retired) / (2.0 * p->settings.near + 1);
}
