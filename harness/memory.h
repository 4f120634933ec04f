// Memory after the L1 caches: contents, and a timing model of the L2 (if there is one), the last-level cache and DRAM.
//
// Requests take effect on the contents in order of acceptance. Timing, in core cycles; a level is L2 or LLC:
//
//   request at t --> level: hit, data at t + latency
//                      '--> miss: at t + latency a request to the next level, at last to DRAM (dram.h)
//                           data from there is at once data of this level and goes to all who wait for the line
//
// - A miss takes an MSHR of its level. Where none is free, requests wait in order in front of the level and are looked
//   up when one is. So they do while the DRAM's write queue is full.
// - A read of a line that is on its way joins its MSHR and shares its data, but has it at t + latency at the earliest.
// - A write-back allocates in the first level without a fetch, and gets no response; a dirty line that has to make room
//   is a write-back to the next level, at last to DRAM. Levels hold lines independently of each other.
// - The boot ROM answers like a hit in the first level.
// Ports are ready while the first level has a free MSHR, nothing waits in front of it, and DRAM takes writes.
// Responses: one a cycle and port, in order of their data.
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
    bool l2_miss, llc_miss; // levels that had to ask the next one; l2_miss is false without an L2
    bool error;             // the bus answers with an error: no data
    uint64_t data[8];
};
struct memory_counts {
    uint64_t reads, writes; // at the ports
    struct cache_counts l2, llc;
    struct dram_counts dram;
};

// memory: bytes of DRAM, a size of base/memory_size.h. of: whose DRAM it is, which lives as long; NULL: its own.
struct memory *memory_create(const struct machine_config *config, uint64_t memory, const struct memory *of,
                             struct error *err);
void memory_destroy(struct memory *memory);
// Host address of [addr, addr + bytes) in boot ROM or DRAM, or NULL where it is not wholly inside one.
void *memory_at(struct memory *memory, uint64_t addr, size_t bytes);

// Before the first request, for a run that begins in the midst of a program: a line (address / 64) is read, or written
// back, and takes its place in the levels and in the rows of DRAM, without time and uncounted. False: a request has
// come already, and nothing was done.
bool memory_warm(struct memory *memory, uint64_t line, bool write);

// One cycle: any read and write requests accepted in it, then one tick.
__attribute__((nonnull)) void memory_read(struct memory *memory, unsigned port, unsigned id, uint64_t addr);
void memory_write(struct memory *memory, uint64_t addr, const uint64_t data[8]);
void memory_tick(struct memory *memory);
// After a tick: whether the ports accept a request in the next cycle; the response of a port, or NULL.
bool memory_ready(const struct memory *memory);
const struct memory_response *memory_response(const struct memory *memory, unsigned port);
struct memory_counts memory_counts(const struct memory *memory);
struct memory_counts memory_counts_since(struct memory_counts now, struct memory_counts before);

#endif
