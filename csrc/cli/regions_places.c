// Where regions of several harts begin and end, counted from their checkpoints: regions_work.h. What the harts execute
// between two markers depends on when they meet, so that a number of instructions is no place of such a run; an
// execution of a marker is one, and its number from the checkpoint on is that of the run less those before.
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/regions_work.h"
#include "methods/regions/markers.h"
#include <inttypes.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 }; // instructions between two looks at signals

bool regions_by_markers(const struct regions_file *f) {
    bool all = f->harts > 1;
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        const uint64_t end = r->begin + r->steps;
        all &= (r->start.pc || !r->begin) &&
               (r->end.pc || end == f->slices[f->slice_count - 1].begin + f->slices[f->slice_count - 1].steps);
    }
    return all;
}

struct pass {
    struct regions_work *w;
    struct checkpoint {
        size_t region;
        uint64_t at; // steps of the run before it
    } * order;
    struct markers markers;
};

static int by_place(const void *a, const void *b) {
    const struct checkpoint *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static bool begin(struct pass *p, struct error *err) {
    const struct regions_file *const f = &p->w->m->file;
    p->order = error_calloc(f->region_count * sizeof *p->order, "places of regions", err);
    bool good = p->order != NULL;
    for (size_t i = 0; good && i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        p->order[i] = (struct checkpoint){i, r->begin - r->warmup};
        if (r->start.pc) good = markers_add(&p->markers, r->start.pc, MARKER_LOOP, 0, 0, err);
        if (good && r->end.pc) good = markers_add(&p->markers, r->end.pc, MARKER_LOOP, 0, 0, err);
    }
    if (!good) return false;
    markers_sort(&p->markers);
    qsort(p->order, f->region_count, sizeof *p->order, by_place);
    return true;
}

static uint64_t executed(const struct pass *p, uint64_t pc) {
    return pc ? p->markers.at[markers_find(&p->markers, pc)].count : 0;
}

// False with err: its markers are not where the file has them.
static bool take(const struct pass *p, size_t region, struct error *err) {
    const struct regions_region *const r = &p->w->m->file.regions[region];
    struct regions_before *const before = &p->w->before[region];
    *before = (struct regions_before){executed(p, r->start.pc), executed(p, r->end.pc)};
    const bool begins =
        !r->start.pc || (r->warmup ? before->start < r->start.count : before->start + 1 == r->start.count);
    if (begins && (!r->end.pc || before->end < r->end.count)) return true;
    error_set(err, "%s: region %zu: its markers are not executed there as often as it says: find its regions again",
              p->w->m->path, r->cluster);
    return false;
}

// To `place` steps, as the run before did.
static bool go_to(struct iss *iss, uint64_t *done, uint64_t place, const volatile sig_atomic_t *came) {
    while (*done < place && !*came) {
        const uint64_t left = place - *done, now = iss_run(iss, left < PIECE ? left : PIECE);
        if (now == 0) return false;
        *done += now;
    }
    return !*came;
}

static int count(void *context, struct iss *iss, struct error *err) {
    struct pass *const p = context;
    struct markers_watch watch = {.markers = &p->markers};
    struct signals_before before;
    uint64_t done = 0;
    if (!markers_watch(&watch, iss, err)) return STATUS_BAD_INPUT;
    const volatile sig_atomic_t *const came = signals_note(&before);
    bool good = true;
    for (size_t i = 0; good && !*came && i < p->w->m->file.region_count; i++)
        if (go_to(iss, &done, p->order[i].at, came)) {
            good = take(p, p->order[i].region, err);
        } else if (!*came) {
            error_set(err, "%s: its program ends before its last region: find its regions again", p->w->m->path);
            good = false;
        }
    signals_restore(&before);
    return !good ? STATUS_BAD_INPUT : *came ? 128 + *came : EXIT_SUCCESS;
}

bool regions_count_before(struct regions_work *w) {
    struct pass p = {.w = w};
    w->status = begin(&p, w->err) ? regions_run_again(w, count, &p) : STATUS_BAD_INPUT;
    markers_free(&p.markers);
    free(p.order);
    return w->status == EXIT_SUCCESS;
}

bool regions_leave_out(struct regions_measure *m, struct error *err) {
    struct regions_file *const f = &m->file;
    size_t kept = 0;
    for (size_t i = 0; i < f->region_count; i++) {
        if (m->of[i].count) {
            f->regions[kept] = f->regions[i];
            m->of[kept] = m->of[i];
            m->samples[kept++] = m->samples[i];
        } else {
            free(f->regions[i].checkpoint);
            free(m->samples[i]);
        }
    }
    f->region_count = kept;
    if (kept) return true;
    error_set(err, "%s: no region's end was met: its program takes another way on each run: omit it", m->path);
    return false;
}
