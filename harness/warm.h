// Caches as they would be where a run begins in the midst of a program: the last accesses before it
// (iss/last_accesses.h) once more, oldest first, through L1 caches without time, L2, LLC and the rows of DRAM
// (harness/memory.h).
//
// What the L1 caches hold then is given to the model line by line while it is in reset, before it can ask for anything
// (sim/warm_lines.sv). A line is dirty if it was written while it was in the cache; memory has its value, too.
//
// Of several harts, whose L1 data caches a hub keeps coherent, a line has the state that these accesses leave: what one
// writes the others have no more; what one reads that another has is owned by nobody, and clean. The hub has no state
// of lines.
#ifndef TIPOFF_HARNESS_WARM_H
#define TIPOFF_HARNESS_WARM_H

#include "harness/machine_config.h"
#include "harness/memory.h"
#include "iss/last_accesses.h"

struct warm;
// Of that many harts of one kind. l1: also the L1 caches; else those after them alone. NULL with err: no memory.
struct warm *warm_create(const struct machine_config *config, unsigned harts, bool l1, struct error *err);
void warm_destroy(struct warm *w); // NULL is fine
// Those of other harts are passed over. False with err: the memory has been asked for something already.
bool warm_replay(struct warm *w, const struct last_accesses *accesses, struct memory *memory, struct error *err);

// Lines of a hart's L1 caches, and the next of them: its number (address / 64), and where it lies. All harts have as
// many, since each takes a cycle: those that a hart lacks are WARM_NONE.
enum { WARM_DIRTY = 1 << 8, WARM_INSN = 1 << 9, WARM_OWNED = 1 << 10, WARM_USED = 16 }; // bits 7:0: the way
enum { WARM_NONE = 0xff };
unsigned warm_left(const struct warm *w, unsigned hart);
// Bits from WARM_USED on: the ways of its set that count as used lately. 0 <= a call for each of warm_left.
uint32_t warm_take(struct warm *w, unsigned hart, uint64_t *line);
// The line in place `at` of a hart's L1 data cache. False: there is none.
size_t warm_places(const struct warm *w);
bool warm_holds(const struct warm *w, unsigned hart, size_t at, uint64_t *line, bool *owned);

#endif
