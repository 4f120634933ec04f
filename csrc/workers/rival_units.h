// The rival profilers' units (rtl/profile/rivals) with a C interface: build/<config>/rivals.so, made from the RTL by
// Verilator and harness/rivals_shim.cpp, and clocked beside the core's model by worker `rivals`.
#ifndef TIPOFF_WORKERS_RIVAL_UNITS_H
#define TIPOFF_WORKERS_RIVAL_UNITS_H

#include "base/error.h"
#include "records.h"
#include <stdbool.h>
#include <stdint.h>

#define RIVAL_UNITS_VERSION 1u
enum { RIVAL_UNITS = 8, RIVAL_TAGS = 1 }; // the units; tags that a tagging one has
// In the order of sim/rivals/rivals_top.sv; a profiler of that name models each (profilers/profilers.h).
#define RIVAL_UNIT_NAMES "LCI", "NCI", "NCI-TEA", "Dispatch", "IBS", "SPE", "Fetch", "RIS"

struct rival_sample {
    bool named; // false: there was no instruction yet
    uint8_t priv;
    uint16_t psv;
    uint32_t count; // number of triggers
    uint64_t pc, space;
};

struct rival_units; // the shim's

// What rivals.so exports: one function `const struct rival_units_api *tipoff_rival_units(void)`.
struct rival_units_api {
    uint32_t version;                    // RIVAL_UNITS_VERSION
    const char *config, *digest;         // of the gen/model_digest.h it was built with
    struct rival_units *(*create)(void); // out of reset
    void (*destroy)(struct rival_units *units);
    // A cycle. The units that complete a sample in it, bit i for unit i, with samples[i].
    unsigned (*cycle)(struct rival_units *units, const struct commit_bundle *bundle, bool trigger,
                      struct rival_sample samples[RIVAL_UNITS]);
    bool (*failed)(const struct rival_units *units); // an assertion; its message is on stdout
};

// The units that belong to the core's model at `model`: rivals.so in the same folder. NULL with err: it is missing,
// not loadable, another version, or of another configuration or other tables than `config` and `digest` say.
const struct rival_units_api *rival_units_load(const char *model, const char *config, const char *digest,
                                               struct error *err);

#endif
