// A profile against the reference: walks the two sorted lists of units in step.
#include "analysis/analysis.h"
#include <string.h>

static int compare(const struct profile_row *a, const struct profile_row *b) {
    if (a->pc != b->pc) return a->pc < b->pc ? -1 : 1;
    if (a->context != b->context) return a->context < b->context ? -1 : 1;
    return a->psv < b->psv ? -1 : a->psv > b->psv;
}

static uint64_t common_time(const struct profile_row *a, size_t na, const struct profile_row *b, size_t nb) {
    uint64_t sum = 0;
    for (size_t i = 0, j = 0; i < na && j < nb;) {
        int order = compare(&a[i], &b[j]);
        if (order == 0) sum += a[i].weight < b[j].weight ? a[i].weight : b[j].weight;
        i += order <= 0;
        j += order >= 0;
    }
    return sum;
}

bool error_compute(const struct profile_row *profile, size_t profile_count, const struct profile_row *reference,
                   size_t reference_count, const struct images *images, enum granularity g, uint16_t event_mask,
                   struct profile_error *result) {
    struct profile_table *c = booking_components(profile, profile_count, images, g, event_mask);
    struct profile_table *r = booking_components(reference, reference_count, images, g, event_mask);
    bool good = c && r;
    if (good) {
        size_t nc, nr;
        const struct profile_row *rows = profile_table_rows(c, &nc), *reference_rows = profile_table_rows(r, &nr);
        result->total = profile_table_total(r);
        result->booked = profile_table_total(c);
        result->correct = rows && reference_rows ? common_time(rows, nc, reference_rows, nr) : 0;
        result->error = result->total ? (double)(result->total - result->correct) / (double)result->total : 0;
        good = (rows || result->booked == 0) && (reference_rows || result->total == 0); // else no memory
    }
    profile_table_destroy(c);
    profile_table_destroy(r);
    return good;
}
