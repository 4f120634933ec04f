// Sizes of the shares that samples give to components, and the sum over all components: see chance.h.
#include "analysis/chance.h"
#include <math.h>
#include <stdlib.h>

struct chance {
    const struct images *images;
    enum granularity g;
    uint16_t event_mask;
    uint32_t units;
    double draws, shares;                // triggers; components that they have
    struct profile_table *once, *square; // by component, over all draws: x in 1/U, x^2 in 1/U^2
};

struct component {
    struct place place;
    uint16_t psv;
    uint64_t share; // in 1/U of the sample
};

struct chance *chance_create(const struct images *images, enum granularity g, uint16_t event_mask) {
    struct chance *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = (struct chance){.images = images, .g = g, .event_mask = event_mask};
    c->once = profile_table_create();
    c->square = profile_table_create();
    if (c->once && c->square) return c;
    chance_destroy(c);
    return NULL;
}

void chance_destroy(struct chance *c) {
    if (!c) return;
    profile_table_destroy(c->once);
    profile_table_destroy(c->square);
    free(c);
}

// Lanes of one component add up.
static unsigned add_share(struct component *found, unsigned count, struct component one) {
    for (unsigned i = 0; i < count; i++) {
        if (!place_equal(found[i].place, one.place) || found[i].psv != one.psv) continue;
        found[i].share += one.share;
        return count;
    }
    found[count] = one;
    return count + 1;
}

static unsigned components_of(const struct chance *c, const struct sample *s, struct component found[MAX_LANES]) {
    const unsigned lanes = (unsigned)__builtin_popcount(s->valid);
    unsigned count = 0;
    if (lanes == 0) return add_share(found, 0, (struct component){PLACE_END, 0, c->units});
    for (unsigned left = s->valid; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct place place = {s->addr[lane], place_context(s->priv, s->space)};
        const uint16_t psv = s->psv[lane] & c->event_mask;
        count = add_share(found, count, (struct component){unit_of(c->images, c->g, place), psv, c->units / lanes});
    }
    return count;
}

bool chance_add(struct chance *c, uint32_t units, const struct sample *sample, uint64_t draws) {
    struct component found[MAX_LANES];
    c->units = units;
    const unsigned count = components_of(c, sample, found);
    c->draws += (double)draws;
    c->shares += (double)draws * count;
    for (unsigned i = 0; i < count; i++) {
        const struct component *f = &found[i];
        if (!profile_table_add(c->once, f->place, STATE_COUNT, f->psv, draws * f->share) ||
            !profile_table_add(c->square, f->place, STATE_COUNT, f->psv, draws * f->share * f->share))
            return false;
    }
    return true;
}

double chance_binomial(double draws, double probability) {
    if (probability <= 0 || probability >= 1) return 0;
    const double m = fmin(floor(draws * probability) + 1, draws);
    const double choose = lgamma(draws + 1) - lgamma(m + 1) - lgamma(draws - m + 1);
    return 2 * m * exp(choose + m * log(probability) + (draws - m + 1) * log1p(-probability));
}

// Size of the share that draws give to a component; *at goes through the rows, which are sorted as the components are.
struct sizes {
    const struct profile_row *once, *square;
    size_t count, at;
    double units, usual;
};

static double size_of(struct sizes *s, const struct profile_row *row) {
    while (s->at < s->count && profile_row_compare(&s->once[s->at], row) < 0)
        s->at++;
    if (s->at == s->count || profile_row_compare(&s->once[s->at], row) != 0) return s->usual;
    return (double)s->square[s->at].weight / (double)s->once[s->at].weight / s->units;
}

static void add_up(const struct profile_row *rows, size_t count, double total, struct sizes *sizes,
                   struct chance_estimate *e) {
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        const double part = (double)rows[i].weight / total, size = fmax(size_of(sizes, &rows[i]), part);
        const double deviation = size * chance_binomial(e->draws, part / size) / e->draws;
        e->error += deviation / 2;
        variance += fmax(part * (size - part) / e->draws - deviation * deviation, 0) / 4;
    }
    e->deviation = sqrt(variance);
}

bool chance_of(const struct chance *c, const struct profile_row *reference, size_t count,
               struct chance_estimate *result) {
    struct profile_table *t = booking_components(reference, count, c->images, c->g, c->event_mask);
    struct sizes sizes = {.units = c->units};
    size_t rows, squares;
    *result = (struct chance_estimate){.draws = c->draws};
    const struct profile_row *row = t ? profile_table_rows(t, &rows) : NULL;
    sizes.once = profile_table_rows(c->once, &sizes.count);
    sizes.square = profile_table_rows(c->square, &squares);
    const bool good = row && sizes.once && sizes.square;
    if (good) {
        const double all = (double)profile_table_total(c->once);
        sizes.usual = (double)profile_table_total(c->square) / all / sizes.units;
        add_up(row, rows, (double)profile_table_total(t), &sizes, result);
        result->deviation *= sqrt(c->shares / c->draws); // those that commit together deviate together
    }
    const bool nothing = t && (profile_table_total(t) == 0 || c->draws == 0);
    if (nothing) *result = (struct chance_estimate){0};
    profile_table_destroy(t);
    return good || nothing;
}
