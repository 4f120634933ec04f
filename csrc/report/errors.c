// The error of each profile in a file against the Oracle's.
#include "report/errors.h"
#include <stdlib.h>
#include <string.h>

// A core without the fields that a profiler reads (fetch, dispatch) gives it no instruction, ever. Of a few samples of
// a short run that may be chance.
static bool finds_nothing(const struct run *d, const struct profile_row *rows, size_t count) {
    enum { FEW = 16 };
    for (size_t i = 0; i < count; i++) {
        if (rows[i].pc != PROFILE_PC_END) return false;
    }
    return count > 0 && d->sample_count >= FEW;
}

static bool add_error(const struct run *d, const char *profiler, uint16_t mask, const struct profile_row *rows,
                      size_t count, struct report_error *e) {
    const struct samples_profile *oracle = samples_find_profile(d->samples, "Oracle");
    bool good = true;
    e->profiler = profiler;
    e->hidden = finds_nothing(d, rows, count);
    e->has_stacks = mask != 0 && d->header->vectors != SAMPLES_VECTORS_NONE;
    e->events = mask;
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        good = good &&
               error_compute(rows, count, oracle->rows, oracle->count, d->images, (enum granularity)g, 0, &e->by[g]);
        if (e->has_stacks)
            good = good && error_compute(rows, count, oracle->rows, oracle->count, d->images, (enum granularity)g, mask,
                                         &e->stacks[g]);
    }
    return good;
}

bool report_error_known(const struct run *d, enum granularity g) {
    return d->readable || g == BY_INSTRUCTION || g == BY_APPLICATION;
}

// The samples as the profile of the unit that took them.
static bool add_samples_errors(const struct run *d, struct report_error *errors, size_t *count) {
    bool good = add_error(d, "TIP", 0, d->sampled, d->sampled_count, &errors[(*count)++]);
    if (!good || d->header->vectors != SAMPLES_VECTORS_COMMIT) return good;
    return add_error(d, "TEA", (uint16_t)((1u << d->header->event_count) - 1), d->sampled, d->sampled_count,
                     &errors[(*count)++]);
}

bool report_pool_error(const struct run *d, enum pool_kind kind, struct report_error *e, struct error *err) {
    struct profile_table *pooled = report_pool(d, kind, err);
    size_t count;
    if (!pooled) return false;
    const struct profile_row *rows = profile_table_rows(pooled, &count);
    const bool good =
        add_error(d, report_pool_names[kind], 0, rows, count, e) || report_out_of_memory(d->path, err) == 0;
    profile_table_destroy(pooled);
    return good;
}

struct report_error *report_errors(const struct run *d, size_t *count) {
    const size_t profiles = samples_profile_count(d->samples);
    *count = 0;
    if (filter_is_set(&d->filter)) return NULL; // the Oracle's profile holds the whole run
    if (!samples_find_profile(d->samples, "Oracle")) return NULL;
    struct report_error *errors = calloc(profiles + 2, sizeof *errors);
    bool good = errors && (d->sample_count == 0 || add_samples_errors(d, errors, count));
    for (size_t i = 0; good && i < profiles; i++) {
        const struct samples_profile *p = samples_profile(d->samples, i);
        if (strcmp(p->profiler, "Oracle") == 0) continue;
        good = add_error(d, report_profile_label(d, p), p->events, p->rows, p->count, &errors[(*count)++]);
    }
    if (good && *count) return errors;
    free(errors);
    *count = !good;
    return NULL;
}
