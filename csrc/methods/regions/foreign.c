// The run is cut at each edge of a region: foreign.h.
#include "methods/regions/foreign.h"
#include "base/array.h"
#include "methods/regions/markers.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct edge {
    struct regions_marker at;
    size_t region;
    bool end;
};

struct placing {
    const struct foreign_regions *list;
    struct regions_file *file;
    struct regions_run *run;
    struct iss *iss;
    struct error *err;
    struct markers markers;
    struct edge *edges; // by pc and count
    size_t edge_count, *next, capacity;
    size_t *first, *last; // of each region: slices before its begin, and before its end; SIZE_MAX: not met
    uint64_t begin;       // steps before the slice that goes on
    int rc;
};

static int refuse(struct placing *p, size_t region, const char *what) {
    error_set(p->err, "region %zu: %s", p->list->at[region].number, what);
    return -EINVAL;
}

// ---- slices ----
static bool add_slice(struct placing *p, uint64_t begin, uint64_t steps, uint64_t instructions) {
    struct regions_file *const f = p->file;
    if (!array_reserve(&f->slices, &p->capacity, f->slice_count, sizeof *f->slices)) return false;
    f->slices[f->slice_count++] = (struct regions_slices){begin, steps, instructions, instructions, REGIONS_NO_CLUSTER};
    f->steps += steps;
    f->instructions += instructions;
    f->counted += instructions;
    return true;
}

static void seen(void *context, size_t number, uint64_t instructions) {
    (void)number;
    *(uint64_t *)context += instructions;
}

static void cut(struct placing *p, uint64_t steps) {
    uint64_t instructions = 0;
    iss_flow_take(p->iss, seen, &instructions);
    if (instructions && !add_slice(p, p->begin, steps - p->begin, instructions))
        p->rc = error_nomem(p->err, "slices of a run");
    if (instructions) p->begin = steps;
}

// ---- markers ----
static int by_place(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    if (x->at.pc != y->at.pc) return x->at.pc < y->at.pc ? -1 : 1;
    return (x->at.count > y->at.count) - (x->at.count < y->at.count);
}

static bool met(void *context, struct markers *m, const struct markers_event *event) {
    struct placing *p = context;
    const struct marker *const marker = &m->at[event->marker];
    size_t *const next = &p->next[event->marker];
    bool is_cut = false;
    for (; *next < p->edge_count && p->edges[*next].at.pc == marker->pc && p->edges[*next].at.count == marker->count;
         ++*next) {
        const struct edge *const e = &p->edges[*next];
        if (!is_cut) cut(p, event->steps);
        is_cut = true;
        (e->end ? p->last : p->first)[e->region] = p->file->slice_count;
    }
    return p->rc;
}

static bool list_edges(struct placing *p) {
    for (size_t i = 0; i < p->list->count; i++) {
        const struct foreign_region *const r = &p->list->at[i];
        p->edges[p->edge_count++] = (struct edge){r->start, i, false};
        if (r->end.pc) p->edges[p->edge_count++] = (struct edge){r->end, i, true};
        p->first[i] = p->last[i] = SIZE_MAX;
    }
    qsort(p->edges, p->edge_count, sizeof *p->edges, by_place);
    for (size_t i = 0; i < p->edge_count; i++)
        if ((i == 0 || p->edges[i - 1].at.pc != p->edges[i].at.pc) &&
            !markers_add(&p->markers, p->edges[i].at.pc, MARKER_LOOP, 0, 0, p->err))
            return false;
    for (size_t i = 0, marker = 0; i < p->edge_count; i++)
        if (i == 0 || p->edges[i - 1].at.pc != p->edges[i].at.pc) p->next[marker++] = i;
    return true;
}

static int run_markers(struct placing *p) {
    struct markers_watch watch = {.markers = &p->markers, .met = met, .context = p};
    if (!list_edges(p) || !markers_watch(&watch, p->iss, p->err)) return -ENOMEM;
    const uint64_t steps = regions_run_through(p->run, p->iss, &p->rc);
    if (!p->rc) cut(p, steps);
    if (!p->rc && !iss_flow_whole(p->iss)) p->rc = error_nomem(p->err, "slices of a run");
    for (size_t i = 0; i < p->list->count; i++)
        if (!p->list->at[i].end.pc) p->last[i] = p->file->slice_count;
    return p->rc;
}

// ---- intervals ----
static bool take(void *context, struct iss *iss, const struct regions_slice *slice, struct error *err) {
    struct placing *p = context;
    (void)iss;
    if (add_slice(p, slice->begin, slice->steps, slice->instructions)) return true;
    error_nomem(err, "slices of a run");
    return false;
}

static int run_intervals(struct placing *p) {
    const int rc = regions_run(p->run, p->iss, take, p, p->err);
    for (size_t i = 0; !rc && i < p->list->count; i++) {
        const uint64_t interval = p->list->at[i].interval;
        p->first[i] = interval < p->file->slice_count ? interval : SIZE_MAX;
        p->last[i] = interval < p->file->slice_count ? interval + 1 : SIZE_MAX;
    }
    return rc;
}

// ---- regions ----
static int add_region(struct placing *p, size_t i) {
    struct regions_file *const f = p->file;
    const struct foreign_region *const r = &p->list->at[i];
    const size_t slice = p->first[i];
    if (slice == SIZE_MAX) return refuse(p, i, "the run ends before it: is it this program, with these arguments?");
    if (p->last[i] == SIZE_MAX) return refuse(p, i, "the run ends before its end: is it this program?");
    if (p->last[i] <= slice || slice >= f->slice_count)
        return refuse(p, i, "ends where it begins, or before it: counts are those of the whole run");
    if (p->last[i] > slice + 1) return refuse(p, i, "another one begins or ends within it: regions cannot overlap");
    if (f->slices[slice].cluster != REGIONS_NO_CLUSTER) return refuse(p, i, "is the same as another one: keep one");
    struct regions_slices *const s = &f->slices[slice];
    s->cluster = i;
    f->regions[f->region_count++] = (struct regions_region){
        .slice = slice,
        .cluster = i,
        .start = r->start,
        .end = r->end,
        .begin = s->begin,
        .steps = s->steps,
        .instructions = s->instructions,
        .counted = s->counted,
        .multiplier =
            r->multiplier > 0 ? r->multiplier : r->weight * (double)f->instructions / (double)s->instructions};
    return 0;
}

static bool create(struct placing *p) {
    const size_t count = p->list->count;
    p->edges = error_calloc(2 * count * sizeof *p->edges, "regions", p->err);
    p->next = p->edges ? error_calloc(2 * count * sizeof *p->next, "regions", p->err) : NULL;
    p->first = p->next ? error_calloc(count * sizeof *p->first, "regions", p->err) : NULL;
    p->last = p->first ? error_calloc(count * sizeof *p->last, "regions", p->err) : NULL;
    p->file->regions = p->last ? error_calloc(count * sizeof *p->file->regions, "regions", p->err) : NULL;
    return p->file->regions != NULL;
}

int foreign_place(const struct foreign_regions *list, struct regions_run *run, struct iss *iss, struct regions_file *f,
                  struct error *err) {
    struct placing p = {.list = list, .file = f, .run = run, .iss = iss, .err = err};
    int rc = !create(&p) ? -ENOMEM : run->interval ? run_intervals(&p) : run_markers(&p);
    for (size_t i = 0; !rc && i < list->count; i++)
        rc = add_region(&p, i);
    markers_free(&p.markers);
    free(p.edges);
    free(p.next);
    free(p.first);
    free(p.last);
    return rc;
}

double foreign_multiplier(const struct foreign_regions *list, const struct regions_file *f, size_t region) {
    double all = 0;
    for (size_t i = 0; i < list->count; i++)
        all += list->at[i].multiplier;
    return list->at[region].multiplier / all * (double)f->instructions / (double)f->regions[region].instructions;
}
