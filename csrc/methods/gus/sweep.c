// Events go to the models in batches, so that each model's state stays in the host's cache.
#include "methods/gus/sweep.h"
#include <errno.h>
#include <stdlib.h>

enum { BATCH = 2048 };

struct batch {
    struct gus_event events[BATCH];
    size_t count;
};

static void give(struct batch *b, struct gus *const *models, size_t count, const struct gus *clock) {
    for (size_t m = 0; m < count; m++) {
        for (size_t i = 0; i < b->count && models[m] != clock; i++)
            gus_step(models[m], &b->events[i]);
    }
    b->count = 0;
}

// An instruction: to the clock at once.
static bool step(const struct gus_source *source, struct gus_stream *stream, struct gus *clock, struct gus_event *e,
                 bool *stored) {
    struct iss_retire retire;
    iss_step(source->iss, &retire);
    *stored = retire.access == ISS_ACCESS_STORE;
    if (source->stepped) source->stepped(source->context, source->iss, &retire);
    if (!gus_stream_next(stream, source->iss, &retire, e) || !gus_keep_places(clock, gus_stream_places(stream)))
        return false;
    gus_step(clock, e);
    if (e->flags & GUS_PACKET) gus_stream_left(stream, gus_time(clock));
    return true;
}

static bool pass(const struct gus_source *source, struct gus_stream *stream, struct gus *const *models, size_t count,
                 struct gus *clock, bool *begun) {
    struct batch *b = malloc(sizeof *b);
    bool good = b != NULL;
    if (b) b->count = 0;
    bool stored = true;
    gus_stream_set_clock(stream, clock);
    *begun = !source->begins;
    for (uint64_t done = 0; good; done++) {
        if (!*begun) *begun = source->begins(source->context, source->iss, done);
        if (source->ends(source->context, source->iss, done, *begun, stored)) break;
        good = step(source, stream, clock, &b->events[b->count], &stored);
        b->count += *begun;
        if (b->count < BATCH) continue;
        good = good && gus_keep_places(models[0], gus_stream_places(stream));
        give(b, models, count, clock);
    }
    good = good && gus_keep_places(models[0], gus_stream_places(stream));
    if (good) give(b, models, count, clock);
    gus_stream_set_clock(stream, NULL);
    free(b);
    return good;
}

int gus_sweep(const struct gus_source *source, const struct gus_table *table, struct gus_stream *stream,
              struct gus *const *models, size_t count, bool *begun, struct error *err) {
    // The first model is the clock, if it sees all and nothing of it is faster.
    const bool own = source->begins || !gus_is_plain(models[0]);
    struct gus *clock = own ? gus_create(table, NULL, err) : models[0];
    bool good = clock && pass(source, stream, models, count, clock, begun);
    if (own) gus_destroy(clock);
    if (good) return 0;
    error_set(err, "gus: out of memory: free some and run again");
    return -ENOMEM;
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
