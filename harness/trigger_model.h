// When the harness's sampling counter must overflow: counter, reload and jitter (rtl/profile/pmu.sv, sample_reload.sv)
// a second time. Every trigger of the unit is compared with it, so that no period can be wrong and no trigger missing.
#ifndef TIPOFF_HARNESS_TRIGGER_MODEL_H
#define TIPOFF_HARNESS_TRIGGER_MODEL_H

#include "profile/sampling_settings.h"
#include <stdbool.h>
#include <stdint.h>

struct trigger_model {
    struct sampling_settings settings;
    uint32_t random; // of the shift register, as it stands in cycle `at`; golden: the fraction
    uint64_t at;
    uint64_t next; // cycle of the next trigger
};

// The seed was written in cycle `seeded` (it stands in the register from the next one on). The counter holds minus the
// period, and counts cycles from the one after `started` on.
void trigger_model_start(struct trigger_model *m, const struct sampling_settings *settings, uint64_t seeded,
                         uint64_t started);
// The trigger has come in cycle m->next: works out the next one.
void trigger_model_advance(struct trigger_model *m);

#endif
