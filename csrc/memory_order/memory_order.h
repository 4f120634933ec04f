// The order of memory: whether what N harts load and store is allowed by RVWMO (the unprivileged manual, chapter
// "RVWMO Memory Consistency Model"), in time linear in the events. docs/method/memory-order.md
//
// The core reports when each access took place: a load when its value was bound, a store when it became visible to all
// harts. With one writer or many readers of each line these moments are a global memory order, so none is searched for:
// every axiom is checked against the reported one.
#ifndef TIPOFF_MEMORY_ORDER_MEMORY_ORDER_H
#define TIPOFF_MEMORY_ORDER_MEMORY_ORDER_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct memory_order;

enum {
    MEMORY_ORDER_HARTS = 8, // at most
    MEMORY_ORDER_IDS = 256, // of loads, and of stores, that a hart has in flight, at most
    MEMORY_ORDER_LINE = 64, // bytes
    MEMORY_ORDER_SHOWN = 20 // events of the line that memory_order_explain prints
};

enum memory_order_axiom {
    MEMORY_ORDER_HOLDS = 0,
    MEMORY_ORDER_RULE_1 = 1, // the rules of preserved program order: up to 13
    MEMORY_ORDER_RULE_13 = 13,
    MEMORY_ORDER_LOAD_VALUE,
    MEMORY_ORDER_ATOMICITY,
    MEMORY_ORDER_PROGRESS,
    MEMORY_ORDER_ONE_WRITER,
    MEMORY_ORDER_LINE_VALUE,
    MEMORY_ORDER_STREAM // no axiom: the events cannot be those of any machine
};

struct memory_order_shape {
    unsigned harts;       // 1 to MEMORY_ORDER_HARTS
    uint64_t base, bytes; // of main memory: multiples of 4 KiB. Accesses elsewhere (devices) are not reported
    uint64_t patience;    // of all harts, to begin with: memory_order_set_patience
};
// NULL with err. Address space of 11 bytes for each byte of memory; pages of the host are taken as they are written to.
struct memory_order *memory_order_create(const struct memory_order_shape *shape, struct error *err);
void memory_order_destroy(struct memory_order *m); // NULL is fine
// Cycles that a store of this hart may wait to be visible once all older ones are; 0: progress is not checked.
void memory_order_set_patience(struct memory_order *m, unsigned hart, uint64_t cycles);
// What memory holds before the first event. False: it does not lie in it.
bool memory_order_load(struct memory_order *m, uint64_t address, const void *data, uint64_t bytes);

// What an instruction that retires does to memory.
enum memory_order_act {
    MEMORY_ORDER_COMPUTES,
    MEMORY_ORDER_BRANCHES, // a branch or an indirect jump
    MEMORY_ORDER_FENCES,
    MEMORY_ORDER_SC_FAILS,
    MEMORY_ORDER_LOADS,
    MEMORY_ORDER_STORES,
    MEMORY_ORDER_LR,
    MEMORY_ORDER_SC, // one that succeeds
    MEMORY_ORDER_AMO
};
enum { MEMORY_ORDER_R = 2, MEMORY_ORDER_W = 1 };
enum memory_order_renews { // by which instruction
    MEMORY_ORDER_NOTHING,
    MEMORY_ORDER_CODE,  // fence.i
    MEMORY_ORDER_TABLES // sfence.vma that names no page and no address space
};
struct memory_order_step {
    enum memory_order_act act;
    bool aq, rl;
    bool tso;             // of a fence: fence.tso
    uint8_t renews;       // it computes, and what is fetched or translated after it is no older than what the hart has
                          // seen: enum memory_order_renews
    uint8_t pred, succ;   // of a fence: MEMORY_ORDER_R, MEMORY_ORDER_W
    uint8_t rd, rs[3];    // as of isa/operands.h; of accesses rs[0] is the address, rs[1] the data
    bool outside;         // it accesses a device: its registers alone count
    bool unknown;         // nobody knows what it loaded: an AMO's result goes to x0
    uint16_t load, store; // ids: of its load (also of an AMO and LR), of its store (also of an AMO and SC)
    uint8_t size;         // 1, 2, 4, 8; address: a multiple of it
    uint64_t pc, address;
    uint64_t loaded, stored; // the low `size` bytes count
};
// From the instruction as fetched (16-bit forms zero-extended): act (of an SC: that it succeeds), aq, rl, tso, pred,
// succ, rd, rs. An instruction that is not known computes.
struct memory_order_step memory_order_step_of(uint32_t insn);

enum memory_order_kind {
    MEMORY_ORDER_LOAD_BOUND,    // id, address, size: the last one before it retires counts
    MEMORY_ORDER_AMO_BOUND,     // likewise, of an AMO
    MEMORY_ORDER_LR_BOUND,      // likewise, of an LR
    MEMORY_ORDER_STORE_VISIBLE, // id, address, size, data. Of an AMO and SC: before it retires; of others mostly after
    MEMORY_ORDER_STORE_LOST,    // id, of one that has retired: it writes nothing, the bus has answered with an error
    MEMORY_ORDER_WRITTEN,       // address, size, data: by nobody's instruction (page tables, the host of one hart)
    MEMORY_ORDER_HOST_READ,     // likewise: the host has read that, in a system call of this hart
    MEMORY_ORDER_HOST_WRITTEN,  // ... has written it, into a line that no cache holds
    MEMORY_ORDER_LINE_SHARED,   // address: the hart's cache holds the line now, for reading. Size 0, or
                                // MEMORY_ORDER_LINE: data is memory_order_digest of what it has of it
    MEMORY_ORDER_LINE_OWNED,    // ... for reading and writing
    MEMORY_ORDER_LINE_LOST,     // ... no more
    MEMORY_ORDER_RETIRED,       // step
    MEMORY_ORDER_PASSED,        // nothing: time passes
    MEMORY_ORDER_KINDS
};
struct memory_order_event {
    enum memory_order_kind kind;
    uint8_t hart, size;
    uint16_t id; // below MEMORY_ORDER_IDS; free again once the access is visible and retired, or squashed
    uint64_t cycle, address, data;
    const struct memory_order_step *step; // lives as long as the call
};

// The 64 bits that stand for a line of eight words in an event (sim/access_events.sv has the same): another one if any
// single word is another.
uint64_t memory_order_digest(const uint64_t words[MEMORY_ORDER_LINE / 8]);

// The next event: in order of cycles; in a cycle, what loads bind comes before what stores make visible. Instructions
// retire in program order. 0; -EBADMSG: err names the axiom that does not hold; -EINVAL: the events contradict each
// other. No event may follow an error. O(1): no allocation, no search that grows with the run.
int memory_order_put(struct memory_order *m, const struct memory_order_event *event, struct error *err);

// What the load has to return that the hart retires next, by its last bound event and the hart's own stores: what is
// proved of it. An LR's and an AMO's, too. False: none is bound, or it is not known; as it retires, the error says
// so.
struct memory_order_seen {
    uint64_t address, word; // word: the low `size` bytes
    uint8_t size;
};
bool memory_order_sees(struct memory_order *m, unsigned hart, const struct memory_order_step *step,
                       struct memory_order_seen *out); // act and load of the step count

// What a fetch, or a page walk, of `bytes` (1 to 8) may return for the instruction that the hart retires next: memory's
// word now, under own stores that are not visible; or, unless `only`, what memory held since the hart's last
// instruction that renews such. False: nobody has stored there.
struct memory_order_word {
    uint64_t word;
    bool only;
    uint64_t written; // when the last of its bytes was
};
bool memory_order_now(struct memory_order *m, unsigned hart, enum memory_order_renews what, uint64_t address,
                      unsigned bytes, struct memory_order_word *out);

// Up to when the hart has seen what others have written, at least: for fences that renew a part.
uint64_t memory_order_seen_until(const struct memory_order *m, unsigned hart);

enum memory_order_axiom memory_order_broken(const struct memory_order *m);
// "rule 4 of preserved program order", and the manual's sentence.
const char *memory_order_axiom_name(enum memory_order_axiom axiom);
const char *memory_order_axiom_text(enum memory_order_axiom axiom);
// After an error: the last events of its line, oldest first.
void memory_order_explain(const struct memory_order *m, FILE *out);

struct memory_order_counts {
    uint64_t loads, stores, atomics, lines; // proved so far; changes of lines
};
struct memory_order_counts memory_order_counts(const struct memory_order *m);

#endif
