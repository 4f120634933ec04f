// The C side of ideal parts of the simulated core (sim/ideal_pkg.sv): memory as the core's loads see it, and what the
// program will do next.
#ifndef TIPOFF_HARNESS_IDEAL_H
#define TIPOFF_HARNESS_IDEAL_H

#include "cosim/cosim.h"
#include "harness/machine_config.h"
#include "harness/soc.h"

// Bits of ideal_parts, as in sim/ideal_pkg.sv.
enum { IDEAL_BRANCHES = 1, IDEAL_L1I = 2, IDEAL_L1D = 4, IDEAL_TLB = 8, IDEAL_MEMORY_ORDER = 16 };

struct ideal;

uint32_t ideal_parts(const struct machine_config *config); // that are switched on
// 0, or -EINVAL with err: parts are on, but this configuration's model has no sockets for them.
int ideal_check(const struct machine_config *config, struct error *err);
// soc and image are borrowed. NULL with err: out of memory.
struct ideal *ideal_create(uint32_t parts, struct soc *soc, const struct image *image, const struct cosim_core *core,
                           struct error *err);
void ideal_destroy(struct ideal *ideal);        // NULL is fine
bool ideal_predicts(const struct ideal *ideal); // it needs what leaves
void ideal_left(struct ideal *ideal, const struct trace_left *left);
// Only where it predicts. How often the core did something else than predicted.
struct ideal_foresight {
    uint64_t interrupts, unknowable, host_writes;
};
struct ideal_foresight ideal_foresight(const struct ideal *ideal);
// 0, or -EBADMSG with err: the core did something else without a reason: parts were not ideal in this run.
int ideal_finish(const struct ideal *ideal, struct error *err);

// Each line that an ideal data cache has written, as memory has it: it never writes one back. Without such a cache:
// none.
void ideal_emit_written(struct ideal *ideal, void (*line)(void *context, uint64_t address, const uint64_t data[8]),
                        void *context);

// What the sockets ask: sim/ideal_pkg.sv.
uint64_t ideal_read(struct ideal *ideal, uint64_t address); // 0 where there is no memory
void ideal_write(struct ideal *ideal, uint64_t address, uint64_t word, unsigned mask);
bool ideal_table(struct ideal *ideal, uint64_t address, uint64_t *pte);
unsigned ideal_packet(struct ideal *ideal, uint64_t number, uint64_t pc, unsigned bytes, uint64_t *target);
unsigned ideal_store(struct ideal *ideal, uint64_t number, uint64_t address, unsigned mask);

#endif
