// Traces by hand: each call is an event of a later cycle than the one before, so the order of calls is the order in
// which things happen; instructions retire in the order of their calls. Everything lies in a megabyte at BASE.
#include "memory_order/memory_order.h"
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 0x80000000, X = BASE + 0x1000, Y = BASE + 0x2000, Z = BASE + 0x3000 }; // places
enum { A = 1, B, C, D, E };                                                          // ids of loads and stores
enum { R0, R1, R2, R3, R4, R5 };                                                     // registers; R0: none
enum { PATIENCE = 100000 };                                                          // cycles that a store may wait

static struct memory_order *m;
static uint64_t now;
static struct error why;

__attribute__((unused)) static int begin(void **state) {
    (void)state;
    m = memory_order_create(
        &(struct memory_order_shape){.harts = 3, .base = BASE, .bytes = 1 << 20, .patience = PATIENCE}, &why);
    now = 100;
    return m ? 0 : -1;
}

__attribute__((unused)) static int end(void **state) {
    (void)state;
    memory_order_destroy(m);
    m = NULL;
    return 0;
}

static int put(struct memory_order_event e) {
    e.cycle = now++;
    return memory_order_put(m, &e, &why);
}

#define AT(k, h, i, a, s, d)                                                                                           \
    ((struct memory_order_event){.kind = (k), .hart = (h), .id = (i), .address = (a), .size = (s), .data = (d)})
__attribute__((unused)) static int bound(unsigned hart, unsigned id, uint64_t address, unsigned size) {
    return put(AT(MEMORY_ORDER_LOAD_BOUND, (uint8_t)hart, (uint16_t)id, address, (uint8_t)size, 0));
}
__attribute__((unused)) static int amo_bound(unsigned hart, unsigned id, uint64_t address, unsigned size) {
    return put(AT(MEMORY_ORDER_AMO_BOUND, (uint8_t)hart, (uint16_t)id, address, (uint8_t)size, 0));
}
__attribute__((unused)) static int lr_bound(unsigned hart, unsigned id, uint64_t address, unsigned size) {
    return put(AT(MEMORY_ORDER_LR_BOUND, (uint8_t)hart, (uint16_t)id, address, (uint8_t)size, 0));
}
__attribute__((unused)) static int visible(unsigned hart, unsigned id, uint64_t address, unsigned size, uint64_t data) {
    return put(AT(MEMORY_ORDER_STORE_VISIBLE, (uint8_t)hart, (uint16_t)id, address, (uint8_t)size, data));
}
__attribute__((unused)) static int written(uint64_t address, unsigned size, uint64_t data) {
    return put(AT(MEMORY_ORDER_WRITTEN, 0, 0, address, (uint8_t)size, data));
}
__attribute__((unused)) static int lost(unsigned hart, unsigned id) {
    return put(AT(MEMORY_ORDER_STORE_LOST, (uint8_t)hart, (uint16_t)id, 0, 0, 0));
}
__attribute__((unused)) static int line(enum memory_order_kind kind, unsigned hart, uint64_t address) {
    return put(AT(kind, (uint8_t)hart, 0, address, 0, 0));
}
__attribute__((unused)) static int line_with(enum memory_order_kind kind, unsigned hart, uint64_t address,
                                             const uint64_t words[MEMORY_ORDER_LINE / 8]) {
    return put(AT(kind, (uint8_t)hart, 0, address, MEMORY_ORDER_LINE, memory_order_digest(words)));
}
__attribute__((unused)) static int passed(uint64_t cycles) {
    now += cycles;
    return put(AT(MEMORY_ORDER_PASSED, 0, 0, 0, 0, 0));
}

__attribute__((unused)) static int retired(unsigned hart, struct memory_order_step step) {
    step.pc = 0x1000 * (hart + 1) + now; // another one for each
    return put((struct memory_order_event){.kind = MEMORY_ORDER_RETIRED, .hart = (uint8_t)hart, .step = &step});
}
// Accesses: more members may follow.
#define LOADS(i, a, s, v, ...)                                                                                         \
    ((struct memory_order_step){                                                                                       \
        .act = MEMORY_ORDER_LOADS, .load = (i), .address = (a), .size = (s), .loaded = (v), __VA_ARGS__})
#define STORES(i, a, s, v, ...)                                                                                        \
    ((struct memory_order_step){                                                                                       \
        .act = MEMORY_ORDER_STORES, .store = (i), .address = (a), .size = (s), .stored = (v), __VA_ARGS__})
#define LR(i, a, s, v, ...)                                                                                            \
    ((struct memory_order_step){                                                                                       \
        .act = MEMORY_ORDER_LR, .load = (i), .address = (a), .size = (s), .loaded = (v), __VA_ARGS__})
#define SC(i, a, s, v, ...)                                                                                            \
    ((struct memory_order_step){                                                                                       \
        .act = MEMORY_ORDER_SC, .store = (i), .address = (a), .size = (s), .stored = (v), __VA_ARGS__})
#define AMO(i, a, s, old, new, ...)                                                                                    \
    ((struct memory_order_step){.act = MEMORY_ORDER_AMO,                                                               \
                                .load = (i),                                                                           \
                                .store = (i),                                                                          \
                                .address = (a),                                                                        \
                                .size = (s),                                                                           \
                                .loaded = (old),                                                                       \
                                .stored = (new),                                                                       \
                                __VA_ARGS__})
#define FENCE(before, after) ((struct memory_order_step){.act = MEMORY_ORDER_FENCES, .pred = (before), .succ = (after)})
#define FENCE_TSO ((struct memory_order_step){.act = MEMORY_ORDER_FENCES, .pred = 3, .succ = 3, .tso = true})
#define COMPUTES(to, ...) ((struct memory_order_step){.act = MEMORY_ORDER_COMPUTES, .rd = (to), .rs = {__VA_ARGS__}})
#define BRANCHES(...) ((struct memory_order_step){.act = MEMORY_ORDER_BRANCHES, .rs = {__VA_ARGS__}})

__attribute__((unused)) static void expect_ok(int status, const char *file, int at) {
    if (!status) return;
    print_error("%s:%d: %s\n", file, at, why.text);
    fail();
}
__attribute__((unused)) static void expect_broken(int status, int axiom, const char *file, int at) {
    if (status == -EBADMSG && (int)memory_order_broken(m) == axiom &&
        strstr(why.text, memory_order_axiom_name(axiom)) && strstr(why.text, memory_order_axiom_text(axiom)))
        return;
    print_error("%s:%d: expected %s, got %s\n", file, at, memory_order_axiom_name(axiom),
                status ? why.text : "no difference");
    fail();
}
#define OK(event) expect_ok((event), __FILE__, __LINE__)
#define BROKEN(axiom, event) expect_broken((event), (axiom), __FILE__, __LINE__)
