// The simulated machine outside the tile: memory, devices and their interrupt lines, as the DPI calls see them.
#ifndef TIPOFF_HARNESS_SOC_H
#define TIPOFF_HARNESS_SOC_H

#include "base/elf.h"
#include "harness/board.h"
#include "harness/memory.h"
#include "iss/resume.h"
#include "machine/peripherals.h"
#include "trace/dpi.h"
#include <stdio.h>

struct soc;
// A tile's place among several of one machine.
struct soc_place {
    struct board *board; // NULL: it is the only one
    unsigned hart;
    const struct soc *first; // of another tile of the machine: memory is its; NULL: this is the first one's
};
struct links;
// memory: bytes of DRAM, a size of base/memory_size.h. Those of place live as long.
struct soc *soc_create(const struct machine_config *config, uint64_t memory, const struct console *console,
                       const struct soc_place *place, struct error *err);
// Of a coherent tile, before the first tick: it asks a hub, which lives as long.
void soc_link(struct soc *soc, struct links *links);
struct memory *soc_memory(struct soc *soc);
uint64_t soc_memory_bytes(const struct soc *soc);
void soc_destroy(struct soc *soc);
// Boot ROM and segments of the program into memory, which is all zero as it is made.
int soc_load(struct soc *soc, const struct image *image, struct error *err);
// Devices as a checkpoint has them, at the ends that console names; before the first tick. Of harts, those that they
// share: the first one's call counts.
void soc_restore(struct soc *soc, const struct resume_devices *devices, const struct console *console);
void *soc_memory_at(struct soc *soc, uint64_t addr, size_t bytes); // memory, not what caches hold; NULL: there is none
struct memory_counts soc_memory_counts(const struct soc *soc);
uint64_t soc_mtime(const struct soc *soc, uint64_t tick);   // in that tick, as it counts now
uint64_t soc_ticks(const struct soc *soc);                  // so far
const struct finisher *soc_finisher(const struct soc *soc); // whether and how software has ended the run
uint64_t soc_note(const struct soc *soc);                   // what it said of it (FINISHER_NOTE); 0: nothing
uint64_t soc_timer(const struct soc *soc); // tick in which the timer asks for its interrupt; UINT64_MAX: never
// The DPI calls of sim/machine.sv: requests accepted in a cycle, one tick, then the data of announced responses.
void soc_line_read(struct soc *soc, int port, unsigned id, uint64_t addr);
void soc_line_write(struct soc *soc, uint64_t addr, const uint64_t data[8]);
void soc_device_request(struct soc *soc, bool write, unsigned bytes, uint64_t addr, uint64_t data);
void soc_lost_store(struct soc *soc, uint64_t addr); // the core has lost a store to a physical address
uint32_t soc_tick(struct soc *soc, uint64_t *mtime);
const struct hub_in *soc_hub_in(const struct soc *soc); // of the tick
// The access of soc_device_request; of several harts it has its data in the tick of its response.
struct soc_access {
    bool write;
    unsigned bytes;
    uint64_t addr, data;
};
const struct soc_access *soc_device_access(const struct soc *soc);
void soc_line_data(struct soc *soc, int port, uint64_t data[8]);
uint64_t soc_device_data(const struct soc *soc);

#endif
