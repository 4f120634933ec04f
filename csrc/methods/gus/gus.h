// Gus: how long a stream of instructions takes on a core that is nothing but resources, and which of them, made faster,
// would make it shorter (Pompougnac et al., "Performance bottlenecks detection through microarchitectural sensitivity",
// 2024, Algorithm 1). Knows no instruction set: events say what each instruction uses, reads and writes.
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
    GUS_OLDEST = 64,       // begins when all older ones have left, and the stores among them are in the cache
    GUS_DEVICE = 128,      // its access goes to a device
    GUS_SPLIT = 256,       // a store that starts with its address (source 0), and again with its data
    GUS_AGAIN = 512,       // a load whose line is on its way already
    GUS_WAITS = 1024,      // a load that starts when the addresses of all older stores are known
    GUS_REPLAYED = 2048,   // a load that was ahead of an older store of its word: fetched again when it is the oldest
    GUS_PAGE_AGAIN = 4096, // its page's translation is on its way already
    GUS_OWNS = 8192,       // a store whose line others have, too: it asks for it again when it drains
    GUS_MEETS = 16384      // its line is one that harts write and others use
};
enum gus_level {
    GUS_L1,
    GUS_L2,
    GUS_LLC,
    GUS_ROW_HIT,
    GUS_ROW_MISS,
    GUS_PEER,
    GUS_LEVELS
}; // who has a line; rows: of memory; PEER: another hart, modified
enum { GUS_WALK = 3, GUS_SECOND_TLB = 15 };

struct gus_event {
    uint32_t place; // of the instruction in the program, from 0 on, dense
    uint16_t kind;  // row of the table's kinds
    int16_t extra;  // cycles of latency beyond its kind's
    uint16_t flags; // enum gus_flag
    uint8_t target; // register
    uint8_t sources[GUS_SOURCES];
    uint8_t level, fetch_level; // enum gus_level: of its data, of its packet
    uint8_t bubbles;            // fetches for nothing before its packet's
    uint8_t mask;               // bytes of `word` that it accesses
    uint16_t written, sunk;     // dirty lines that its misses send out of the L1, to memory
    uint8_t next_level, fetch_next_level;
    // Reads of the walks for its data and its packet: enum gus_level + 1, 0 after the last; or GUS_SECOND_TLB alone,
    // when the second-level TLB had the page. All 0: no miss.
    uint8_t walk[GUS_WALK], fetch_walk[GUS_WALK];
    uint8_t own_level;                   // of GUS_OWNS: who has the line when it asks again
    uint32_t page;                       // of its data, if translated: any number that is its own; else 0
    uint64_t word;                       // of memory, accessed: address / 8
    uint64_t fetch_line;                 // address / 64, of its packet
    uint64_t next_line, fetch_next_line; // prefetched beside its data, its packet; 0: none
};
// What an instruction of the program did.
struct gus_place {
    uint16_t kind;
    uint64_t executions, misses, mispredicted;
    uint64_t walks;   // misses of the data TLB
    uint64_t latency; // sum over its executions, of GUS_CYCLE
    uint64_t exposed; // time between the end of the instruction before and its own: all places sum up to gus_time
};

struct gus;
// table is borrowed. faster: by resource, per cent above the table; NULL: none. NULL with err: no memory.
struct gus *gus_create(const struct gus_table *table, const unsigned *faster, struct error *err);
bool gus_is_plain(const struct gus *g);            // nothing of it is faster
void gus_destroy(struct gus *g);                   // NULL is fine
bool gus_keep_places(struct gus *g, size_t count); // counts by place, of places below count; false: no memory
void gus_step(struct gus *g, const struct gus_event *event);

// Several harts, a model each, over one memory system: traffic belongs to all of them, and outlives them. Before the
// first event.
struct gus_traffic;
void gus_share(struct gus *g, struct gus_traffic *traffic, unsigned hart);
// Nothing happens until then; what follows is fetched then. The time is that of the instruction at `place`.
void gus_wait(struct gus *g, uint32_t place, uint64_t until);

uint64_t gus_time(const struct gus *g); // until the last instruction has left, of GUS_CYCLE
uint64_t gus_instructions(const struct gus *g);
// How busy a resource was, 0 to 1: of what it can do in that time, or of its entries on average; what stores that have
// left still use counts, too. Negative: a latency.
double gus_occupancy(const struct gus *g, unsigned resource);
const struct gus_place *gus_places(const struct gus *g); // NULL: none
size_t gus_place_count(const struct gus *g);

#endif
