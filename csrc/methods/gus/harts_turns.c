// Whose turn it is by the models' time, and how time passes where harts wait: see harts.h.
#include "isa/rvc.h"
#include "methods/gus/harts_internal.h"

enum { NOBODY = MACHINE_MOST_HARTS, SPUN = 2, OPCODE = 0x7f, BRANCH = 0x63 };
#define TICK (GUS_CYCLE * ISS_CYCLES_PER_TICK)

// ---- one instruction ----
static bool keep_places(const struct gus_harts *g, struct core *c) {
    c->places = gus_stream_places(g->cores[0].stream);
    return gus_keep_places(c->model, c->places);
}

static inline bool model(struct gus_harts *g, struct core *c, const struct iss_retire *retire, struct gus_event *e) {
    if (!gus_stream_next(c->stream, g->iss, retire, e)) return false;
    if (c->leaves && (insn_word(retire->insn) & OPCODE) == BRANCH) {
        e->flags |= GUS_MISPREDICTED; // it had been predicted to stay
        c->leaves = false;
    }
    if (e->place >= c->places && !keep_places(g, c)) return false;
    c->place = e->place;
    gus_step(c->model, e);
    if (e->flags & GUS_PACKET) gus_stream_left(c->stream, gus_time(c->model));
    return true;
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

static inline bool step(struct gus_harts *g, struct run *r, unsigned hart, const struct iss_retire *retire,
                        struct gus_event *e) {
    r->done++;
    const bool good = model(g, &g->cores[hart], retire, e);
    if (g->stepped) r->stopped = g->stepped(g->context, hart, retire);
    return good;
}

// False: no memory.
bool gus_harts_run_one(struct gus_harts *g, struct run *r) {
    bool good = true, stored = true; // stored: the last instruction did
    while (good && r->done < r->most && !r->stopped) {
        struct iss_retire retire;
        struct gus_event e;
        if (stored && (g->over = iss_over(g->iss))) break;
        hart_step(g->cores[0].hart, &retire);
        stored = retire.access == ISS_ACCESS_STORE;
        good = step(g, r, 0, &retire, &e);
    }
    return good;
}

// It has loaded what it loaded last, by the same instruction: it waits for another hart.
static bool spins(struct core *c, const struct iss_retire *retire) {
    if (retire->access != ISS_ACCESS_LOAD) return false;
    const bool again = retire->pc == c->load_pc && retire->address == c->load_address;
    const bool same = again && retire->data == c->load_data;
    c->leaves = again && !same && c->spun >= SPUN;
    c->spun = same ? c->spun + 1 : 0;
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
        if (retire.access == ISS_ACCESS_STORE && (g->over = iss_over(g->iss))) break;
        if (time > limit || r->stopped || hart_waits(c->hart)) break;
        const bool meets = spins(c, &retire) || e.flags & GUS_MEETS;
        if (e.flags & GUS_DEVICE || (meets && time >= t->next)) break;
    }
    look(g, gus_time(c->model));
    return true;
}

bool gus_harts_run_all(struct gus_harts *g, struct run *r) {
    bool good = true;
    iss_hold_time(g->iss, true);
    g->over = iss_over(g->iss);
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
