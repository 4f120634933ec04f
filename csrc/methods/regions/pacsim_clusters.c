// The nearest of two queues of vectors: pacsim_clusters.h.
#include "methods/regions/pacsim_clusters.h"
#include "base/array.h"
#include "methods/regions/points.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void pacsim_clusters_begin(struct pacsim_clusters *c, size_t dims, double threshold) {
    *c = (struct pacsim_clusters){.dims = dims, .threshold = threshold};
}

void pacsim_clusters_free(struct pacsim_clusters *c) {
    for (unsigned i = 0; i < 2; i++) {
        free(c->queues[i].at);
        free(c->queues[i].cluster);
        free(c->queues[i].from_first);
    }
}

static double distance(const double *a, const double *b, size_t dims) {
    return sqrt(points_distance2(a, b, dims));
}

// The cluster of the nearest one below the threshold; the earliest where several are as near.
static size_t nearest(const struct pacsim_clusters *c, const struct pacsim_queue *q, const double *vector) {
    double least = c->threshold;
    size_t found = PACSIM_NONE;
    const double first = q->count ? distance(q->at, vector, c->dims) : 0;
    for (size_t i = 0; i < q->count; i++) {
        // No side of a triangle is shorter than the difference of the others; rounding may not decide.
        if (fabs(first - q->from_first[i]) > least + 1e-9) continue;
        const double d = distance(q->at + i * c->dims, vector, c->dims);
        if (d >= least) continue;
        least = d;
        found = q->cluster[i];
    }
    return found;
}

static bool enqueue(struct pacsim_clusters *c, struct pacsim_queue *q, const double *vector) {
    if (!array_reserve_all(&q->at, &q->at_capacity, (q->count + 1) * c->dims, sizeof *q->at) ||
        !array_reserve(&q->cluster, &q->cluster_capacity, q->count, sizeof *q->cluster) ||
        !array_reserve(&q->from_first, &q->from_first_capacity, q->count, sizeof *q->from_first))
        return false;
    memcpy(q->at + q->count * c->dims, vector, c->dims * sizeof *vector);
    q->from_first[q->count] = distance(q->at, vector, c->dims);
    q->cluster[q->count++] = c->count++;
    return true;
}

size_t pacsim_clusters_add(struct pacsim_clusters *c, const double *vector, bool detailed, struct error *err) {
    size_t found = nearest(c, &c->queues[0], vector);
    if (found == PACSIM_NONE) found = nearest(c, &c->queues[1], vector);
    if (found != PACSIM_NONE) return found;
    if (enqueue(c, &c->queues[detailed ? 0 : 1], vector)) return c->count - 1;
    error_nomem(err, "clusters of regions");
    return PACSIM_NONE;
}
