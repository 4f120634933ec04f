// A record adds to its instruction's row what the worker inst-lifetimes adds of every instruction. A second table of
// the same rows keeps sums of squares, which deviations come from: of counts, of what a selection adds (a pair may add
// twice); of latencies, of what a record adds.
#include "methods/profileme/estimates.h"
#include "events.h"
#include <math.h>
#include <stdlib.h>

enum { LONGEST = 4095 }; // cycles that a latency register holds

struct profileme_estimates {
    struct profileme_summary summary;
    struct life_table *sums, *squares;
    const struct lifetime *rows;
    size_t count;
};

bool profileme_is_latency(enum lifetime_total total) {
    return (total >= TOTAL_DISPATCH && total <= TOTAL_OLDEST) || total == TOTAL_PROGRESS || total == TOTAL_USEFUL;
}

enum lifetime_total profileme_of(enum lifetime_total latency) {
    return latency == TOTAL_PROGRESS ? TOTAL_FETCHED : TOTAL_RETIRED;
}

// ---- a record ----
static bool saturates(const struct instruction_sample *s) {
    return s->total >= LONGEST || s->dispatch >= LONGEST || s->operands >= LONGEST || s->contention >= LONGEST ||
           s->execution >= LONGEST || s->retire_wait >= LONGEST || s->oldest >= LONGEST;
}

static void totals_of(const struct instruction_sample *s, uint64_t total[LIFETIME_TOTALS]) {
    for (unsigned i = 0; i < LIFETIME_TOTALS; i++)
        total[i] = 0;
    total[TOTAL_FETCHED] = 1;
    total[TOTAL_MAPPED] = s->dispatched;
    total[TOTAL_RETIRED + s->outcome] = 1;
    total[TOTAL_OWN] = s->own;
    for (unsigned e = 0; e < 16; e++)
        total[TOTAL_EVENT_DR_L1 + e] = s->events >> e & 1;
    for (unsigned c = 0; c < 9; c++)
        total[TOTAL_CONFLICT_ROB + c] = s->conflicts >> c & 1;
    total[TOTAL_PROGRESS] = (uint64_t)s->dispatch + s->operands + s->contention + s->execution;
    if (s->flushed) return;
    total[TOTAL_DISPATCH] = s->dispatch;
    total[TOTAL_OPERANDS] = s->operands;
    total[TOTAL_CONTENTION] = s->contention;
    total[TOTAL_EXECUTION] = s->execution;
    total[TOTAL_RETIRE_WAIT] = s->retire_wait;
    total[TOTAL_OLDEST] = s->oldest;
    total[TOTAL_TAKEN] = s->resolved && s->taken;
    total[TOTAL_MISPREDICTED] = s->mispredicted;
}

static struct place place_of(const struct instruction_sample *s) {
    return (struct place){s->pc, place_context(s->mode, s->space)};
}

// first: the other record of its pair, or NULL.
static bool add(struct profileme_estimates *e, const struct instruction_sample *s,
                const struct instruction_sample *first) {
    uint64_t now[LIFETIME_TOTALS], before[LIFETIME_TOTALS];
    struct lifetime *sums = life_table_row(e->sums, place_of(s)), *squares = life_table_row(e->squares, place_of(s));
    if (!sums || !squares) return false;
    const bool both = first && place_equal(place_of(s), place_of(first));
    totals_of(s, now);
    if (both) totals_of(first, before);
    for (unsigned i = 0; i < LIFETIME_TOTALS; i++) {
        sums->total[i] += now[i];
        squares->total[i] += now[i] * now[i];
        if (both && !profileme_is_latency((enum lifetime_total)i)) squares->total[i] += 2 * now[i] * before[i];
    }
    return true;
}

// ---- all of them ----
struct profileme_summary profileme_summarize(const struct instruction_sample *records, size_t count,
                                             const struct instruction_settings *settings) {
    struct profileme_summary sum = {0};
    for (size_t i = 0; i < count; i++) {
        sum.selections += !records[i].second;
        sum.empty += records[i].opportunity != 0;
        sum.records += records[i].opportunity == 0;
        sum.saturated += records[i].opportunity == 0 && saturates(&records[i]);
    }
    if (count) sum.collisions = records[count - 1].collisions - records[0].collisions;
    sum.interval = instruction_interval(settings);
    if (sum.selections) sum.interval *= 1 + (double)sum.collisions / (double)sum.selections;
    sum.scale = settings->pairs ? sum.interval / 2 : sum.interval;
    return sum;
}

struct profileme_estimates *profileme_estimates_create(const struct instruction_sample *records, size_t count,
                                                       const struct instruction_settings *settings, struct error *err) {
    struct profileme_estimates *e = calloc(1, sizeof *e);
    if (e) {
        e->summary = profileme_summarize(records, count, settings);
        e->sums = life_table_create();
        e->squares = life_table_create();
    }
    bool good = e && e->sums && e->squares;
    for (size_t i = 0; good && i < count; i++) {
        const bool paired = records[i].second && i > 0 && !records[i - 1].second && !records[i - 1].opportunity;
        if (!records[i].opportunity) good = add(e, &records[i], paired ? &records[i - 1] : NULL);
    }
    if (good) {
        e->rows = life_table_rows(e->sums, &e->count);
        return e;
    }
    profileme_estimates_destroy(e);
    error_nomem(err, "profileme");
    return NULL;
}

void profileme_estimates_destroy(struct profileme_estimates *e) {
    if (!e) return;
    life_table_destroy(e->sums);
    life_table_destroy(e->squares);
    free(e);
}

const struct profileme_summary *profileme_estimates_summary(const struct profileme_estimates *e) {
    return &e->summary;
}

const struct lifetime *profileme_estimates_rows(const struct profileme_estimates *e, size_t *count) {
    *count = e->count;
    return e->rows;
}

const struct lifetime *profileme_estimates_find(const struct profileme_estimates *e, struct place place) {
    return life_table_find(e->sums, place);
}

// ---- estimates ----
static double square_of(const struct profileme_estimates *e, const struct lifetime *row, enum lifetime_total total) {
    const struct lifetime *squares = life_table_find(e->squares, row->place);
    return squares ? (double)squares->total[total] : 0;
}

struct profileme_value profileme_count(const struct profileme_estimates *e, const struct lifetime *row,
                                       enum lifetime_total total) {
    return (struct profileme_value){e->summary.scale * (double)row->total[total],
                                    e->summary.scale * sqrt(square_of(e, row, total))};
}

static struct profileme_value mean_of(double sum, double squares, double n) {
    if (n < 1) return (struct profileme_value){0, INFINITY};
    const double mean = sum / n, spread = squares / n - mean * mean;
    return (struct profileme_value){mean, n < 2 ? INFINITY : sqrt((spread > 0 ? spread : 0) / (n - 1))};
}

struct profileme_value profileme_mean(const struct profileme_estimates *e, const struct lifetime *row,
                                      enum lifetime_total total) {
    const uint64_t n = row->total[profileme_of(total)];
    return mean_of((double)row->total[total], square_of(e, row, total), (double)n);
}

struct profileme_value profileme_part(const struct lifetime *row, enum lifetime_total total,
                                      enum lifetime_total whole) {
    return mean_of((double)row->total[total], (double)row->total[total], (double)row->total[whole]);
}
