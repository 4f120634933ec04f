// What chance alone would make of the errors of a file, by every set of events and granularity that an error is
// computed of.
#include "report/errors.h"
#include "report/run.h"
#include <errno.h>
#include <stdlib.h>

struct wanted {
    uint16_t events;
    enum granularity g;
    struct chance *chance;
    struct chance_estimate found;
};

struct reading {
    struct wanted *list;
    size_t count;
};

static struct wanted *find(const struct reading *r, uint16_t events, enum granularity g) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->list[i].events == events && r->list[i].g == g) return &r->list[i];
    }
    return NULL;
}

static bool want(struct reading *r, const struct run *d, uint16_t events) {
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        if (!report_error_known(d, (enum granularity)g) || find(r, events, (enum granularity)g)) continue;
        struct chance *chance = chance_create(d->images, (enum granularity)g, events);
        if (!chance) return false;
        r->list[r->count++] = (struct wanted){.events = events, .g = (enum granularity)g, .chance = chance};
    }
    return true;
}

static bool add_all(const struct run *d, struct reading *r) {
    for (uint32_t i = 0; i < sample_store_kinds(d->store); i++) {
        const uint64_t draws = sample_store_kind(d->store, i)->periods;
        struct sample_record common;
        sample_store_common(d->store, i, &common);
        for (size_t k = 0; k < r->count; k++) {
            if (!chance_add(r->list[k].chance, d->header->units, &common.sample, draws)) return false;
        }
    }
    return true;
}

static int estimate(const struct run *d, struct reading *r, struct error *err) {
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    bool good = add_all(d, r);
    for (size_t i = 0; good && i < r->count; i++)
        good = chance_of(r->list[i].chance, oracle->rows, oracle->count, &r->list[i].found);
    return good ? 0 : report_out_of_memory(d->path, err);
}

int report_add_chance(const struct run *d, struct report_error *errors, size_t count, struct error *err) {
    struct reading r = {calloc((count + 1) * GRANULARITY_COUNT, sizeof *r.list), 0};
    bool good = r.list && want(&r, d, 0);
    for (size_t i = 0; i < count; i++)
        good = good && (!errors[i].has_stacks || want(&r, d, errors[i].events));
    int result = good ? estimate(d, &r, err) : report_out_of_memory(d->path, err);
    for (size_t i = 0; result == 0 && i < count; i++) {
        for (int g = 0; g < GRANULARITY_COUNT; g++) {
            if (!report_error_known(d, (enum granularity)g)) continue;
            errors[i].chance[g] = find(&r, 0, (enum granularity)g)->found;
            if (errors[i].has_stacks)
                errors[i].chance_of_stacks[g] = find(&r, errors[i].events, (enum granularity)g)->found;
        }
    }
    for (size_t i = 0; i < r.count; i++)
        chance_destroy(r.list[i].chance);
    free(r.list);
    return result;
}
