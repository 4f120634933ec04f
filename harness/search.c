// A search is a region whose first edge is looked for.
#include "harness/search.h"
#include "trace/region.h"
#include <stdlib.h>

struct search {
    struct simulation_search *wanted;
    struct trace_region sought;
};

static void found(struct search *s, uint64_t cycle) {
    s->wanted->found = true;
    s->wanted->cycle = cycle;
}

static bool parse(struct search *s, bool samples, const struct image *image, struct error *err) {
    const char *at = s->wanted->at;
    s->sought.to.value = UINT64_MAX;
    if (position_parse(&s->sought.from, at, POSITIONS_ON_CORE, image, err) < 0) return false;
    const enum position_kind kind = s->sought.from.kind;
    if (kind == POSITION_CYCLE) found(s, s->sought.from.value);
    if ((kind != POSITION_SAMPLE && kind != POSITION_PLACE_SAMPLE) || samples) return true;
    error_set(err, "%s: names a sample, but the run takes none: also give --period", at);
    return false;
}

struct search *search_create(struct simulation_search *wanted, bool samples, const struct image *image,
                             struct error *err) {
    struct search *s = error_calloc(sizeof *s, "search", err);
    if (!s) return NULL;
    s->wanted = wanted;
    if (parse(s, samples, image, err)) return s;
    free(s);
    return NULL;
}

void search_destroy(struct search *s) {
    free(s);
}

bool search_found(const struct search *s) {
    return s->wanted->found;
}

bool search_watches(const struct search *s) {
    return trace_region_needs_commits(&s->sought);
}

bool search_cycle(struct search *s, uint64_t cycle, const struct commit_bundle *b) {
    trace_region_bundle(&s->sought, cycle, b);
    if (s->sought.from.kind == POSITION_CYCLE) found(s, s->sought.from.value);
    return s->wanted->found;
}

static bool names(const struct sample *sample, uint64_t address) {
    bool named = false;
    for (unsigned lanes = sample->valid; lanes && !named; lanes &= lanes - 1)
        named = sample->addr[__builtin_ctz(lanes)] == address;
    return named;
}

bool search_record(struct search *s, const struct sample_record *record) {
    struct position *p = &s->sought.from;
    const bool counts =
        p->kind == POSITION_SAMPLE || (p->kind == POSITION_PLACE_SAMPLE && names(&record->sample, p->value));
    if (s->wanted->found || !counts || --p->count) return false;
    found(s, record->cycle);
    return true;
}
