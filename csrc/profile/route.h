// The way by which an instruction was reached: the last transfers of control before it, exactly, from the stream of
// executed instructions. What histories of branch directions are held to.
#ifndef TIPOFF_PROFILE_ROUTE_H
#define TIPOFF_PROFILE_ROUTE_H

#include "results.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROUTE_BRANCHES = 16 }; // conditional branches of a route, where that many were executed

// ---- the last of a stream ----
struct route_past;
struct route_past *route_past_create(void);    // NULL: no memory
void route_past_destroy(struct route_past *p); // NULL is fine
// The next instruction that was executed. insn: as fetched; a 16-bit form zero-extended.
void route_past_add(struct route_past *p, uint64_t cycle, uint64_t pc, uint32_t insn);
void route_past_trap(struct route_past *p, uint64_t epc); // instead of what is at epc
struct route_found {
    uint16_t history; // directions of the last 16 conditional branches before it, the youngest in bit 0; 0: fewer
    uint16_t either;  // of them those that go to the next instruction either way
    uint64_t end;     // for route_past_steps
};
// The instruction there that was executed in that cycle, of the last 65,536. False: there is none.
bool route_past_find(const struct route_past *p, uint64_t cycle, uint64_t pc, struct route_found *found);
// Its route, the youngest first, up to the 16th conditional branch. Returns the number of steps.
size_t route_past_steps(const struct route_past *p, const struct route_found *found,
                        struct route_step steps[ROUTE_STEPS]);

#endif
