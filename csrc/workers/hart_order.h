// One hart's accesses to memory, from the records of its core and the ISS to the checker of their order.
#ifndef TIPOFF_WORKERS_HART_ORDER_H
#define TIPOFF_WORKERS_HART_ORDER_H

#include "memory_order/memory_order.h"
#include "trace/cycle.h"

struct golden;
struct image;
struct iss_retire;
struct worker_run;

#define HART_FENCE_ALL UINT64_MAX
enum {
    HART_FENCES = 32,
    HART_ORDER_STEPS = 1 << 10, // instructions that are known: a power of two
    HART_ORDER_HOST = 2 * MAX_HOST_WRITES
};
struct hart_order {
    struct memory_order *checker; // not its own
    uint8_t hart;                 // of it
    bool reported;                // some access has been
    bool host_shown;              // all that the host writes is: what the program loads of it is proved, too
    uint64_t bytes;               // of DRAM
    unsigned load_queue, store_queue;
    unsigned load, store; // the places of the next ones that retire
    struct host_write host[HART_ORDER_HOST];
    uint64_t host_written, host_done;
    struct hart_fence {      // sfence.vma that names a page, or an address space, or both:
        uint64_t page, asid; // HART_FENCE_ALL: it names none
        uint64_t until;      // memory_order_seen_until, as it retired
    } fences[HART_FENCES];   // the last ones
    uint64_t fence_count;
    struct known_step {
        uint32_t insn;
        bool hint;
        struct memory_order_step step;
    } known[HART_ORDER_STEPS];
};
struct hart_line { // of a data cache
    uint64_t address;
    bool owned; // no other hart has it
};
void hart_order_load(struct memory_order *checker, const struct image *image); // what memory holds at first
void hart_order_init(struct hart_order *o, struct memory_order *checker, unsigned hart, const struct worker_run *run);

// All that follow: 0, or -EBADMSG with err.
// A cycle of a hart alone: its accesses, then what the ISS did.
int hart_order_cycle(struct hart_order *o, uint64_t cycle, const struct trace_left *left,
                     const struct trace_accesses *accesses, const struct golden *golden, struct error *err);

// A cycle of one of several harts that share the checker: each part of all harts before the next part of any, then what
// retires. A line that is gained can be written in the same cycle, one that is lost could.
enum hart_order_part {
    HART_ORDER_HOST_WRITES, // at the end of the cycle before
    HART_ORDER_LOADS,
    HART_ORDER_LINES_GAINED,
    HART_ORDER_STORES,
    HART_ORDER_LINES_LOST,
    HART_ORDER_PARTS
};
void hart_order_host_writes(struct hart_order *o, const struct trace_left *left); // before the parts
unsigned hart_order_parts(const struct trace_accesses *accesses);                 // that have any: a bit each
int hart_order_part(struct hart_order *o, uint64_t cycle, const struct trace_accesses *accesses,
                    enum hart_order_part part, struct error *err);
// The host, in a system call of this hart: it reads or writes 8 bytes at the end of that cycle.
int hart_order_host(struct hart_order *o, uint64_t cycle, bool write, uint64_t address, uint64_t word,
                    struct error *err);
// What the next instruction to retire, insn, has to load: memory_order_sees. False also: it loads nothing.
bool hart_order_sees(struct hart_order *o, uint32_t insn, struct memory_order_seen *out);
// It retires: step is what the ISS did, but a load's value is the core's.
int hart_order_retire(struct hart_order *o, uint64_t cycle, const struct iss_retire *step, struct error *err);

#endif
