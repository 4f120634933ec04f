// The checker's parts and what they share. Not for other libraries.
//
// Times: the number of stores that were visible. A load that is bound while n are has time n; the store that is then
// the next one to become visible has time n + 1. So a load comes before a store if its time is less, and two loads
// between the same stores are not ordered, because nothing shows their order.
#ifndef TIPOFF_MEMORY_ORDER_INTERNAL_H
#define TIPOFF_MEMORY_ORDER_INTERNAL_H

#include "memory_order/memory_order.h"

enum {
    STORES = MEMORY_ORDER_IDS, // of a hart that are kept since they retired: all that waited when a load was bound
    LOADS = MEMORY_ORDER_IDS,  // likewise: all that were in flight with it
    HISTORY = 4096,            // events
    BYTES = 8,                 // of an access, at most
    REGISTERS = 64,
    PAGE = 4096
};

#define OWN (UINT64_C(1) << 63) // of a byte's writer: an own store that was not visible, by its number

// ---- memory as all harts see it now (golden.c) ----
struct golden_bytes {
    uint64_t word;           // the bytes of an access, the first one lowest
    uint64_t written[BYTES]; // when the last store wrote each; 0: none has
};
struct order_memory {
    uint64_t base, bytes;
    uint8_t *contents;
    uint64_t *written;   // of each 8 bytes; MIXED: ...
    uint64_t *apart;     // ... of each byte
    uint8_t *held, *own; // of each line: which harts hold it, a bit each; 1 + who may write it, 0 nobody
};
bool golden_create(struct order_memory *g, uint64_t base, uint64_t bytes, struct error *err);
void golden_destroy(struct order_memory *g);
bool golden_inside(const struct order_memory *g, uint64_t address, uint64_t bytes);
struct golden_bytes golden_read(const struct order_memory *g, uint64_t address, unsigned size);
void golden_line(const struct order_memory *g, uint64_t first, uint64_t words[MEMORY_ORDER_LINE / BYTES]);
// Whether some store has written to the doublewords that the bytes lie in.
bool golden_stored(const struct order_memory *g, uint64_t address, unsigned bytes);
void golden_write(struct order_memory *g, uint64_t address, unsigned size, uint64_t data, uint64_t time);

// ---- a hart ----
struct order_floor { // whatever it is for comes after `time`, because of this rule and the instruction at pc
    uint64_t time, pc;
    uint8_t rule;
};
struct order_wait { // ... after all stores up to this number, and some of them are not visible yet; 0: none
    uint64_t number, pc;
    uint8_t rule;
};
struct order_bound { // a load that has its value
    bool valid;
    enum memory_order_kind kind;
    uint8_t size;
    uint64_t address, time, cycle;
    struct golden_bytes golden;
};
enum { WINDOW_AMO, WINDOW_LR, WINDOWS };
struct order_window { // from the last AMO's, the last LR's load on: what other harts store to its bytes
    bool valid;
    uint64_t address, time;  // of its 8 bytes
    uint64_t foreign[BYTES]; // the last time of each
};
struct early { // a store that is visible, and has not retired
    bool valid;
    uint8_t size;
    uint64_t address, data, time, cycle;
    struct order_window window[WINDOWS]; // it may be the end of one
};
struct order_store { // one that has retired
    bool visible, atomic;
    uint8_t size;
    uint16_t id;
    uint64_t number, address, data, pc, cycle;
    uint64_t time;            // visible: when
    uint64_t settled;         // no store up to it waits: the greatest time of them
    struct order_floor needs; // rule 12: what its address and data depend on
    struct order_wait wait;
};
struct order_load { // one that has retired
    uint8_t size;
    uint64_t address, time, pc;
    uint64_t next_store;     // the number of the next store after it
    uint64_t written[BYTES]; // when, or OWN and the number of the store
};
struct reservation { // of the last LR that retired
    bool valid;
    struct order_load load;
};
struct order_hart {
    uint64_t patience;                         // 0: any
    uint64_t renewed[MEMORY_ORDER_TABLES + 1]; // fetches, walks see the stores up to this time
    struct order_bound bound[MEMORY_ORDER_IDS];
    struct early early[MEMORY_ORDER_IDS];
    uint64_t number_of[MEMORY_ORDER_IDS]; // of the retired store that is not visible, by its id; 0: none
    struct order_store stores[STORES];
    uint64_t next_store, oldest; // numbers; the oldest that is not visible, or next_store
    uint64_t settled;            // the greatest time of those before it
    uint64_t moved;              // the cycle in which the last of those before it became visible
    struct order_load loads[LOADS];
    uint64_t loads_count, loads_forgotten;     // the greatest time of those that are not kept
    struct order_floor last_load;              // the greatest time of all loads
    struct order_floor of_register[REGISTERS]; // the greatest time of the accesses that it depends on
    struct order_floor control, address;       // ... that a branch, that an access's address depended on
    struct order_floor load_floor, store_floor, rcsc;
    struct order_wait load_wait, store_wait;
    struct order_window window[WINDOWS];
    struct reservation reservation;
    bool reports_lines;
};

struct memory_order {
    unsigned harts;
    uint64_t visible; // stores: the time
    uint64_t cycle;
    uint64_t stored_cycle; // the last cycle in which one became visible, plus 1
    struct order_memory memory;
    enum memory_order_axiom broken;
    uint64_t broken_line;
    struct memory_order_counts counts;
    uint64_t events;
    struct memory_order_event history[HISTORY];
    struct order_hart hart[];
};

static inline struct order_store *store_of(struct order_hart *h, uint64_t number) {
    return &h->stores[number % STORES];
}
static inline uint64_t low_bytes(uint64_t word, unsigned size) {
    return size >= BYTES ? word : word & ((UINT64_C(1) << 8 * size) - 1);
}
static inline bool overlap(uint64_t a, unsigned a_size, uint64_t b, unsigned b_size) {
    return a < b + b_size && b < a + a_size;
}
// The event that binds what an instruction loads; MEMORY_ORDER_PASSED: it loads nothing.
static inline enum memory_order_kind bound_kind(enum memory_order_act act) {
    return act == MEMORY_ORDER_LOADS ? MEMORY_ORDER_LOAD_BOUND
           : act == MEMORY_ORDER_LR  ? MEMORY_ORDER_LR_BOUND
           : act == MEMORY_ORDER_AMO ? MEMORY_ORDER_AMO_BOUND
                                     : MEMORY_ORDER_PASSED;
}
static inline void raise_floor(struct order_floor *f, struct order_floor to) {
    if (to.time > f->time) *f = to;
}

// ---- what does not hold (broken.c) ----
// Of the events' fault: -EINVAL. format: what, where.
__attribute__((format(printf, 4, 5))) int stream_fault(struct memory_order *m, const struct memory_order_event *e,
                                                       struct error *err, const char *format, ...);
// Of an axiom: -EBADMSG; line: an address in the line it is about.
__attribute__((format(printf, 6, 7))) int axiom_broken(struct memory_order *m, const struct memory_order_event *e,
                                                       enum memory_order_axiom axiom, uint64_t line, struct error *err,
                                                       const char *format, ...);
// The access of event e, which took place at time, comes before what `f` stands for, though it follows it.
int order_broken(struct memory_order *m, const struct memory_order_event *e, const struct order_floor *f, uint64_t time,
                 struct error *err);

// ---- events: 0, -EBADMSG or -EINVAL with err ----
int put_bound(struct memory_order *m, const struct memory_order_event *e, struct error *err);        // access.c
int put_visible(struct memory_order *m, const struct memory_order_event *e, struct error *err);      // access.c
int put_lost(struct memory_order *m, const struct memory_order_event *e, struct error *err);         // access.c
int put_written(struct memory_order *m, const struct memory_order_event *e, struct error *err);      // access.c
int put_host_read(struct memory_order *m, const struct memory_order_event *e, struct error *err);    // access.c
int put_host_written(struct memory_order *m, const struct memory_order_event *e, struct error *err); // access.c
int put_line(struct memory_order *m, const struct memory_order_event *e, struct error *err);         // access.c
int put_retired(struct memory_order *m, const struct memory_order_event *e, struct error *err);      // retire.c
int check_waits(struct memory_order *m, const struct memory_order_event *e, struct error *err);      // access.c

// The store in question, which has both retired and become visible, against earlier ones of its bytes (rule 1).
int check_overlapping(struct memory_order *m, const struct memory_order_event *e, const struct order_store *s,
                      struct error *err); // stores.c
// No store before `oldest` waits: moves it on, and what waited for that becomes a floor.
void settle_stores(struct order_hart *h, uint64_t cycle); // stores.c
// Enters a store that retires; *out: it. time 0: it is not visible yet.
int add_store(struct memory_order *m, const struct memory_order_event *e, const struct order_store *made,
              struct order_store **out,
              struct error *err); // stores.c
// The value of a load that retires (of an AMO and LR, too), and rules 2, 3, 12. *out: it, as kept for later ones.
int check_value(struct memory_order *m, const struct memory_order_event *e, const struct order_bound *b,
                struct order_load *out,
                struct error *err);                                  // value.c
void keep_load(struct order_hart *h, const struct order_load *load); // value.c
// When the byte's writer wrote: a time, or if it is an own store that is not visible yet, OWN and its number.
uint64_t writer_time(struct order_hart *h, uint64_t writer); // value.c
// No other hart stored to what this load read, between the store that it read and the end of the window (store).
int check_atomic(struct memory_order *m, const struct memory_order_event *e, const struct order_load *load,
                 const struct early *store, unsigned window, struct error *err); // value.c

#endif
