// Whose turn it is by the models' time, and how time passes where harts wait: see harts.h.
#include "methods/gus/harts.h"
#include "methods/gus/hub.h"
#include "methods/gus/traffic.h"
#include <errno.h>
#include <stdlib.h>

enum { NOBODY = MACHINE_MOST_HARTS };
#define TICK (GUS_CYCLE * ISS_CYCLES_PER_TICK)

struct core {
    struct hart *hart;
    struct gus_stream *stream;
    struct gus *model;
    size_t places;                             // for which the model keeps counts
    uint32_t place;                            // of what was done last
    bool waits;                                // in wfi, and nobody has woken it
    uint64_t load_pc, load_address, load_data; // the last one
};
struct gus_harts {
    struct iss *iss;
    struct core cores[MACHINE_MOST_HARTS];
    unsigned count;
    struct gus_hub *hub; // of several
    struct gus_traffic *traffic;
    uint64_t ahead, ticks; // ticks: of the models' time, those that have passed on the machine
    bool over, stuck;
    gus_harts_stepped *stepped;
    void *context;
};

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

// ---- one instruction ----
static bool keep_places(const struct gus_harts *g, struct core *c) {
    c->places = gus_stream_places(g->cores[0].stream);
    return gus_keep_places(c->model, c->places);
}

static inline bool model(struct gus_harts *g, struct core *c, const struct iss_retire *retire, struct gus_event *e) {
    if (!gus_stream_next(c->stream, g->iss, retire, e)) return false;
    if (e->place >= c->places && !keep_places(g, c)) return false;
    c->place = e->place;
    gus_step(c->model, e);
    if (e->flags & GUS_PACKET) gus_stream_left(c->stream, gus_time(c->model));
    return true;
}

static bool ended(const struct iss *iss) {
    return iss_exited(iss, NULL) || iss_asks_for_reset(iss) || iss_refused(iss, "", NULL);
}

// ---- time ----
// The machine's time is that of the hart that is behind.
static void pass_time(struct gus_harts *g, uint64_t now) {
    const uint64_t ticks = now / TICK;
    if (ticks <= g->ticks) return;
    iss_pass_time(g->iss, ticks - g->ticks);
    g->ticks = ticks;
}

// Harts that wait, and those that somebody has woken by now: they go on.
static void look(struct gus_harts *g, uint64_t now) {
    for (unsigned i = 0; i < g->count; i++) {
        struct core *c = &g->cores[i];
        const bool may = iss_may_step(g->iss, i);
        if (may && c->waits) gus_wait(c->model, c->place, now);
        c->waits = !may;
    }
}

// All wait: time goes on to the next timer. False: there is none.
static bool sleep_until(struct gus_harts *g) {
    const uint64_t ticks = iss_ticks_to_timer(g->iss);
    if (ticks >= UINT64_MAX / TICK - g->ticks) return false;
    const uint64_t next = (g->ticks + ticks) * TICK;
    pass_time(g, next);
    look(g, next);
    return true;
}

// ---- turns ----
struct turn {
    unsigned hart;
    uint64_t now, next; // its time, and that of the hart that is after it; UINT64_MAX: all others wait
};

// NOBODY: all wait.
static struct turn choose(const struct gus_harts *g) {
    struct turn t = {NOBODY, UINT64_MAX, UINT64_MAX};
    for (unsigned i = 0; i < g->count; i++) {
        if (g->cores[i].waits) continue;
        const uint64_t time = gus_time(g->cores[i].model);
        if (t.hart == NOBODY || time < t.now) {
            t.next = t.now;
            t.now = time;
            t.hart = i;
        } else if (time < t.next) {
            t.next = time;
        }
    }
    return t;
}

struct run {
    uint64_t most, done;
    bool stopped; // by who watches
};

static inline bool step(struct gus_harts *g, struct run *r, unsigned hart, const struct iss_retire *retire,
                        struct gus_event *e) {
    r->done++;
    const bool good = model(g, &g->cores[hart], retire, e);
    if (g->stepped) r->stopped = g->stepped(g->context, hart, retire);
    return good;
}

// False: no memory.
static bool run_one(struct gus_harts *g, struct run *r) {
    bool good = true, stored = true; // stored: the last instruction did
    while (good && r->done < r->most && !r->stopped) {
        struct iss_retire retire;
        struct gus_event e;
        if (stored && (g->over = ended(g->iss))) break;
        hart_step(g->cores[0].hart, &retire);
        stored = retire.access == ISS_ACCESS_STORE;
        good = step(g, r, 0, &retire, &e);
    }
    return good;
}

// It has loaded what it loaded last, by the same instruction: it waits for another hart.
static bool spins(struct core *c, const struct iss_retire *retire) {
    if (retire->access != ISS_ACCESS_LOAD) return false;
    const bool same = retire->pc == c->load_pc && retire->address == c->load_address && retire->data == c->load_data;
    c->load_pc = retire->pc;
    c->load_address = retire->address;
    c->load_data = retire->data;
    return same;
}

static bool take_turn(struct gus_harts *g, struct run *r, const struct turn *t) {
    struct core *const c = &g->cores[t->hart];
    const uint64_t limit = (t->next == UINT64_MAX ? t->now : t->next) + g->ahead;
    while (r->done < r->most) {
        struct iss_retire retire;
        struct gus_event e;
        iss_step_hart(g->iss, t->hart, &retire);
        if (!step(g, r, t->hart, &retire, &e)) return false;
        const uint64_t time = gus_time(c->model);
        if (retire.access == ISS_ACCESS_STORE && (g->over = ended(g->iss))) break;
        if (time > limit || r->stopped || hart_waits(c->hart)) break;
        const bool meets = spins(c, &retire) || e.flags & GUS_MEETS;
        if (e.flags & GUS_DEVICE || (meets && time >= t->next)) break;
    }
    look(g, gus_time(c->model));
    return true;
}

static bool run_all(struct gus_harts *g, struct run *r) {
    bool good = true;
    iss_hold_time(g->iss, true);
    g->over = ended(g->iss);
    for (look(g, 0); good && r->done < r->most && !r->stopped && !g->over;) {
        const struct turn t = choose(g);
        if (t.hart == NOBODY) {
            if (sleep_until(g)) continue;
            g->stuck = true;
            break;
        }
        pass_time(g, t.now);
        look(g, t.now);
        good = take_turn(g, r, &t);
    }
    iss_hold_time(g->iss, false);
    return good;
}

int gus_harts_run(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err) {
    struct run r = {.most = most};
    const bool good = g->count == 1 ? run_one(g, &r) : run_all(g, &r);
    if (done) *done = r.done;
    return good ? 0 : error_nomem(err, "gus");
}

int gus_harts_warm(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err) {
    uint64_t n = 0;
    bool good = true, stopped = false;
    // The clocks stand still.
    for (; good && !stopped && n < most && !(g->over = ended(g->iss)); n++) {
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
