// A hart beside the first one of its machine, perhaps of another kind: what software sees is alike, and what stands
// outside the tiles is the first one's.
#include "harness/core_internal.h"

bool core_join(struct core *c) {
    const struct machine_config *first = c->place.first ? &c->place.first->config : NULL;
    struct machine_config *own = &c->config;
    if (!first) return true;
    const struct {
        const char *key;
        uint32_t first, own;
    } seen[] = {{"core.fp", first->fp, own->fp},
                {"core.pmp_entries", first->pmp_entries, own->pmp_entries},
                {"mmu.ad_update", first->ad_update, own->ad_update},
                {"profile.counters", first->counters, own->counters},
                {"profile.window", first->window, own->window},
                {"profile.ctr_depth", first->ctr_depth, own->ctr_depth},
                {"profile.tags", first->profile_tags, own->profile_tags},
                {"profile.triggers", first->triggers, own->triggers}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        if (seen[i].own == seen[i].first) continue;
        error_set(c->err,
                  "%s: %s = %u, and %u in %s, hart 0's: software sees that, so it is the same on all harts of a "
                  "machine: name configurations that agree in it",
                  own->name, seen[i].key, seen[i].own, seen[i].first, first->name);
        return false;
    }
    own->l2 = first->l2;
    own->llc = first->llc;
    own->dram = first->dram;
    own->clock_mhz = first->clock_mhz;
    return true;
}
