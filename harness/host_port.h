// The host's port of the hub: how it reads and writes what a program of several harts has in memory (HTIF), while their
// caches stay coherent.
//
//   GET or OWN of the line --> answer: its words are accessed --> PUT, where they have changed --> PUT_ACK --> done
//
// The hub keeps the line for it from the answer to `done`: no hart can write a line that is read, nor hold one that is
// written. It keeps no copy after that, so no snoop comes for it. Messages take the links' latency, as a tile's do.
#ifndef TIPOFF_HARNESS_HOST_PORT_H
#define TIPOFF_HARNESS_HOST_PORT_H

#include "harness/host.h"
#include "harness/links.h"
#include "workers/harts.h"

struct host_port;
// All stay the caller's. harts: who proves what it reads; NULL: nobody does. NULL
// with err: no memory.
struct host_port *host_port_create(struct host *host, struct links *links, struct memory *memory, struct harts *harts,
                                   struct error *err);
void host_port_destroy(struct host_port *p); // NULL is fine
// A cycle, which every hart has run. The system call under way is that hart's.
void host_port_cycle(struct host_port *p, uint64_t cycle, unsigned hart);

#endif
