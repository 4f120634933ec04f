// Memory behind the L1 caches: contents, and a timing model of the last-level cache and DRAM.
//
// Requests take effect on the contents in order of acceptance. Timing (cycles; t = cycle of acceptance):
//   LLC hit    response at t + llc.latency
//   LLC miss   DRAM starts at s = max(t + llc.latency, when an LLC MSHR is free, when the DRAM channel is free);
//              response at s + memory.latency; the channel is free again at s + memory.cycles_per_line
//   a miss to a line that is on its way already shares that line's response time, and takes no MSHR
//   write-back allocates in the LLC without a fetch and gets no response; a dirty victim takes the channel for
//   memory.cycles_per_line
// A port is ready while an MSHR is free. One response a cycle and port, oldest due first.
#ifndef TIPOFF_HARNESS_MEMORY_H
#define TIPOFF_HARNESS_MEMORY_H

#include "base/error.h"
#include "harness/machine_config.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_PORTS 2

struct memory;
struct memory_response {
    unsigned id;
    bool llc_miss;
    uint64_t data[8];
};
struct memory_counts {
    uint64_t reads, writes, llc_misses, dram_lines;
};

struct memory *memory_create(const struct machine_config *config, struct error *err);
void memory_destroy(struct memory *memory);
// Host address of [addr, addr + bytes) in boot ROM or DRAM, or NULL where it is not wholly inside one.
void *memory_at(struct memory *memory, uint64_t addr, size_t bytes);

// One cycle: any read and write requests accepted in it, then one tick.
__attribute__((nonnull)) void memory_read(struct memory *memory, unsigned port, unsigned id, uint64_t addr);
void memory_write(struct memory *memory, uint64_t addr, const uint64_t data[8]);
void memory_tick(struct memory *memory);
// After a tick: whether the ports accept a request in the next cycle; the response of a port, or NULL.
bool memory_ready(const struct memory *memory);
const struct memory_response *memory_response(const struct memory *memory, unsigned port);
struct memory_counts memory_counts(const struct memory *memory);

#endif
