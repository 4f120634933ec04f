// Feeds all profilers of the registry and keeps what they have in common: the past, the weights, the tables.
#include "profilers/profilers.h"
#include "profile/units.h"
#include "profilers/tagging.h"
#include <errno.h>
#include <stdlib.h>

struct profilers {
    unsigned units; // in a cycle
    struct profiler_history history;
    uint64_t begun;   // the cycle before the first that counts, 0: all do
    uint64_t sampled; // last sampled cycle; `begun` before the first
    struct profiler *list;
    struct profilers_watch watch; // booked NULL: there are profiles
    uint32_t stepped;             // bit i: profiler i wants to be stepped; it asks in its own sample or step
};

size_t profilers_count(void) {
    return profiler_registry_count;
}

const char *profilers_name(size_t i) {
    return profiler_registry[i]->name;
}
uint16_t profilers_events(size_t i) {
    return profiler_registry[i]->events;
}

void profiler_book(struct profiler *p, struct place place, unsigned state, unsigned psv, uint64_t weight) {
    if (p->watch) {
        const struct profiler_booking booking = {p->number, place, state, psv, weight};
        if (weight) p->watch->booked(p->watch->context, &booking);
        return;
    }
    if (!profile_table_add(p->table, place, (uint8_t)state, (uint16_t)psv, weight)) p->failed = true;
}

void profiler_release(struct profiler *p, struct place place, unsigned state, unsigned psv) {
    profiler_book(p, place, state, psv, p->held);
    p->held = 0;
    p->open = false;
}

static bool create_all(struct profilers *p) {
    p->list = calloc(profiler_registry_count, sizeof *p->list);
    for (size_t i = 0; p->list && i < profiler_registry_count; i++) {
        const struct profiler_ops *ops = profiler_registry[i];
        p->list[i].ops = ops;
        p->list[i].number = i;
        p->list[i].watch = p->watch.booked ? &p->watch : NULL;
        p->list[i].tags = p->watch.tags;
        p->list[i].table = profile_table_create();
        if (!p->list[i].table) return false;
        if (ops->state_size && !(p->list[i].state = calloc(1, ops->state_size))) return false;
    }
    return p->list != NULL;
}

// Whether profiler i is to be stepped in the next cycle.
static void look(struct profilers *p, size_t i) {
    const struct profiler *profiler = &p->list[i];
    const uint32_t bit = UINT32_C(1) << i;
    p->stepped = profiler->ops->step && profiler->open ? p->stepped | bit : p->stepped & ~bit;
}

struct profilers *profilers_create_watched(unsigned width, unsigned rob_entries, const struct profilers_watch *watch,
                                           struct error *err) {
    if (width < 1 || width > MAX_LANES) {
        error_set(err, "profilers: commit width %u: must be 1 to %d", width, MAX_LANES);
        return NULL;
    }
    struct profilers *p = calloc(1, sizeof *p);
    if (p) p->watch = *watch;
    if (!p || !create_all(p)) {
        error_nomem(err, "profilers");
        profilers_destroy(p);
        return NULL;
    }
    p->units = units_per_cycle(width);
    p->history = (struct profiler_history){
        .width = width, .order = rob_order_of(rob_entries), .committed = PLACE_END, .committed_before = PLACE_END};
    return p;
}

struct profilers *profilers_create(unsigned width, unsigned rob_entries, unsigned tags, struct error *err) {
    return profilers_create_watched(width, rob_entries, &(struct profilers_watch){NULL, NULL, tags}, err);
}

void profilers_destroy(struct profilers *p) {
    if (!p) return;
    for (size_t i = 0; p->list && i < profiler_registry_count; i++) {
        profile_table_destroy(p->list[i].table);
        free(p->list[i].state);
    }
    free(p->list);
    free(p);
}

// The past, brought up to the end of this cycle.
static void remember(struct profiler_history *h, const struct commit_bundle *b) {
    h->committed_before = h->committed;
    if (b->exception) {
        h->oir = (struct oir){.valid = true,
                              .pc = b->exception_pc,
                              .exception = true,
                              .psv = b->exception_psv,
                              .priv = b->priv,
                              .space = b->space};
    } else if (b->commit) {
        unsigned youngest = b->oldest + (unsigned)__builtin_popcount(b->commit) - 1; // from the oldest on, no gap
        if (youngest >= h->width) youngest -= h->width;
        const uint64_t pc = b->pc[youngest];
        h->committed = profiler_place(b, pc);
        h->oir = (struct oir){.valid = true,
                              .pc = pc,
                              .mispredict = b->mispredict >> youngest & 1,
                              .flush = b->flush >> youngest & 1,
                              .psv = b->psv[youngest],
                              .priv = b->priv,
                              .space = b->space};
    }
}

// Some of them wait for something.
__attribute__((noinline)) static void step_waiting(struct profilers *p, const struct commit_bundle *bundle,
                                                   uint64_t cycles) {
    struct profiler_history *h = &p->history;
    remember(h, bundle);
    h->now += cycles;
    rob_order_begin(&h->order, bundle);
    fetch_order_step(&h->fetch, bundle, rob_order_clears(bundle));
    for (uint32_t left = p->stepped; left; left &= left - 1) {
        size_t i = (size_t)__builtin_ctz(left);
        p->list[i].ops->step(&p->list[i], &p->history, bundle);
        look(p, i);
    }
    rob_order_end(&p->history.order, bundle);
}

static inline __attribute__((always_inline)) void follow(struct profiler_history *h, const struct commit_bundle *bundle,
                                                         uint64_t cycles, bool clears) {
    h->now += cycles;
    rob_order_follow(&h->order, bundle);
    fetch_order_follow(&h->fetch, bundle, clears);
}

__attribute__((noinline)) static void step_leaving(struct profiler_history *h, const struct commit_bundle *bundle,
                                                   uint64_t cycles) {
    remember(h, bundle);
    follow(h, bundle, cycles, rob_order_clears(bundle));
}

void profilers_step(struct profilers *p, const struct commit_bundle *bundle, uint64_t cycles) {
    struct profiler_history *h = &p->history;
    if (p->stepped) {
        step_waiting(p, bundle, cycles);
    } else if (bundle->commit | bundle->exception) {
        step_leaving(h, bundle, cycles);
    } else {
        h->committed_before = h->committed;
        follow(h, bundle, cycles, false);
    }
}

void profilers_begin(struct profilers *p, uint64_t cycle) {
    p->begun = p->sampled = cycle;
}

void profilers_sample(struct profilers *p, const struct commit_bundle *bundle, uint64_t cycle) {
    const uint64_t weight = p->watch.booked ? 1 : (cycle - p->sampled) * p->units;
    const struct profiler_sample sample = {bundle, cycle, weight};
    p->sampled = cycle;
    for (size_t i = 0; i < profiler_registry_count; i++) {
        p->list[i].ops->sample(&p->list[i], &p->history, &sample);
        look(p, i);
    }
}

int profilers_finish(struct profilers *p, uint64_t cycles, struct error *err) {
    for (size_t i = 0; i < profiler_registry_count; i++) {
        struct profiler *profiler = &p->list[i];
        if (profiler->ops->finish) profiler->ops->finish(profiler);
        profiler_release(profiler, PLACE_END, STATE_COUNT, 0);
        if (profiler->failed) {
            error_set(err, "profiler %s: out of memory", profiler->ops->name);
            return -ENOMEM;
        }
        uint64_t total = profile_table_total(profiler->table);
        if (total != (p->sampled - p->begun) * p->units || p->sampled > cycles) {
            error_set(err,
                      "profiler %s: time is not conserved: booked %llu/%u of the %llu cycles up to the last sample, "
                      "the run had %llu",
                      profiler->ops->name, (unsigned long long)total, p->units, (unsigned long long)p->sampled,
                      (unsigned long long)cycles);
            return -EBADMSG;
        }
    }
    return 0;
}

const struct profile_row *profilers_rows(struct profilers *p, size_t i, size_t *count) {
    return profile_table_rows(p->list[i].table, count);
}
