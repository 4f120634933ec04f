// Regions on the fast model: regions_live_gus.h.
#include "cli/regions_live_gus.h"
#include "cli/configurations.h"
#include "cli/folder.h"
#include "methods/gus/harts.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 20 }; // instructions between two looks at a signal
struct live_gus {
    struct gus_table *table;
    enum live_warmup warmup;
    struct gus_harts *model; // of the machine, from the first region on
    bool away;               // the machine has gone on without it
    double begin;            // its cycles when the region began
};

// ---- the engine ----
static bool begin(void *context, struct iss *iss, size_t number, bool detailed, struct error *err) {
    struct live_gus *g = context;
    (void)number;
    if (detailed && g->warmup == LIVE_NONE) live_gus_leave(g);
    if (!g->model) {
        g->model = gus_harts_create(iss, g->table, GUS_AHEAD, err);
        if (!g->model) return false;
    } else if (g->away) {
        gus_harts_enter(g->model);
    }
    g->away = false;
    g->begin = gus_harts_cycles(g->model);
    return true;
}

static bool run(void *context, struct iss *iss, bool detailed, uint64_t most, pacsim_stepped *stepped, void *with,
                struct error *err) {
    struct live_gus *g = context;
    (void)iss;
    gus_harts_watch(g->model, stepped, with);
    const bool timed = detailed || g->warmup == LIVE_PERFECT;
    return (timed ? gus_harts_run(g->model, most, NULL, err) : gus_harts_warm(g->model, most, NULL, err)) == 0;
}

static bool end(void *context, struct iss *iss, size_t number, struct pacsim_region *region, struct error *err) {
    struct live_gus *g = context;
    (void)iss;
    (void)number;
    (void)err;
    if (region->detailed)
        region->cycles = gus_harts_cycles(g->model) - g->begin;
    else
        g->away = true;
    return true;
}

void live_gus_engine(struct live_gus *g, struct pacsim_engine *engine) {
    *engine = (struct pacsim_engine){
        .context = g, .begin = begin, .run = run, .end = end, .always = g->warmup <= LIVE_FUNCTIONAL};
}

// ---- all in detail ----
// That many steps more, or to the end. False with err, or where a signal came.
static bool go(struct gus_harts *model, uint64_t steps, const volatile sig_atomic_t *stop, struct error *err) {
    uint64_t done = 1;
    for (uint64_t left = steps; left && done; left -= done) {
        if (gus_harts_run(model, left < PIECE ? left : PIECE, &done, err) != 0 || *stop) return false;
    }
    return true;
}

// One hart does the same in both runs: where the regions of the first one end, their cycles are known.
static double *by_region(struct gus_harts *model, const struct pacsim *p, const volatile sig_atomic_t *stop,
                         struct error *err) {
    double *const full = error_calloc((p->count + 1) * sizeof *full, "gus", err);
    for (size_t i = 0; full && i < p->count; i++) {
        const double before = gus_harts_cycles(model);
        if (!go(model, p->regions[i].steps, stop, err)) {
            free(full);
            return NULL;
        }
        full[i] = gus_harts_cycles(model) - before;
    }
    return full;
}

bool live_gus_full(const struct live_gus *g, struct iss *iss, const struct pacsim *p, bool cut,
                   const volatile sig_atomic_t *stop, double *cycles, double **full, struct error *err) {
    struct gus_harts *const model = gus_harts_create(iss, g->table, GUS_AHEAD, err);
    uint64_t steps = 0;
    *full = NULL;
    if (!model) return false;
    for (size_t i = 0; i < p->count; i++)
        steps += p->regions[i].steps;
    bool good = true;
    if (p->harts > 1)
        good = go(model, cut ? steps : UINT64_MAX, stop, err);
    else
        good = (*full = by_region(model, p, stop, err)) != NULL;
    *cycles = gus_harts_cycles(model);
    gus_harts_destroy(model);
    return good;
}

// ---- its life ----
static bool find_table(const char *config, const char *table_path, struct gus_table *table, struct error *err) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    if (table_path) return gus_table_read(table, table_path, err);
    if (!folder_find(folder, sizeof folder, err) || configurations_check(folder, config, err) < 0) return false;
    snprintf(path, sizeof path, "%s/%s/gen/gus.tsv", folder, config);
    return gus_table_read(table, path, err);
}

struct live_gus *live_gus_create(const char *config, const char *table_path, enum live_warmup warmup,
                                 struct error *err) {
    struct live_gus *g = error_calloc(sizeof *g, "gus", err);
    if (!g) return NULL;
    g->warmup = warmup;
    g->table = error_calloc(sizeof *g->table, "gus", err);
    if (g->table && find_table(config, table_path, g->table, err)) return g;
    live_gus_destroy(g);
    return NULL;
}

void live_gus_leave(struct live_gus *g) {
    gus_harts_destroy(g->model);
    g->model = NULL;
    g->away = false;
}

void live_gus_destroy(struct live_gus *g) {
    if (!g) return;
    live_gus_leave(g);
    free(g->table);
    free(g);
}
