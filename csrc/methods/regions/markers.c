// Counting the executions of markers: markers.h.
#include "methods/regions/markers.h"
#include "base/array.h"
#include <stdlib.h>

bool markers_add(struct markers *m, uint64_t pc, enum marker_kind kind, uint64_t function, unsigned depth,
                 struct error *err) {
    if (!array_reserve(&m->at, &m->capacity, m->count, sizeof *m->at)) {
        error_nomem(err, "markers");
        return false;
    }
    m->at[m->count++] = (struct marker){.pc = pc, .kind = kind, .function = function, .depth = depth};
    return true;
}

static int order(const void *x, const void *y) {
    const struct marker *a = x, *b = y;
    if (a->pc != b->pc) return a->pc < b->pc ? -1 : 1;
    return (int)b->kind - (int)a->kind;
}

void markers_sort(struct markers *m) {
    size_t kept = 0;
    if (m->count) qsort(m->at, m->count, sizeof *m->at, order);
    for (size_t i = 0; i < m->count; i++)
        if (kept == 0 || m->at[kept - 1].pc != m->at[i].pc) m->at[kept++] = m->at[i];
    m->count = kept;
}

size_t markers_find(const struct markers *m, uint64_t pc) {
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->at[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->count && m->at[low].pc == pc ? low : SIZE_MAX;
}

void markers_free(struct markers *m) {
    free(m->at);
    *m = (struct markers){0};
}

static bool met(void *context, struct hart *hart, size_t mark) {
    struct markers_watch *w = context;
    w->markers->at[mark].count++;
    if (!w->met) return false;
    const struct markers_event event = {hart, mark, iss_flow_steps(hart) - w->steps,
                                        iss_flow_counted(w->iss) - w->counted};
    return w->met(w->context, w->markers, &event);
}

bool markers_watch(struct markers_watch *w, struct iss *iss, struct error *err) {
    struct markers *m = w->markers;
    uint64_t *const pcs = malloc((m->count + 1) * sizeof *pcs);
    if (!pcs) {
        error_nomem(err, "markers");
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        pcs[i] = m->at[i].pc;
        m->at[i].count = 0;
    }
    const bool good = iss_watch_flow(iss, err) && iss_flow_mark(iss, pcs, m->count, met, w, err);
    free(pcs);
    w->iss = iss;
    w->steps = 0;
    for (unsigned i = 0; i < iss_harts(iss); i++)
        w->steps += hart_steps(iss_hart(iss, i));
    if (good) w->counted = iss_flow_counted(iss);
    return good;
}

struct goal {
    size_t marker;
    uint64_t count;
};
static bool there(void *context, struct markers *m, const struct markers_event *event) {
    const struct goal *goal = context;
    return event->marker == goal->marker && m->at[event->marker].count == goal->count;
}

bool markers_go(struct markers_watch *w, struct iss *iss, struct regions_marker place, uint64_t max, uint64_t *steps) {
    const struct markers_watch before = *w;
    struct goal goal = {markers_find(w->markers, place.pc), place.count};
    uint64_t done = 0;
    bool found = false;
    w->met = there;
    w->context = &goal;
    for (uint64_t now = 1; !found && now && done < max;) {
        done += now = iss_run(iss, max - done);
        found = iss_flow_stopped(iss);
    }
    w->met = before.met;
    w->context = before.context;
    if (steps) *steps = done;
    return found;
}
