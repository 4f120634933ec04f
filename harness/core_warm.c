// Caches filled before a restored run begins, by the accesses that its checkpoint has recorded (--warm).
#include "harness/core_internal.h"

bool core_warm(struct core *c) {
    const struct simulation_options *o = c->options;
    if (!o->warm) return true;
    if (c->config.coherent) {
        error_set(c->err,
                  "--warm: the hub of coherent caches (%s) does not know of lines that it did not give: omit it",
                  c->config.name);
        return false;
    }
    struct last_accesses accesses;
    if (!checkpoint_accesses(o->restore, &accesses, c->err)) return false;
    const bool good = (c->warm = warm_create(&c->config, o->warm_l1, c->err)) &&
                      warm_replay(c->warm, &accesses, 0, soc_memory(c->soc), c->err);
    last_accesses_free(&accesses);
    return good;
}

bool core_is_warm(struct core *c) {
    if (!c->warm || warm_left(c->warm) == 0) return true;
    error_set(
        c->err,
        "%s: this model does not fill its L1 caches: build it again (make build/%s/model.so), or use --warm memory",
        c->options->model_path, c->config.name);
    return false;
}
