// The sample files of several harts of a run, as one.
#include "profile/result_merge.h"
#include "samples/read_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void samples_join_free(struct samples *s) {
    for (size_t i = 0; i < s->part_count; i++) {
        samples_destroy(s->parts[i].samples);
        sample_store_destroy(s->parts[i].store);
    }
    free(s->parts);
}

size_t samples_harts(const struct samples *s) {
    return s->part_count ? s->part_count : 1;
}

const struct results *samples_hart_results(const struct samples *s, uint32_t hart) {
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].hart == hart) return samples_results(s->parts[i].samples);
    return NULL;
}

// ---- the files ----
static bool keep(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct samples_part *part = context;
    (void)header;
    if (!sample_store_count(part->store)) part->hart = record->hart;
    part->mixed = part->mixed || part->hart != record->hart;
    return sample_store_add(part->store, record);
}

static bool check(const struct samples *s, const char *const *paths, size_t i, struct error *err) {
    const struct samples_part *part = &s->parts[i];
    const struct samples_header *a = samples_header(s->parts[0].samples), *b = samples_header(part->samples);
    if (strcmp(a->command, b->command) != 0 || !samples_same_builds(a, b) || a->sampling.period != b->sampling.period ||
        strcmp(a->tables, b->tables) != 0) {
        error_set(err, "%s: of another run than %s: name the files of the harts of one run", paths[i], paths[0]);
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        if (s->parts[k].hart != part->hart) continue;
        error_set(err, "%s: of hart %u, as a file before it: name one of each hart", paths[i], part->hart);
        return false;
    }
    return true;
}

static bool read_parts(struct samples *s, const char *const *paths, size_t count, struct error *err) {
    for (size_t i = 0; i < count; i++) {
        struct samples_part *part = &s->parts[s->part_count++];
        if (!(part->store = sample_store_create())) {
            error_nomem(err, paths[i]);
            return false;
        }
        if (!(part->samples = samples_read(paths[i], keep, part, err))) return false;
        part->hart = samples_hart(part->samples);
        if (part->mixed || part->hart >= SAMPLES_HARTS) {
            error_set(err,
                      part->mixed ? "%s: has samples of hart %u and of others: run again"
                                  : "%s: of hart %u, which no run has: run again",
                      paths[i], part->hart);
            return false;
        }
        if (!check(s, paths, i, err)) return false;
    }
    return true;
}

// ---- what they have ----
static void join_header(struct samples *s) {
    struct samples_header *all = &s->header;
    *all = *samples_header(s->parts[0].samples);
    s->state = SAMPLES_COMPLETE;
    for (size_t i = 0; i < s->part_count; i++) {
        const struct samples *part = s->parts[i].samples;
        const struct samples_header *h = samples_header(part);
        const size_t used = strlen(all->config);
        if (i && strcmp(h->config, samples_header(s->parts[i - 1].samples)->config) != 0)
            snprintf(all->config + used, sizeof all->config - used, ", %s", h->config);
        if (h->width > all->width) all->width = h->width;
        if (h->units > all->units) all->units = h->units;
        if (part->last_cycle > s->last_cycle) s->last_cycle = part->last_cycle;
        if (part->state > s->state) s->state = part->state;
        if (part->fault.text[0] && !s->fault.text[0]) s->fault = part->fault;
        s->count += part->count;
    }
}

// Units of a configuration are the least common multiple of the numbers up to its width: of a wider one's a divisor.
static bool join_units(struct samples *s, const char *const *paths, struct error *err) {
    for (size_t i = 0; i < s->part_count; i++) {
        const struct samples *part = s->parts[i].samples;
        uint64_t units;
        if (s->header.units % part->header.units == 0 &&
            !__builtin_mul_overflow(part->units, s->header.units / part->header.units, &units) &&
            !__builtin_add_overflow(s->units, units, &s->units))
            continue;
        error_set(err, "%s: its time does not add up with that of %s: run again", paths[i], paths[0]);
        return false;
    }
    return true;
}

static uint32_t stack_of(const struct samples_part *part, uint32_t stack) {
    if (stack <= STACK_LOST) return stack;
    return stack < part->samples->stacks.count ? stack + part->stacks : STACK_UNKNOWN;
}

static bool join_stacks(struct samples *s) {
    uint64_t count = STACK_LOST + 1;
    for (size_t i = 0; i < s->part_count; i++) {
        const uint32_t own = s->parts[i].samples->stacks.count;
        s->parts[i].stacks = (uint32_t)(count - (STACK_LOST + 1));
        count += own > STACK_LOST ? own - (STACK_LOST + 1) : 0;
    }
    if (count == STACK_LOST + 1) return true;
    if (count > UINT32_MAX || !(s->stacks.nodes = calloc(count, sizeof *s->stacks.nodes))) return false;
    s->stacks.count = (uint32_t)count;
    for (size_t i = 0; i < s->part_count; i++) {
        const struct samples_part *part = &s->parts[i];
        const struct read_stacks *own = &part->samples->stacks;
        for (uint32_t k = STACK_LOST + 1; k < own->count; k++) {
            struct stack_node node = own->nodes[k];
            node.parent = stack_of(part, node.parent);
            node.context = place_on_hart(node.context, part->hart);
            s->stacks.nodes[k + part->stacks] = node;
        }
    }
    return true;
}

// Of the profilers that all have.
static bool join_profile(struct samples *s, const struct samples_profile *first, struct samples_profile *all) {
    size_t count = 0;
    uint64_t total = 0;
    *all = (struct samples_profile){.profiler = strdup(first->profiler), .events = first->events};
    for (size_t i = 0; i < s->part_count; i++)
        count += samples_find_profile(s->parts[i].samples, first->profiler)->count;
    struct profile_row *rows = malloc((count + 1) * sizeof *rows);
    all->rows = rows;
    for (size_t i = 0; rows && i < s->part_count; i++) {
        const struct samples_part *part = &s->parts[i];
        const struct samples_profile *own = samples_find_profile(part->samples, first->profiler);
        for (size_t k = 0; k < own->count; k++) {
            struct profile_row row = own->rows[k];
            if (row.pc != PROFILE_PC_END) row.context = place_on_hart(row.context, part->hart);
            row.stack = stack_of(part, row.stack);
            if (__builtin_mul_overflow(row.weight, s->header.units / part->samples->header.units, &row.weight) ||
                __builtin_add_overflow(total, row.weight, &total))
                return false;
            rows[all->count++] = row;
        }
    }
    if (rows && all->count) qsort(rows, all->count, sizeof *rows, profile_row_compare);
    return rows && all->profiler;
}

static bool join_profiles(struct samples *s) {
    const struct samples *first = s->parts[0].samples;
    s->profiles.list = calloc(samples_profile_count(first) + 1, sizeof *s->profiles.list);
    for (size_t i = 0; s->profiles.list && i < samples_profile_count(first); i++) {
        const struct samples_profile *own = samples_profile(first, i);
        bool all = true;
        for (size_t k = 1; k < s->part_count; k++)
            all = all && samples_find_profile(s->parts[k].samples, own->profiler);
        if (all && !join_profile(s, own, &s->profiles.list[s->profiles.count++])) return false;
    }
    return s->profiles.list != NULL;
}

static bool join_results(struct samples *s, struct error *err) {
    if (!(s->results.rows = results_create())) return error_nomem(err, NULL) == 0;
    for (size_t i = 0; i < s->part_count; i++)
        if (!results_merge(s->results.rows, samples_results(s->parts[i].samples), err)) return false;
    return true;
}

// ---- samples, by time ----
struct merge {
    struct sample_walk walk;
    struct sample_times next;
    bool left;
};

static void record_of(const struct samples_part *part, const struct sample_times *t, struct sample_record *r) {
    sample_store_record(part->store, t, r);
    r->sample.space |= (uint64_t)part->hart << PLACE_SPACE_BITS;
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        r->stack[lane] = stack_of(part, r->stack[lane]);
}

static bool give(struct samples *s, samples_take *take, void *context) {
    struct merge *m = calloc(s->part_count, sizeof *m);
    bool good = m != NULL;
    for (size_t i = 0; m && i < s->part_count; i++) {
        m[i].walk = sample_store_walk(s->parts[i].store);
        m[i].left = sample_walk_next(&m[i].walk, &m[i].next);
    }
    while (good) {
        size_t first = s->part_count;
        for (size_t i = 0; i < s->part_count; i++)
            if (m[i].left && (first == s->part_count || m[i].next.cycle < m[first].next.cycle)) first = i;
        if (first == s->part_count) break;
        struct sample_record record;
        record_of(&s->parts[first], &m[first].next, &record);
        good = take(context, &s->header, &record);
        m[first].left = sample_walk_next(&m[first].walk, &m[first].next);
    }
    free(m);
    return good;
}

struct samples *samples_read_harts(const char *const *paths, size_t count, samples_take *take, void *context,
                                   struct error *err) {
    struct samples *s = calloc(1, sizeof *s);
    if (!s || !(s->parts = calloc(count, sizeof *s->parts))) {
        free(s);
        error_nomem(err, paths[0]);
        return NULL;
    }
    bool good = read_parts(s, paths, count, err);
    if (good) join_header(s);
    good = good && join_units(s, paths, err) && join_results(s, err);
    if (good && !(join_stacks(s) && join_profiles(s) && give(s, take, context))) {
        error_nomem(err, paths[0]);
        good = false;
    }
    if (good) return s;
    samples_destroy(s);
    return NULL;
}
