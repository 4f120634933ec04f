// Timing of a DDR3 memory after the last-level cache: banks with open rows, FR-FCFS scheduling, one data bus.
//
// Time here is the memory clock (dram.mhz); callers count core cycles, and the ratio of the two clocks is kept exact.
// In each memory clock one command leaves the controller, to one of ranks x banks banks:
//
//   row hit        column command ............................ data after tcas
//   row miss       activate, trcd, column command ............ data after tcas     (the bank was closed)
//   row conflict   precharge, trp, activate, trcd, column .... data after tcas     (another row was open)
//
// - A line takes 64 bytes / dram.mb_per_s on the data bus. Between bursts of different ranks the bus rests for
//   rank_switch clocks.
// - Open page: a row stays open until another row of its bank is wanted. A precharge waits until the data of the bank's
//   last column command has passed the bus: this rule stands for tRAS, tRTP and tWR together. Refresh is not modelled.
// - FR-FCFS (Rixner et al., ISCA 2000): of the commands that may leave now, column commands go first, then the oldest
//   request's. A row that queued requests hit is not closed. A request older than age_limit clocks goes before all
//   others, and younger ones to its bank wait: nothing starves.
// - Lines of a row are neighbours; rows go round the banks, then the ranks. The bank number is exclusive-ored with the
//   row's low bits, so that arrays a power of two apart do not meet in one bank (Zhang et al., MICRO 2000).
#ifndef TIPOFF_HARNESS_DRAM_H
#define TIPOFF_HARNESS_DRAM_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

struct dram_config {
    uint32_t mhz, mb_per_s;   // memory clock; 10^6 bytes a second
    uint32_t ranks, banks;    // banks of a rank; both powers of two
    uint32_t row_bytes;       // of a bank over all chips of a rank; a power of two
    uint32_t tcas, trcd, trp; // memory clocks
    uint32_t rank_switch;     // memory clocks
    uint32_t age_limit;       // memory clocks
    uint32_t write_queue;     // writes that may wait before dram_full
    uint32_t latency;         // core cycles of the way between the last-level cache and the bus, both ways
};
struct dram_counts {
    uint64_t reads, writes, row_hits, row_misses, row_conflicts; // of column commands issued
};
struct dram_done {
    uint32_t tag;
    uint64_t cycle; // core cycle in which the line is at the last-level cache
};

struct dram;
// reads: how many are in flight at most. NULL: err says why.
struct dram *dram_create(const struct dram_config *config, uint32_t core_mhz, uint32_t reads, struct error *err);
void dram_destroy(struct dram *dram);
// A line (address / 64) in core cycle `cycle`, not before the cycle of the last step. tag comes back with a read.
void dram_request(struct dram *dram, uint64_t cycle, uint64_t line, bool write, uint32_t tag);
// Before the first request: this line's row is open in its bank.
void dram_open(struct dram *dram, uint64_t line);
// The write queue is nearly full: no more writes; the few already on their way still fit.
bool dram_full(const struct dram *dram);
// Core cycle in which dram_step may have something to do; UINT64_MAX when idle.
uint64_t dram_next(const struct dram *dram);
// Issues commands up to core cycle `cycle`. True: the time of a read is known now; call again. False: no more.
bool dram_step(struct dram *dram, uint64_t cycle, struct dram_done *done);
struct dram_counts dram_counts(const struct dram *dram);

#endif
