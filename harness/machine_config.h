// The keys of a configuration (build/<config>/gen/config.json) that the C side of the simulation needs.
#ifndef TIPOFF_HARNESS_MACHINE_CONFIG_H
#define TIPOFF_HARNESS_MACHINE_CONFIG_H

#include "base/error.h"
#include <stdint.h>

struct machine_config {
    char name[64];
    uint32_t width; // commit width
    uint32_t fp;    // 1: the core has F and D
    uint32_t clock_mhz;
    uint32_t sample_counter; // mhpmcounter whose overflow triggers a sample
    uint32_t tea;            // 1: samples wait for the complete vector of their instruction
    uint32_t llc_kib, llc_ways, llc_mshrs;
    uint32_t llc_latency;            // cycles, L1 miss request to response, on a hit
    uint32_t memory_latency;         // cycles, LLC miss to data
    uint32_t memory_cycles_per_line; // cycles between two lines
};

// 0, or a negative errno with err filled in.
int machine_config_load(struct machine_config *config, const char *path, struct error *err);
// U = lcm(1..width): accounting units in a cycle (design/1 section 2).
uint32_t machine_config_units(const struct machine_config *config);

#endif
