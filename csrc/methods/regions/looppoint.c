// Slices that end at markers: looppoint.h.
#include "methods/regions/looppoint.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

struct cut {
    struct regions_run *run;
    struct iss *iss;
    regions_take *take;
    void *context;
    struct error *err;
    int rc;
    // The slice that goes on.
    struct regions_slice slice;
    uint64_t counted; // of the run, before it
    struct points_part *parts;
    size_t capacity;
};

static void seen(void *context, size_t number, uint64_t instructions) {
    struct cut *c = context;
    c->slice.instructions += instructions;
    if (!iss_flow_is_counted(c->iss, number)) return;
    if (!array_reserve(&c->parts, &c->capacity, c->slice.count, sizeof *c->parts)) {
        c->rc = error_nomem(c->err, "slices of a run");
        return;
    }
    c->parts[c->slice.count++] = (struct points_part){number, instructions};
    c->slice.counted += instructions;
}

// It ends before `end`, after `steps` of the run.
static void finish(struct cut *c, struct regions_marker end, uint64_t steps) {
    struct regions_slice *s = &c->slice;
    s->end = end;
    s->steps = steps - s->begin;
    iss_flow_take(c->iss, seen, c);
    s->parts = c->parts;
    c->run->instructions += s->instructions;
    if (!c->rc && s->instructions) {
        s->number = c->run->slices++;
        if (!c->take(c->context, c->iss, s, c->err)) c->rc = -ECANCELED;
    }
    c->counted += s->counted;
    *s = (struct regions_slice){.begin = steps, .start = end};
}

static bool met(void *context, struct markers *m, const struct markers_event *event) {
    struct cut *c = context;
    if (event->counted - c->counted < c->run->interval) return false;
    const struct marker *marker = &m->at[event->marker];
    finish(c, (struct regions_marker){marker->pc, marker->count}, event->steps);
    return c->rc;
}

int looppoint_run(struct regions_run *run, struct iss *iss, regions_take *take, void *context, struct error *err) {
    struct cut c = {.run = run, .iss = iss, .take = take, .context = context, .err = err};
    struct markers_watch watch = {.markers = run->markers, .met = met, .context = &c};
    run->instructions = run->slices = 0;
    if (!markers_watch(&watch, iss, err)) return -ENOMEM;
    const uint64_t steps = regions_run_through(run, iss, &c.rc);
    if (!c.rc) finish(&c, (struct regions_marker){0, 0}, steps);
    if (!c.rc && !iss_flow_whole(iss)) c.rc = error_nomem(err, "slices of a run");
    free(c.parts);
    return c.rc;
}
