// What an instruction that stalls the core waits for: the instruction that its last operand comes from, or the store
// that a load's bytes come from.
//
// Of an instruction X that is the oldest for some cycles before it commits:
//   producers   the instructions in flight, as X enters the ROB, whose registers it reads
//   the last    of those that complete after X has entered the ROB, the one that completes last (the younger of two)
//   the origin  it; but where that is an operation of one cycle (alu, branch, jump) that itself had to wait for a last
//               producer, the origin of that: a chain of additions after a load waits for the load
//   the store   of a load that met no miss: the youngest older store to any of its bytes, if it commits after the load
//               has entered the ROB. It goes before a producer where it does not have all the bytes: the load then
//               waits until it is in the cache. Else the producer goes before it
// X waits for the store or the origin, all cycles that it stalls the core. Where there is neither, for nothing that is
// counted here: its operands were ready.
#ifndef TIPOFF_ORACLE_WAITS_H
#define TIPOFF_ORACLE_WAITS_H

#include "base/error.h"
#include "profile/pair_table.h"
#include "trace/cycle.h"

// Of pairs (X, what it waits for): how often, cycles, and how often with others between them.
enum wait_count { WAIT_TIMES, WAIT_CYCLES, WAIT_CHAINED, WAIT_COUNTS };

struct wait_access { // of a committing instruction to memory
    bool load, store;
    uint8_t bytes;
    uint64_t address; // physical
};

struct waits;
struct waits *waits_create(unsigned width, struct error *err); // NULL with err
void waits_destroy(struct waits *w);                           // NULL is fine
// Every cycle in which something happens, in order. accesses: of those that commit, oldest first. 0, or -ENOMEM with
// err.
int waits_step(struct waits *w, uint64_t cycle, const struct commit_bundle *b, const struct trace_stages *stages,
               const struct wait_access *accesses, struct error *err);
void waits_begin(struct waits *w, uint64_t cycle);           // counts from this cycle on
void waits_end(struct waits *w);                             // what follows does not count
const struct pair_table *waits_pairs(const struct waits *w); // by (X, origin): enum wait_count

#endif
