// Slices that end at the best markers: viper.h.
//
// Which marker ends a slice is known only when `most` instructions after its begin are done. So a run is cut into
// pieces, at each marker that thinning lets stay for now; when a slice's end is known, its pieces are put together.
#include "methods/regions/viper.h"
#include "base/array.h"
#include "methods/regions/viper_boundaries.h"
#include "methods/regions/viper_pieces.h"
#include <errno.h>
#include <stdlib.h>

struct cut {
    struct regions_run *run;
    struct iss *iss;
    regions_take *take;
    void *context;
    struct error *err;
    int rc;
    struct viper_list list;     // markers after the slice's begin; the last one may be replaced
    struct viper_marker begin;  // of the slice that goes on
    struct viper_pieces pieces; // since then
};

// The slice from its begin up to this marker, which is piece `end.number`'s first instruction.
static void finish(struct cut *c, const struct viper_marker *end) {
    struct regions_slice slice = {.start = c->begin.place, .end = end->place, .counted = end->position};
    slice.counted -= c->begin.position;
    if (!viper_pieces_join(&c->pieces, end->number, &slice)) c->rc = error_nomem(c->err, "slices of a run");
    if (!c->rc && slice.instructions) {
        slice.number = c->run->slices++;
        c->run->instructions += slice.instructions;
        if (!c->take(c->context, c->iss, &slice, c->err)) c->rc = -ECANCELED;
    }
    c->begin = *end;
}

// Ends as many slices as can be: those whose ends are among the list's first `fixed`. All markers before `position` are
// known.
static void settle(struct cut *c, size_t fixed, uint64_t position) {
    const struct viper *v = c->run->viper;
    while (!c->rc && (position == UINT64_MAX || position > c->begin.position + v->most)) {
        const size_t next = viper_next(c->list.at, fixed, c->begin.position, v->least, v->most);
        if (next == SIZE_MAX) break;
        const struct viper_marker end = c->list.at[next];
        finish(c, &end);
        c->run->viper->chosen[end.kind]++;
        fixed -= next + 1;
        viper_forget(&c->list, next + 1);
    }
}

static bool met(void *context, struct markers *m, const struct markers_event *event) {
    struct cut *c = context;
    struct viper *v = c->run->viper;
    const struct marker *marker = &m->at[event->marker];
    v->met[marker->kind]++;
    const struct viper_marker one = {event->counted, marker->kind, {marker->pc, marker->count}, c->pieces.next};
    const struct viper_marker *last = c->list.count ? &c->list.at[c->list.count - 1] : NULL;
    if (last && last->position / v->thin == one.position / v->thin) {
        if (last->kind >= one.kind) return false;
        v->thinned[last->kind]--;
    }
    if (viper_thin(&c->list, v->thin, &one) < 0 || !viper_pieces_cut(&c->pieces, event->hart, event->steps))
        c->rc = error_nomem(c->err, "slices of a run");
    v->thinned[one.kind]++;
    if (!c->rc) settle(c, c->list.count - 1, one.position / v->thin * v->thin);
    return c->rc;
}

static void end(struct cut *c, uint64_t steps) {
    settle(c, c->list.count, UINT64_MAX);
    const struct viper_marker last = {.position = iss_flow_counted(c->iss) - c->pieces.counted_before,
                                      .number = c->pieces.next};
    if (!c->rc && !viper_pieces_cut(&c->pieces, NULL, steps)) c->rc = error_nomem(c->err, "slices of a run");
    if (!c->rc) finish(c, &last);
}

int viper_run(struct regions_run *run, struct iss *iss, regions_take *take, void *context, struct error *err) {
    struct cut c = {.run = run, .iss = iss, .take = take, .context = context, .err = err};
    struct markers_watch watch = {.markers = run->markers, .met = met, .context = &c};
    run->instructions = run->slices = 0;
    if (!markers_watch(&watch, iss, err)) return -ENOMEM;
    if (!viper_pieces_begin(&c.pieces, iss, err)) c.rc = -ENOMEM;
    const uint64_t steps = regions_run_through(run, iss, &c.rc);
    if (!c.rc) end(&c, steps);
    if (!c.rc && !viper_pieces_whole(&c.pieces)) c.rc = error_nomem(err, "slices of a run");
    viper_pieces_free(&c.pieces);
    free(c.list.at);
    return c.rc;
}
