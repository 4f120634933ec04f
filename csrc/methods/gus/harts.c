// The life of the fast model of several harts, what is asked of it, and runs without time: see harts.h.
#include "methods/gus/harts_internal.h"
#include <errno.h>
#include <stdlib.h>

// ---- life ----
static bool add(struct gus_harts *g, unsigned number, const struct gus_table *table, struct error *err) {
    struct core *c = &g->cores[number];
    c->hart = iss_hart(g->iss, number);
    c->stream = gus_stream_create_in(table, g->hub, number ? g->cores[0].stream : NULL, err);
    c->model = c->stream ? gus_create(table, NULL, err) : NULL;
    if (!c->model) return false;
    if (g->traffic) gus_share(c->model, g->traffic, number);
    gus_stream_set_clock(c->stream, c->model);
    return true;
}

struct gus_harts *gus_harts_create(struct iss *iss, const struct gus_table *table, uint64_t ahead, struct error *err) {
    struct gus_harts *g = error_calloc(sizeof *g, "gus", err);
    if (!g) return NULL;
    g->iss = iss;
    g->count = iss_harts(iss);
    g->ahead = ahead * GUS_CYCLE;
    bool good = true;
    if (g->count > 1) {
        g->hub = gus_hub_create(table, err);
        g->traffic = g->hub ? error_calloc(sizeof *g->traffic, "gus", err) : NULL;
        good = g->traffic != NULL;
    }
    for (unsigned i = 0; good && i < g->count; i++)
        good = add(g, i, table, err);
    if (good) {
        gus_harts_enter(g);
        return g;
    }
    gus_harts_destroy(g);
    return NULL;
}

void gus_harts_destroy(struct gus_harts *g) {
    if (!g) return;
    for (unsigned i = g->count; i-- > 0;) {
        gus_stream_destroy(g->cores[i].stream);
        gus_destroy(g->cores[i].model);
    }
    gus_hub_destroy(g->hub);
    free(g->traffic);
    free(g);
}

void gus_harts_watch(struct gus_harts *g, gus_harts_stepped *stepped, void *context) {
    g->stepped = stepped;
    g->context = context;
}

void gus_harts_enter(struct gus_harts *g) {
    for (unsigned i = 0; i < g->count; i++)
        if (hart_steps(g->cores[i].hart)) gus_stream_enter(g->cores[i].stream, g->cores[i].hart);
}

// ---- runs ----
int gus_harts_run(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err) {
    struct run r = {.most = most};
    const bool good = g->count == 1 ? gus_harts_run_one(g, &r) : gus_harts_run_all(g, &r);
    if (done) *done = r.done;
    return good ? 0 : error_nomem(err, "gus");
}

int gus_harts_warm(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err) {
    uint64_t n = 0;
    bool good = true, stopped = false;
    // The clocks stand still.
    for (; good && !stopped && n < most && !(g->over = iss_over(g->iss)); n++) {
        struct iss_retire retire;
        struct gus_event e;
        const struct hart *h = iss_step(g->iss, &retire);
        if (!h) {
            g->stuck = true;
            break;
        }
        good = gus_stream_next(g->cores[hart_number(h)].stream, g->iss, &retire, &e);
        stopped = g->stepped && g->stepped(g->context, hart_number(h), &retire);
    }
    if (done) *done = n;
    return good ? 0 : error_nomem(err, "gus");
}

// ---- results ----
bool gus_harts_over(const struct gus_harts *g) {
    return g->over;
}

bool gus_harts_stuck(const struct gus_harts *g) {
    return g->stuck;
}

double gus_harts_cycles(const struct gus_harts *g) {
    uint64_t least = UINT64_MAX, most = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const uint64_t time = gus_time(g->cores[i].model);
        if (!g->cores[i].waits && time < least) least = time;
        if (time > most) most = time;
    }
    if (g->over) least = gus_time(g->cores[hart_number(iss_caller(g->iss))].model);
    return (double)(least == UINT64_MAX ? most : least) / (double)GUS_CYCLE;
}

uint64_t gus_harts_instructions(const struct gus_harts *g) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < g->count; i++)
        sum += gus_instructions(g->cores[i].model);
    return sum;
}

unsigned gus_harts_count(const struct gus_harts *g) {
    return g->count;
}

const struct gus *gus_harts_model(const struct gus_harts *g, unsigned hart) {
    return g->cores[hart].model;
}

const struct gus_stream *gus_harts_places(const struct gus_harts *g) {
    return g->cores[0].stream;
}
