// What the simulated core showed in one cycle: the unit that observers (cosim, oracle, profilers, tracers) are fed.
#ifndef TIPOFF_TRACE_CYCLE_H
#define TIPOFF_TRACE_CYCLE_H

#include "machine/host_files.h"
#include "records.h"
#include "signals.h"

// An instruction that left the core, with what it did to the architectural state.
struct retired {
    uint64_t pc;
    uint32_t insn; // as fetched; 16-bit forms zero-extended
    uint8_t lane;  // ROB bank it committed from
    bool rd_written;
    bool rd_fp; // rd is a floating-point register
    uint8_t rd;
    uint64_t rd_value;
    bool stored; // to memory or to a device
    uint8_t store_bytes;
    uint64_t store_addr, store_data; // data: low store_bytes bytes count
    bool csr_written;
    uint16_t csr;
    uint64_t csr_value; // new value of the CSR, as the core holds it
};

// A trap: an exception of the oldest instruction, or an interrupt taken before it.
struct trapped {
    bool valid, interrupt;
    uint8_t cause;
    uint64_t tval, epc;
};

// A word of memory that the host wrote (HTIF), before the stores of this cycle.
struct host_write {
    uint64_t addr, data;
};
// Between two cycles that the model emits: a block, perhaps not aligned, and what a command has besides; one more may
// wait after it.
enum { MAX_HOST_WRITES = HOST_BLOCK / 8 + 8 };

// What left the core in a cycle, and what the host wrote in it; only where lockstep asks.
struct trace_left {
    union {
        struct {
            uint16_t count, host_write_count;
            uint8_t fflags; // accrued floating-point exceptions at the beginning of the cycle
        };
        uint64_t counts; // all three
    };
    struct retired retired[MAX_LANES]; // oldest first
    struct trapped trap;
    struct host_write host_writes[MAX_HOST_WRITES]; // in order
};

// What happens to instructions on their way, in the order of emission; only if a pipeline view needs it.
enum stage_kind { STAGE_SQUASH_ALL, STAGE_SQUASH_YOUNGER, STAGE_DISPATCH, STAGE_ISSUE, STAGE_DONE };
struct stage {
    enum stage_kind kind;
    uint32_t rob;         // index in the ROB with its wrap bit
    uint64_t fetched, pc; // STAGE_DISPATCH: cycle in which its packet was fetched
    uint32_t insn;
};
enum { MAX_STAGES = 64 };
struct trace_stages {
    unsigned count;
    struct stage list[MAX_STAGES];
};

// What happens to an instruction on its way, in more detail: sim/life_events.sv says what rob, a and b are. In the
// order of its list: first what meets the instructions in flight, then what dies, what enters the ROB, what is fetched.
enum life_kind {
    LIFE_SQUASH,
    LIFE_FETCH,
    LIFE_CONFLICT,
    LIFE_MAP,
    LIFE_READY,
    LIFE_GRANT,
    LIFE_DONE,
    LIFE_ADDRESS,
    LIFE_EVENT,
    LIFE_RESOLVE
};
struct life_event {
    enum life_kind kind;
    uint32_t rob;
    uint64_t a, b;
};
enum { MAX_LIFE_EVENTS = 192 };
struct trace_life {
    uint64_t count;
    struct life_event list[MAX_LIFE_EVENTS];
};

// When an access to memory takes place: sim/access_events.sv. In the order that counts in a cycle, before what retires.
enum access_kind {
    ACCESS_HOST, // the next of host_writes, of this cycle or an earlier one, is in memory; no more members
    ACCESS_LOAD, // a load's value is bound
    ACCESS_AMO,  // ... an AMO's
    ACCESS_LR,
    ACCESS_STORE,     // a store is visible
    ACCESS_AMO_STORE, // ... an AMO's or SC's
    ACCESS_TABLE,     // ... of accessed and dirty bits
    ACCESS_LOST,      // a store leaves the store queue and writes nothing: the bus has answered with an error
    ACCESS_OTHER,     // another hart's store is visible: of tests that make one up
    // Of several harts: the L1 holds the address's line from the next cycle on, ...
    ACCESS_LINE_SHARED, // ... for reading
    ACCESS_LINE_OWNED,  // ... for writing, too
    ACCESS_LINE_LOST,   // ... no more
    ACCESS_KINDS
};
struct access_event {
    uint8_t kind, bytes;
    uint16_t id;            // of LOAD, STORE, LOST: its place in the load or store queue; of lines: 1, data is a digest
    uint64_t address, data; // physical; data: low bytes; of a line: of its words, by access_events.sv's digest
};
enum { MAX_ACCESSES = 16 };
struct trace_accesses {
    uint64_t count;
    struct access_event list[MAX_ACCESSES];
};

// Values of signals (tables/signals.tsv), by their slots; only those of groups that are traced.
struct trace_signals {
    uint64_t value[SIGNAL_SLOTS];
};

struct trace_cycle {
    uint64_t cycle; // number of this cycle, from 0 at the end of reset
    struct commit_bundle bundle;
    struct sample select; // what sample_select shows in this cycle, where it is observed
    struct oir oir;
    struct trace_left left;
    struct trace_stages stages;
    struct trace_signals signals;
    struct trace_life life;
    struct trace_accesses accesses;
};

#endif
