// The cross-check of one cycle: every field of the selected sample and of the OIR.
#include "oracle/oracle_internal.h"
#include <stdio.h>
#include <string.h>

static bool differ(struct oracle_difference *d, const char *field, uint64_t expected, uint64_t got) {
    if (expected == got) return false;
    snprintf(d->field, sizeof d->field, "%s", field);
    d->expected = expected;
    d->got = got;
    return true;
}

static bool differ_lane(struct oracle_difference *d, const char *field, unsigned lane, uint64_t expected,
                        uint64_t got) {
    if (expected == got) return false;
    snprintf(d->field, sizeof d->field, "%s[%u]", field, lane);
    d->expected = expected;
    d->got = got;
    return true;
}

static bool differ_sample(const struct sample *e, const struct sample *select, struct oracle_difference *d) {
    if (differ(d, "state", e->state, select->state) || differ(d, "valid lanes", e->valid, select->valid) ||
        differ(d, "oldest lane", e->oldest, select->oldest) ||
        differ(d, "exception", e->exception, select->exception) || differ(d, "flush", e->flush, select->flush) ||
        differ(d, "mispredict", e->mispredict, select->mispredict) || differ(d, "privilege", e->priv, select->priv) ||
        differ(d, "address space", e->space, select->space)) {
        return true;
    }
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (differ_lane(d, "addr", lane, e->addr[lane], select->addr[lane]) ||
            differ_lane(d, "psv", lane, e->psv[lane], select->psv[lane])) {
            return true;
        }
    }
    return false;
}

static bool differ_oir(const struct oir *eo, const struct oir *oir, struct oracle_difference *d) {
    return differ(d, "oir.valid", eo->valid, oir->valid) || differ(d, "oir.pc", eo->pc, oir->pc) ||
           differ(d, "oir.mispredict", eo->mispredict, oir->mispredict) ||
           differ(d, "oir.flush", eo->flush, oir->flush) || differ(d, "oir.exception", eo->exception, oir->exception) ||
           differ(d, "oir.psv", eo->psv, oir->psv) || differ(d, "oir.priv", eo->priv, oir->priv) ||
           differ(d, "oir.space", eo->space, oir->space);
}

// Field by field.
bool oracle_crosscheck(const struct oracle *o, const struct commit_bundle *bundle, const struct sample *select,
                       const struct oir *oir, struct oracle_difference *d) {
    struct sample e;
    const unsigned rule = bundle_rule_broken(bundle, o->width, &o->before);
    if (rule) return differ(d, "bundle rule", 0, rule);
    oracle_selection(o, bundle, &e);
    return differ_sample(&e, select, d) || differ_oir(&o->oir, oir, d);
}
