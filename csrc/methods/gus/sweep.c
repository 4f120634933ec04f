// Events go to the models in batches, so that each model's state stays in the host's cache.
#include "methods/gus/sweep.h"
#include <errno.h>
#include <stdlib.h>

enum { BATCH = 2048 };

struct batch {
    struct gus_event events[BATCH];
    size_t count;
};

static void give(struct batch *b, struct gus *const *models, size_t count) {
    for (size_t m = 0; m < count; m++) {
        for (size_t i = 0; i < b->count; i++)
            gus_step(models[m], &b->events[i]);
    }
    b->count = 0;
}

int gus_sweep(const struct gus_source *source, struct gus_stream *stream, struct gus *const *models, size_t count,
              bool *begun, struct error *err) {
    struct batch *b = malloc(sizeof *b);
    bool good = b != NULL;
    if (b) b->count = 0;
    *begun = !source->begins;
    for (uint64_t done = 0; good; done++) {
        struct iss_retire retire;
        if (!*begun) *begun = source->begins(source->context, source->iss, done);
        if (source->ends(source->context, source->iss, done)) break;
        iss_step(source->iss, &retire);
        good = gus_stream_next(stream, &retire, &b->events[b->count]);
        b->count += *begun; // before, caches and predictors alone learn
        if (b->count < BATCH) continue;
        good = good && gus_keep_places(models[0], gus_stream_places(stream));
        give(b, models, count);
    }
    good = good && gus_keep_places(models[0], gus_stream_places(stream));
    if (good) give(b, models, count);
    free(b);
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
    if (good && made > 0) good = gus_sweep(source, stream, models, made, &begun, err) == 0;
    for (size_t m = 0; m < made; m++) {
        variants[start + m * step].time = gus_time(models[m]);
        gus_destroy(models[m]);
    }
    free(models);
    gus_stream_destroy(stream);
    return good ? 0 : -ENOMEM;
}
