// A point for each instruction that had the property at all.
#include "methods/profileme/convergence.h"
#include <math.h>
#include <stdlib.h>

bool profileme_converge(const struct profileme_estimates *e, const struct lifetime *exact, size_t count,
                        enum lifetime_total total, struct profileme_convergence *c, struct error *err) {
    *c = (struct profileme_convergence){.points = calloc(count + 1, sizeof *c->points)};
    if (!c->points) {
        error_nomem(err, "profileme");
        return false;
    }
    const bool latency = profileme_is_latency(total);
    for (size_t i = 0; i < count; i++) {
        if (!exact[i].total[total]) continue;
        const struct lifetime *row = profileme_estimates_find(e, exact[i].place);
        struct profileme_point p = {.place = exact[i].place, .exact = exact[i].total[total]};
        if (row) {
            p.records = row->total[TOTAL_FETCHED];
            const struct profileme_value value = profileme_count(e, row, total);
            p.k = row->total[latency ? profileme_of(total) : total];
            p.estimate = value.value;
            p.bound = latency ? value.deviation / value.value : 1 / sqrt((double)p.k);
        }
        p.ratio = p.estimate / (double)p.exact;
        p.inside = p.k && fabs(p.ratio - 1) <= p.bound;
        c->sampled += p.k > 0;
        c->inside += p.inside;
        c->steady += p.k >= PROFILEME_STEADY;
        c->steady_inside += p.k >= PROFILEME_STEADY && p.inside;
        c->points[c->count++] = p;
    }
    return true;
}
