// What the harts of one machine share beside memory: its devices, and the host that a program ends by.
//
// What a hart does in cycle t is done here once all harts have run cycle t, in the order of their numbers; the others
// see it from cycle t + BOARD_LATENCY on, and so does it itself. So the order in which harts take turns, at most that
// many cycles apart, changes nothing (harness/schedule.h).
#ifndef TIPOFF_HARNESS_BOARD_H
#define TIPOFF_HARNESS_BOARD_H

#include "base/error.h"
#include "harness/devices.h"
#include "harness/host.h"
#include "harness/host_port.h"

enum { BOARD_LATENCY = 4 }; // cycles from tile to tile

struct board;
// harts: 2 to MACHINE_MOST_HARTS; host stays the caller's and lives as long. NULL with err: no memory.
struct board *board_create(unsigned harts, struct host *host, struct error *err);
void board_destroy(struct board *b);                                    // NULL is fine
void board_restore(struct board *b, const struct resume_devices *from); // before the first cycle
unsigned board_harts(const struct board *b);
// System calls by HTIF are served by this port, which stays the caller's; without one they end the run.
void board_serve(struct board *b, struct host_port *port);

// ---- inside the clock edge of a hart's model: what it does in that cycle ----
void board_access(struct board *b, unsigned hart, uint64_t cycle, bool write, unsigned bytes, uint64_t addr,
                  uint64_t data);
void board_lost_store(struct board *b, unsigned hart, uint64_t cycle, uint64_t addr);
void board_tohost(struct board *b, unsigned hart, uint64_t cycle, unsigned bytes, uint64_t addr, uint64_t data);
// What the hart's lines follow from in that cycle.
const struct device_lines *board_lines(const struct board *b, unsigned hart, uint64_t cycle);
// Its access has been done, and this came of it; NULL: not yet.
const struct device_access *board_access_done(const struct board *b, unsigned hart);

// ---- between two turns ----
// Every hart has run all cycles before this one.
void board_advance(struct board *b, uint64_t cycle);
// The cycle before which all harts stop. UINT64_MAX: they go on. The first who asks for it determines it; harts have
// run no cycle from there on.
uint64_t board_end(const struct board *b);
void board_stop(struct board *b, uint64_t cycle);
// The hart that has ended the program, or asked for what its host does not do; MACHINE_MOST_HARTS: none.
unsigned board_ended_by(const struct board *b);
bool board_asks_host(const struct board *b); // it is a system call, and there is no port to serve it by
const struct devices *board_devices(const struct board *b);

#endif
