// Regions on the fast model: regions_live_gus.h. One hart.
#include "cli/regions_live_gus.h"
#include "base/array.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "methods/gus/stream.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct model {
    struct gus_stream *stream;
    struct gus *gus;
    uint64_t begin; // its time when the region began
};
struct live_gus {
    struct gus_table *table;
    enum live_warmup warmup;
    struct model sample, whole; // whole: sees everything; empty, unless it is asked for
    double *full;               // by region
    size_t full_capacity;
};

static bool model_begin(struct model *m, const struct gus_table *table, struct error *err) {
    m->begin = 0;
    m->stream = gus_stream_create(table, err);
    m->gus = m->stream ? gus_create(table, NULL, err) : NULL;
    if (m->gus) gus_stream_set_clock(m->stream, m->gus);
    return m->gus != NULL;
}

static void model_end(struct model *m) {
    gus_stream_destroy(m->stream);
    gus_destroy(m->gus);
    *m = (struct model){0};
}

static double since(const struct model *m) {
    return (double)(gus_time(m->gus) - m->begin) / (double)GUS_CYCLE;
}

// What the simulator did; timed: it takes time, too.
static bool model_see(struct model *m, struct iss *iss, const struct iss_retire *retire, bool timed) {
    struct gus_event event;
    if (!gus_stream_next(m->stream, iss, retire, &event)) return false;
    if (!timed) return true;
    gus_step(m->gus, &event);
    if (event.flags & GUS_PACKET) gus_stream_left(m->stream, gus_time(m->gus));
    return true;
}

// ---- the engine ----
static bool begin(void *context, struct iss *iss, size_t number, bool detailed, struct error *err) {
    struct live_gus *g = context;
    (void)iss;
    (void)number;
    if (detailed && g->warmup == LIVE_NONE) {
        model_end(&g->sample);
        if (!model_begin(&g->sample, g->table, err)) return false;
    }
    g->sample.begin = gus_time(g->sample.gus);
    if (g->whole.gus) g->whole.begin = gus_time(g->whole.gus);
    return true;
}

static bool over(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss_asks_for_reset(iss) || iss_refused(iss, "", NULL);
}

static bool run(void *context, struct iss *iss, bool detailed, uint64_t most, pacsim_stepped *stepped, void *with,
                struct error *err) {
    struct live_gus *g = context;
    struct iss_retire retire = {.access = ISS_ACCESS_STORE};
    const bool sample = detailed || g->warmup <= LIVE_FUNCTIONAL, timed = detailed || g->warmup == LIVE_PERFECT;
    for (uint64_t done = 0; done < most; done++) {
        if (retire.access == ISS_ACCESS_STORE && over(iss)) return true;
        const struct hart *hart = iss_step(iss, &retire);
        if (!hart) return true;
        if ((sample && !model_see(&g->sample, iss, &retire, timed)) ||
            (g->whole.gus && !model_see(&g->whole, iss, &retire, true))) {
            error_nomem(err, "gus");
            return false;
        }
        if (stepped(with, hart_number(hart), &retire)) return true;
    }
    return true;
}

static bool end(void *context, struct iss *iss, size_t number, struct pacsim_region *region, struct error *err) {
    struct live_gus *g = context;
    (void)iss;
    if (region->detailed) region->cycles = since(&g->sample);
    if (!g->whole.gus) return true;
    if (!array_reserve_all(&g->full, &g->full_capacity, number + 1, sizeof *g->full)) {
        error_nomem(err, "gus");
        return false;
    }
    g->full[number] = since(&g->whole);
    return true;
}

void live_gus_engine(struct live_gus *g, struct pacsim_engine *engine) {
    *engine = (struct pacsim_engine){
        .context = g, .begin = begin, .run = run, .end = end, .always = g->warmup <= LIVE_FUNCTIONAL || g->whole.gus};
}

// ---- its life ----
static bool find_table(const char *config, const char *table_path, struct gus_table *table, struct error *err) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    if (table_path) return gus_table_read(table, table_path, err);
    if (!folder_find(folder, sizeof folder, err) || configurations_check(folder, config, err) < 0) return false;
    snprintf(path, sizeof path, "%s/%s/gen/gus.tsv", folder, config);
    return gus_table_read(table, path, err);
}

struct live_gus *live_gus_create(const char *config, const char *table_path, enum live_warmup warmup, bool full,
                                 struct error *err) {
    struct live_gus *g = error_calloc(sizeof *g, "gus", err);
    if (!g) return NULL;
    g->warmup = warmup;
    g->table = error_calloc(sizeof *g->table, "gus", err);
    if (g->table && find_table(config, table_path, g->table, err) && model_begin(&g->sample, g->table, err) &&
        (!full || model_begin(&g->whole, g->table, err)))
        return g;
    live_gus_destroy(g);
    return NULL;
}

void live_gus_destroy(struct live_gus *g) {
    if (!g) return;
    model_end(&g->sample);
    model_end(&g->whole);
    free(g->full);
    free(g->table);
    free(g);
}

const double *live_gus_full(const struct live_gus *g, double *all) {
    *all = g->whole.gus ? (double)gus_time(g->whole.gus) / (double)GUS_CYCLE : 0;
    return g->full;
}
