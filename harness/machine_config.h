// The keys of a configuration (build/<config>/gen/config.json) that the C side of the simulation needs.
#ifndef TIPOFF_HARNESS_MACHINE_CONFIG_H
#define TIPOFF_HARNESS_MACHINE_CONFIG_H

#include "base/error.h"
#include "harness/cache_level.h"
#include "harness/dram.h"
#include <stdint.h>

// Which parts of the core are ideal in this run, 1 each; sockets: whether its model has them at all.
struct ideal_config {
    uint32_t sockets, branches, l1i, l1d, tlb, memory_order;
};

struct machine_config {
    char name[64];
    char settings[256];    // keys that were set for this run: "llc.latency=40 dram.banks=8", or ""
    char model_digest[32]; // of the model that belongs to it
    uint32_t width;        // commit width
    uint32_t rob_entries;  // of the ROB
    uint32_t fp;           // 1: the core has F and D
    uint32_t fcsr_flush;   // 1: writes of fcsr flush the pipeline
    uint32_t pmp_entries;  // regions of physical memory protection; 0: none
    uint32_t ad_update;    // 1: A and D bits are set by hardware
    uint32_t clock_mhz;
    uint32_t counters;                // programmable ones: mhpmcounter3 to 2 + counters
    uint32_t sample_counter;          // mhpmcounter whose overflow triggers a sample
    uint32_t vectors;                 // 1: instructions carry performance signature vectors
    uint32_t vector_window;           // they are kept from 2^this counts before a sample on; 0: always
    uint32_t fetch_width;             // parcels of 16 bits
    uint32_t load_queue, store_queue; // entries
    uint32_t mshrs;                   // of the L1 data cache
    struct l1_config {                // the L1 caches: lines of 64 bytes
        uint32_t sets, ways;
    } l1i, l1d;
    uint32_t profile_tags;             // instructions that ProfileMe follows at a time; 0: there is no ProfileMe
    uint32_t tea;                      // 1: samples wait for the complete vector of their instruction
    uint32_t address_bits;             // of an address that samples keep, the uppermost repeated above
    uint32_t window;                   // 1: indirect access to registers (siselect, sireg, ...)
    uint32_t coherent;                 // 1: its tile sends messages to a hub
    uint32_t ctr_depth;                // control transfer records; 0: none
    uint32_t triggers;                 // on addresses; 0: none
    struct cache_level_config l2, llc; // l2.kib = 0: no L2
    struct dram_config dram;
    struct ideal_config ideal;
};

// 0, or a negative errno with err filled in: the file is missing, damaged, or made from other tables than this program.
int machine_config_load(struct machine_config *config, const char *path, struct error *err);
// setting: KEY=VALUE of a key that only the C side reads (tables/config_keys.tsv, sv -). 0, or -EINVAL with err.
int machine_config_set(struct machine_config *config, const char *setting, struct error *err);
// U = lcm(1..width): accounting units in a cycle (docs/guide/profiling.md, "Files for other programs").
uint32_t machine_config_units(const struct machine_config *config);
// Events of its signature vectors: the first ones of tables/events.tsv.
uint32_t machine_config_events(const struct machine_config *config);

#endif
