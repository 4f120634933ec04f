// Caches filled before a restored run begins, by the accesses that its checkpoint has recorded (--warm).
#include "harness/core_internal.h"
#include <stdlib.h>
#include <string.h>

static unsigned hart(const struct core *c) {
    return c->place.harts ? c->place.number : 0;
}

// The first hart's core does it for all.
static bool replay(struct core *c) {
    const struct simulation_options *o = c->options;
    struct last_accesses accesses;
    if (!checkpoint_accesses(o->restore, &accesses, c->err)) return false;
    const bool good = (c->warm = warm_create(&c->config, c->place.harts ? c->place.count : 1, o->warm_l1, c->err)) &&
                      warm_replay(c->warm, &accesses, soc_memory(c->soc), c->err);
    last_accesses_free(&accesses);
    return good;
}

static bool same_caches(const struct core *c) {
    const struct machine_config *const a = &c->config, *const b = &c->place.first->config;
    if (memcmp(&a->l1d, &b->l1d, sizeof a->l1d) == 0 && memcmp(&a->l1i, &b->l1i, sizeof a->l1i) == 0) return true;
    error_set(c->err, "--warm: fills caches of one kind, and %s has others than %s: name one configuration for all",
              c->config.name, c->place.first->config.name);
    return false;
}

// What its data cache holds: for the checker of their order.
static bool take_lines(struct core *c) {
    const size_t places = warm_places(c->warm);
    c->held = error_calloc((places + 1) * sizeof *c->held, "caches to be filled", c->err);
    for (size_t i = 0; c->held && i < places; i++) {
        uint64_t line;
        bool owned;
        if (!warm_holds(c->warm, hart(c), i, &line, &owned)) continue;
        c->held[c->held_count++] = (struct hart_line){line * LAST_LINE, owned};
    }
    return c->held != NULL;
}

bool core_warm(struct core *c) {
    if (!c->options->warm) return true;
    if (!c->place.first) {
        if (!replay(c)) return false;
    } else {
        c->warm = c->place.first->warm;
        if (!same_caches(c)) return false;
    }
    return !c->config.coherent || take_lines(c);
}

bool core_is_warm(struct core *c) {
    if (!c->warm || warm_left(c->warm, hart(c)) == 0) return true;
    error_set(
        c->err,
        "%s: this model does not fill its L1 caches: build it again (make build/%s/model.so), or use --warm memory",
        c->options->model_path, c->config.name);
    return false;
}
