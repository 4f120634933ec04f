// Gus: how long a stream of instructions takes on a core that is nothing but resources, and which of them, made faster,
// would make it shorter (Pompougnac et al., "Performance bottlenecks detection through microarchitectural sensitivity",
// 2024, Algorithm 1). Knows no instruction set: it is told what each instruction uses, reads and writes.
//
// Time is fixed-point: GUS_CYCLE units are a cycle. All rules are maxima, sums and order statistics of earlier times,
// and none decides anything by time: no resource that becomes faster makes a stream slower.
#ifndef TIPOFF_METHODS_GUS_GUS_H
#define TIPOFF_METHODS_GUS_GUS_H

#include "base/error.h"
#include "methods/gus/table.h"

#define GUS_CYCLE (UINT64_C(1) << 20)
enum { GUS_SOURCES = 3, GUS_REGISTERS = 64 }; // register 0: none
enum gus_flag {
    GUS_LOAD = 1,
    GUS_STORE = 2,
    GUS_SERIAL = 4,        // begins when all older ones have left, and the younger ones when it has
    GUS_FLUSH = 8,         // what follows is fetched when it has left
    GUS_MISPREDICTED = 16, // what follows is fetched when it is executed
    GUS_PACKET = 32,       // first of what is fetched at once
    GUS_BUBBLE = 64        // the packet's address was known a cycle late
};
enum gus_level { GUS_L1, GUS_LLC, GUS_ROW_HIT, GUS_ROW_MISS, GUS_LEVELS }; // who has a line; the last two are memory

struct gus_event {
    uint32_t place; // of the instruction in the program, from 0 on, dense
    uint16_t kind;  // row of the table's kinds
    uint8_t flags;  // enum gus_flag
    uint8_t target; // register
    uint8_t sources[GUS_SOURCES];
    uint8_t level, fetch_level;          // enum gus_level: of its data, of its packet
    uint16_t extra;                      // cycles of latency beyond its kind's
    uint64_t word;                       // of memory, accessed: address / 8
    uint64_t fetch_line;                 // address / 64, of its packet
    uint64_t next_line, fetch_next_line; // prefetched beside its data, its packet; 0: none. Their levels:
    uint8_t next_level, fetch_next_level;
};
// What an instruction of the program did.
struct gus_place {
    uint16_t kind;
    uint64_t executions, misses, mispredicted;
    uint64_t latency; // sum over its executions, of GUS_CYCLE
    uint64_t exposed; // time between the end of the instruction before and its own: all places sum up to gus_time
};

struct gus;
// table is borrowed. faster: by resource, per cent above the table; NULL: none. NULL with err: no memory.
struct gus *gus_create(const struct gus_table *table, const unsigned *faster, struct error *err);
void gus_destroy(struct gus *g);                   // NULL is fine
bool gus_keep_places(struct gus *g, size_t count); // counts by place, of places below count; false: no memory
void gus_step(struct gus *g, const struct gus_event *event);

uint64_t gus_time(const struct gus *g); // until the last instruction has left, of GUS_CYCLE
uint64_t gus_instructions(const struct gus *g);
// How busy a resource was, 0 to 1: of what it can do in that time, or of its entries on average; what stores that have
// left still use counts, too. Negative: a latency.
double gus_occupancy(const struct gus *g, unsigned resource);
const struct gus_place *gus_places(const struct gus *g);

#endif
