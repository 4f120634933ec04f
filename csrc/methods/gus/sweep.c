// Events go to the models in batches, so that each model's state stays in the host's cache.
#include "methods/gus/sweep.h"
#include <errno.h>
#include <stdlib.h>

enum { BATCH = 2048 };

struct pass {
    const struct gus_source *source;
    struct gus_stream *stream;
    struct gus *clock, *const *models;
    size_t model_count, places; // places: for which clock keeps counts
    struct gus_event events[BATCH];
    size_t count; // of events that the models, but the clock, have not seen
};

static bool give(struct pass *p) {
    if (p->count == 0) return true;
    if (!gus_keep_places(p->models[0], gus_stream_places(p->stream))) return false;
    for (size_t m = 0; m < p->model_count; m++) {
        for (size_t i = 0; i < p->count && p->models[m] != p->clock; i++)
            gus_step(p->models[m], &p->events[i]);
    }
    p->count = 0;
    return true;
}

static bool keep_places(struct pass *p) {
    p->places = gus_stream_places(p->stream);
    return gus_keep_places(p->clock, p->places);
}

// What the simulator did: to the clock at once.
static inline bool step(struct pass *p, const struct iss_retire *retire, struct gus_event *e) {
    if (!gus_stream_next(p->stream, p->source->iss, retire, e)) return false;
    if (e->place >= p->places && !keep_places(p)) return false;
    gus_step(p->clock, e);
    if (e->flags & GUS_PACKET) gus_stream_left(p->stream, gus_time(p->clock));
    return true;
}

static bool pass(struct pass *p, bool *begun) {
    const struct gus_source *s = p->source;
    struct iss *const iss = s->iss;
    struct hart *const hart = iss_only(iss);
    const bool alone = p->model_count == 1 && p->models[0] == p->clock, watched = s->begins || s->ends || s->stepped;
    bool good = true, stored = true; // stored: the last instruction did
    *begun = !s->begins;
    for (uint64_t done = 0; good && done < s->most; done++) {
        struct iss_retire retire;
        if (watched && !*begun) *begun = s->begins(s->context, iss, done);
        if (watched && *begun && s->ends && s->ends(s->context, iss, done)) break;
        if (stored && iss_over(iss)) break;
        hart_step(hart, &retire);
        stored = retire.access == ISS_ACCESS_STORE;
        if (watched && s->stepped) s->stepped(s->context, iss, &retire);
        good = step(p, &retire, &p->events[p->count]);
        if (alone) continue;
        p->count += *begun;
        if (p->count == BATCH) good = good && give(p);
    }
    return good && give(p);
}

int gus_sweep(const struct gus_source *source, const struct gus_table *table, struct gus_stream *stream,
              struct gus *const *models, size_t count, bool *begun, struct error *err) {
    // The first model is the clock, if it sees all and nothing of it is faster.
    const bool own = source->begins || !gus_is_plain(models[0]);
    struct gus *clock = own ? gus_create(table, NULL, err) : models[0];
    struct pass *p = clock ? malloc(sizeof *p) : NULL;
    if (p) {
        p->source = source, p->stream = stream, p->clock = clock, p->models = models, p->model_count = count;
        p->places = p->count = 0;
        gus_stream_set_clock(stream, clock);
    }
    const bool good = p && pass(p, begun);
    if (p) gus_stream_set_clock(stream, NULL);
    free(p);
    if (own) gus_destroy(clock);
    if (good) return 0;
    return error_nomem(err, "gus");
}

static struct gus *model_of(const struct gus_table *table, const struct gus_variant *v, struct error *err) {
    unsigned faster[GUS_RESOURCES] = {0};
    for (unsigned i = 0; i < v->count; i++)
        faster[v->resources[i]] = v->percent;
    return gus_create(table, faster, err);
}

int gus_sweep_variants(const struct gus_source *source, const struct gus_table *table, struct gus_variant *variants,
                       size_t count, size_t start, size_t step, struct error *err) {
    struct gus_stream *stream = gus_stream_create(table, err);
    struct gus **models = calloc(count + 1, sizeof(struct gus *));
    size_t made = 0;
    bool good = stream && models, begun;
    for (size_t i = start; good && i < count; i += step) {
        models[made] = model_of(table, &variants[i], err);
        good = models[made] != NULL;
        made += good;
    }
    if (good && made > 0) good = gus_sweep(source, table, stream, models, made, &begun, err) == 0;
    for (size_t m = 0; m < made; m++) {
        variants[start + m * step].time = gus_time(models[m]);
        gus_destroy(models[m]);
    }
    free(models);
    gus_stream_destroy(stream);
    return good ? 0 : -ENOMEM;
}
