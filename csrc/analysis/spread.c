// Sums over samples, from which times and their deviations follow: see spread.h.
#include "analysis/spread.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sums {
    double cx, ccx, ccxx; // over samples: c x, c^2 x, c^2 x^2
    uint64_t samples;
};

struct spread {
    size_t units;
    spread_unit *unit;
    void *context;
    double c, cc; // over all samples
    uint64_t samples;
    struct sums *sums; // [units + 1][SPREAD_COMPONENTS]; the last for all together
};

struct spread *spread_create(size_t units, spread_unit *unit, void *context) {
    struct spread *s = calloc(1, sizeof *s);
    if (s) s->sums = calloc((units + 1) * SPREAD_COMPONENTS, sizeof *s->sums);
    if (!s || !s->sums) {
        free(s);
        return NULL;
    }
    s->units = units;
    s->unit = unit;
    s->context = context;
    return s;
}

void spread_destroy(struct spread *s) {
    if (!s) return;
    free(s->sums);
    free(s);
}

// One sample's cycles by component: lanes of one unit add up before anything is squared.
enum { PARTS = (MAX_LANES + 1) * 2 * (2 + 16) };
struct shares {
    size_t count;
    struct share {
        size_t unit;
        unsigned component;
        double cycles;
    } list[PARTS];
};

static void add_share(struct shares *shares, size_t unit, unsigned component, double cycles) {
    for (size_t i = 0; i < shares->count; i++) {
        if (shares->list[i].unit != unit || shares->list[i].component != component) continue;
        shares->list[i].cycles += cycles;
        return;
    }
    shares->list[shares->count++] = (struct share){unit, component, cycles};
}

static void add_components(struct shares *shares, size_t unit, uint8_t state, uint16_t psv, double cycles) {
    add_share(shares, unit, SPREAD_TIME, cycles);
    if (state < STATE_COUNT) add_share(shares, unit, SPREAD_STATES + state, cycles);
    for (unsigned left = psv; left; left &= left - 1)
        add_share(shares, unit, SPREAD_EVENTS + (unsigned)__builtin_ctz(left), cycles);
}

static void add_part(const struct spread *s, struct shares *shares, struct place place, uint8_t state, uint16_t psv,
                     double cycles) {
    if (place.pc == SPREAD_LEFT_OUT) return;
    const size_t unit = s->unit(s->context, place);
    if (unit < s->units) add_components(shares, unit, state, psv, cycles);
    add_components(shares, s->units, state, psv, cycles);
}

// Whose a sample's cycles are: as booking_add_sample (analysis.h) has it.
static void add_parts(const struct spread *s, struct shares *shares, const struct samples_header *h,
                      const struct sample_record *r) {
    const struct sample *sample = &r->sample;
    const uint64_t context = h->contexts ? place_context(sample->priv, sample->space) : 0;
    const double cycles = (double)(r->cycles - r->stalled_cycles);
    if (r->stalled_cycles) {
        const struct place place = sample->valid & 1 ? (struct place){sample->addr[0], context} : PLACE_END;
        add_part(s, shares, place, STATE_STALLED, sample->psv[0], (double)r->stalled_cycles);
    }
    if (cycles == 0) return;
    const int lanes = __builtin_popcount(sample->valid);
    if (lanes == 0) add_part(s, shares, PLACE_END, sample->state, 0, cycles);
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (sample->valid >> lane & 1)
            add_part(s, shares, (struct place){sample->addr[lane], context}, sample->state, sample->psv[lane],
                     cycles / lanes);
    }
}

static void add_to(struct sums *sums, double c, double cycles) {
    sums->cx += cycles;
    sums->ccx += c * cycles;
    sums->ccxx += cycles * cycles;
    sums->samples++;
}

void spread_add(struct spread *s, const struct samples_header *header, const struct sample_record *record) {
    struct shares shares;
    const double c = (double)record->cycles;
    shares.count = 0;
    add_parts(s, &shares, header, record);
    s->c += c;
    s->cc += c * c;
    s->samples++;
    for (size_t i = 0; i < shares.count; i++) {
        const struct share *share = &shares.list[i];
        add_to(&s->sums[share->unit * SPREAD_COMPONENTS + share->component], c, share->cycles);
    }
}

// ---- all samples: where those of a kind go is looked up once ----
struct target {
    size_t sums;
    unsigned lanes; // of the sample's, which add up there
};
struct targets {
    struct target *list;
    size_t count, capacity;
    struct range {
        size_t first, count;
        double lanes; // of the sample; 0: not looked up yet
    } * kinds;
};

// As many cycles as lanes: so the share of each is its number of lanes.
static bool look_up(const struct spread *s, const struct samples_header *header, struct sample_record *record,
                    struct targets *t, struct range *range) {
    const int lanes = __builtin_popcount(record->sample.valid);
    struct shares shares;
    shares.count = 0;
    record->cycles = lanes ? (uint64_t)lanes : 1;
    add_parts(s, &shares, header, record);
    *range = (struct range){t->count, shares.count, (double)record->cycles};
    for (size_t i = 0; i < shares.count; i++) {
        const struct share *share = &shares.list[i];
        if (!array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list)) return false;
        t->list[t->count++] =
            (struct target){share->unit * SPREAD_COMPONENTS + share->component, (unsigned)share->cycles};
    }
    return true;
}

static void add_known(struct spread *s, const struct targets *t, const struct range *range, double c) {
    const double lane = c / range->lanes;
    s->c += c;
    s->cc += c * c;
    s->samples++;
    const struct target *target = t->list + range->first;
    for (size_t i = 0; i < range->count; i++, target++) {
        double cycles = lane; // the same sum as lane by lane
        for (unsigned k = 1; k < target->lanes; k++)
            cycles += lane;
        add_to(&s->sums[target->sums], c, cycles);
    }
}

bool spread_add_all(struct spread *s, const struct samples_header *header, const struct sample_store *samples) {
    struct targets t = {.kinds = calloc((size_t)sample_store_kinds(samples) + 1, sizeof *t.kinds)};
    struct sample_walk walk = sample_store_walk(samples);
    struct sample_times times;
    struct sample_record record = {0};
    bool good = t.kinds && array_reserve(&t.list, &t.capacity, 0, sizeof *t.list);
    while (good && sample_walk_next(&walk, &times)) {
        struct range *range = &t.kinds[times.kind];
        if (range->lanes == 0 || !times.cycles || times.stalled_cycles)
            sample_store_common(samples, times.kind, &record);
        if (!times.cycles || times.stalled_cycles || sample_store_kind(samples, times.kind)->count == 1) {
            record.cycles = times.cycles;
            record.stalled_cycles = times.stalled_cycles;
            spread_add(s, header, &record);
        } else if ((good = range->lanes > 0 || look_up(s, header, &record, &t, range))) {
            add_known(s, &t, range, (double)times.cycles);
        }
    }
    free(t.list);
    free(t.kinds);
    return good;
}

struct estimate spread_of(const struct spread *s, size_t unit, unsigned component) {
    const struct sums *sums = &s->sums[(unit == SPREAD_ALL ? s->units : unit) * SPREAD_COMPONENTS + component];
    struct estimate e = {.cycles = sums->cx, .samples = sums->samples};
    if (s->samples < 2 || s->c == 0) return e;
    const double n = (double)s->samples, p = sums->cx / s->c;
    const double variance = n / (n - 1) * (sums->ccxx - 2 * p * sums->ccx + p * p * s->cc);
    e.deviation = variance > 0 ? sqrt(variance) : 0; // below 0: rounding
    return e;
}

double spread_chance(double difference, double deviation) {
    if (difference == 0) return 1;
    return deviation > 0 ? erfc(fabs(difference) / deviation / sqrt(2)) : 0;
}

static double log_choose(double n, double k) {
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

// Of the `with` in both, this number would be in `a` by chance: hypergeometric. The tail is summed from what
// was seen outwards, where terms fall.
double spread_same_share(uint64_t a_with, uint64_t a, uint64_t b_with, uint64_t b) {
    const double n = (double)a, m = (double)b, with = (double)a_with + (double)b_with;
    const bool more = (double)a_with * (n + m) >= with * n;
    const double last = more ? fmin(n, with) : fmax(0, with - m);
    double k = (double)a_with;
    double term = exp(log_choose(with, k) + log_choose(n + m - with, n - k) - log_choose(n + m, n)), sum = term;
    for (; k != last && term > sum * 1e-16; sum += term) {
        if (more) {
            term *= (with - k) * (n - k) / ((k + 1) * (m - with + k + 1));
            k++;
        } else {
            term *= k * (m - with + k) / ((with - k + 1) * (n - k + 1));
            k--;
        }
    }
    return fmin(1, 2 * sum);
}

static int by_value(const void *x, const void *y) {
    const double *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

bool spread_beyond_chance(const double *chances, size_t count, double rate, bool *marked) {
    double *sorted = malloc((count + 1) * sizeof *sorted), limit = -1;
    size_t judged = 0;
    if (!sorted) return false;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(chances[i])) sorted[judged++] = chances[i];
    }
    qsort(sorted, judged, sizeof *sorted, by_value);
    for (size_t k = 0; k < judged; k++) {
        if (sorted[k] <= rate * (double)(k + 1) / (double)judged) limit = sorted[k];
    }
    for (size_t i = 0; i < count; i++)
        marked[i] = chances[i] <= limit; // false for NAN
    free(sorted);
    return true;
}
