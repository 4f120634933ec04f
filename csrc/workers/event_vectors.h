// The performance signature vectors that instructions leave the ROB with, against what others know of them: lockstep
// (traps, replays, what kind of instruction it is, physical addresses), the shadow ROB (when it was dispatched and when
// it became the oldest) and the memory model (which line was asked for when, and which missed the last-level cache).
//
// Exact, of every instruction that leaves (commits, traps or is replayed):
//   FL_MB  if and only if it commits as mispredicted
//   FL_EX  if and only if it traps; FL_MO if and only if it is replayed (but for a replay because A or D was set);
//   FL_COH only with FL_MO
//   ST_LLC and ST_COH only with ST_L1, or of an AMO of a coherent core, whose line may be here, but shared; ST_L1,
//   ST_LLC and ST_COH only of loads and AMOs, ST_TLB of them and stores, DR_SQ of stores only
//   ST_TLB not where its access is not translated; DR_TLB not where its own address is not
// In bounds, of what commits. d is the cycle of its dispatch, c that of its commit, L the line of its physical address:
//   ST_L1  only if L came to the data port between d - SLACK and c (or one of the last STORES stores wrote to L: a load
//          that missed may take its data from there in the end)
//   ST_L1  must be set if it was the oldest for HEADED cycles before L came, asked for ASKED cycles or more before it
//          came, no such store wrote to L, and ST_TLB is not set: nothing else can have held it
//   ST_LLC only if in that time L came from DRAM (or came twice); and where ST_L1 must be set and L came only once in
//          it, just then; and where ST_L1 is set, and L was asked for and came only once in it, just then, too
//   DR_L1  of no more instructions of a line (by page offset; or the next one, for an instruction across two)
//          than lines came to the instruction port
//   DR_L1  must be set on the first instruction after reset and after fence.i
//   DR_TLB must be set on the first instruction whose address is translated after sfence.vma of everything and after a
//          write of a PMP register
//   ST_TLB must be set on one of the accesses to a GiB of addresses that were in flight together with the first one
//          to it since then, unless a misprediction has killed anything in between
// Where vectors are kept only while somebody reads them (profile.vector_window), what must be set is set with the FL_*
// alone; sim/vector_rules.sv knows of whom it must be beyond. The ST_* are held exactly, too, but from inside the core:
// sim/vector_rules.sv.
#ifndef TIPOFF_WORKERS_VECTORS_H
#define TIPOFF_WORKERS_VECTORS_H

#include "csrs.h"
#include "events.h"
#include "workers/worker.h"

enum {
    VECTORS_SLACK = 16,  // cycles from a line's response to the end of its way into the L1
    VECTORS_HEADED = 48, // a load with its operands ready has looked its line up within these
    VECTORS_ASKED = 20,
    VECTORS_STORES = 128, // at least the entries of a store queue
    VECTORS_LINES = 1 << 14,
    VECTORS_IDS = 32, // requests of a port under way
};

struct vectors_line { // of the data port; found by a hash, the last one wins
    uint64_t line;
    uint64_t responded, asked; // ticks of the last response and of its request
    uint64_t before;           // ... of the response before that
    uint64_t from_dram;        // ... of the last response that had missed the LLC
    bool llc_miss;             // of the last response
};

struct vectors_ask {
    uint64_t line, tick;
};

// The first accesses to a GiB since the data TLB was emptied.
struct vectors_touch {
    bool open, met;      // met: one of them missed the TLB
    uint64_t gib, until; // cycle in which the first of them committed
};

struct vectors {
    bool ideal_l1i, ideal_tlb;                            // these never miss
    bool vectors, ad_update;                              // vectors false: there are none, all must be 0
    bool gated;                                           // what must be set may be missing
    bool coherent;                                        // the L1 shares lines with those of other harts
    uint64_t instructions, loads_expected, dram_expected; // checked; ST_L1 and ST_LLC that had to be set
    struct vectors_line lines[VECTORS_LINES];
    struct vectors_ask asks[DPI_PORTS][VECTORS_IDS];
    uint64_t stores[VECTORS_STORES]; // lines
    unsigned store_count;
    uint32_t fetched[64]; // lines that came to the instruction port and that no DR_L1 has claimed, by page offset
    bool icache_cold, itlb_cold;
    uint64_t flushed; // cycle in which the TLBs were emptied last
    uint64_t emptied; // ... in which a trap, a replay or a flush killed what had run ahead, and may have filled them
    uint8_t touched[1 << 9]; // GiBs of addresses since then
    struct vectors_touch touch;
};

struct vectors_difference {
    const char *event, *why;
    bool expected;
};

// event_vectors_loads.c: what the memory model and the store queue have to say of a load or AMO that commits. True: it
// differs.
bool vectors_check_load(struct vectors *s, const struct shadow_left *left, const struct iss_retire *step, unsigned psv,
                        struct vectors_difference *d);
void vectors_memory(struct vectors *s, const struct memory_event *event);
void vectors_store(struct vectors *s, uint64_t address);
// event_vectors_fetch.c: the front end's events, and the data TLB's.
bool vectors_check_fetch(struct vectors *s, const struct iss_retire *step, unsigned psv, struct vectors_difference *d);
bool vectors_check_tlb(struct vectors *s, uint64_t cycle, const struct shadow_view *shadow,
                       const struct shadow_left *left, const struct iss_retire *step, unsigned psv,
                       struct vectors_difference *d);
void vectors_fetched(struct vectors *s, uint64_t address);
void vectors_flush_tlbs(struct vectors *s, uint64_t cycle);
void vectors_forget_data_tlb(struct vectors *s); // nothing is known of it until it is emptied

static inline bool vectors_differ(struct vectors_difference *d, unsigned event, const char *name, const char *why,
                                  bool expected, unsigned psv) {
    if ((psv >> event & 1) == expected) return false;
    *d = (struct vectors_difference){name, why, expected};
    return true;
}

#endif
