// The 13 rules of preserved program order: for each a trace that breaks it, and one that differs from it in what makes
// it sound. Why a verdict is what it is: the manual's rule, and where the program reads values, a litmus test's name.
#include "tests/unit/memory_order/trace.h"

// ---- rule 1: b is a store, and a and b overlap ----
// CoWW: two stores to one byte become visible against program order.
static void test_rule_1_stores(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 8, 1)));
    OK(retired(0, STORES(B, X + 4, 4, 2)));
    BROKEN(1, visible(0, B, X + 4, 4, 2));
}
// CoRW1: a store is visible, and an earlier load of its bytes is bound after it (by another hart's value then).
static void test_rule_1_load(void **state) {
    (void)state;
    OK(visible(0, B, X, 4, 2));
    OK(visible(1, A, X, 4, 3));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 3)));
    BROKEN(1, retired(0, STORES(B, X, 4, 2)));
}
// ... and an earlier store that becomes visible after it.
static void test_rule_1_early(void **state) {
    (void)state;
    OK(visible(0, B, X, 4, 2));
    OK(retired(0, STORES(A, X, 8, 1)));
    OK(visible(0, A, X, 8, 1));
    BROKEN(1, retired(0, STORES(B, X, 4, 2)));
}
// Not overlapping: 2+2W, S without a dependency; both allowed.
static void test_rule_1_sound(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(retired(0, STORES(B, X + 4, 4, 2)));
    OK(visible(0, B, X + 4, 4, 2));
    OK(visible(0, A, X, 4, 1));
    OK(visible(0, C, Y, 4, 2)); // early
    OK(bound(0, A, Y + 4, 4));
    OK(retired(0, LOADS(A, Y + 4, 4, 0)));
    OK(retired(0, STORES(C, Y, 4, 2)));
}

// ---- rule 2: two loads of a byte, written by different stores ----
// CoRR: the younger load is bound before another hart's store, the older one after it.
static void test_rule_2(void **state) {
    (void)state;
    OK(bound(0, B, X, 4));
    OK(visible(1, A, X, 4, 7));
    OK(bound(0, A, X, 8));
    OK(retired(0, LOADS(A, X, 8, 7)));
    BROKEN(2, retired(0, LOADS(B, X, 4, 0)));
}
// The values are equal, and two stores wrote them: that is no excuse.
static void test_rule_2_equal_values(void **state) {
    (void)state;
    OK(visible(1, A, X, 4, 7));
    OK(bound(0, B, X, 4));
    OK(visible(1, A + 1, X, 4, 7));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 7)));
    BROKEN(2, retired(0, LOADS(B, X, 4, 7)));
}
// RSW: both read the same store, whatever was stored to other bytes between: allowed ("read same write").
static void test_rule_2_same_store(void **state) {
    (void)state;
    OK(bound(0, B, X, 4));
    OK(visible(1, A, X + 4, 4, 7));
    OK(bound(0, A, X, 8));
    OK(retired(0, LOADS(A, X, 8, UINT64_C(7) << 32)));
    OK(retired(0, LOADS(B, X, 4, 0)));
}
// ... that store was wider than the one between.
static void test_rule_2_same_wide_store(void **state) {
    (void)state;
    OK(visible(1, A, X, 8, 5));
    OK(bound(0, B, X, 4));
    OK(visible(1, B, X + 4, 4, 7));
    OK(bound(0, A, X, 8));
    OK(retired(0, LOADS(A, X, 8, UINT64_C(7) << 32 | 5)));
    OK(retired(0, LOADS(B, X, 4, 5)));
}
// An own store of the byte between the two: the younger one forwards from it, the older one may be late.
static void test_rule_2_own_store(void **state) {
    (void)state;
    OK(bound(0, B, X, 4));
    OK(visible(1, A, X, 4, 7));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 7)));
    OK(retired(0, STORES(C, X, 4, 9)));
    OK(retired(0, LOADS(B, X, 4, 9)));
}
// ... but it has not written all bytes: the last one is still another store's than the older load returned.
static void test_rule_2_own_store_of_some_bytes(void **state) {
    (void)state;
    OK(bound(0, B, X, 4));
    OK(visible(1, A, X, 4, 0x07070707));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0x07070707)));
    OK(retired(0, STORES(C, X, 2, 0x0909)));
    BROKEN(2, retired(0, LOADS(B, X, 4, 0x0909)));
}
// Both return one own store's value: by forwarding, and from memory once it is visible.
static void test_rule_2_forwarded_and_read(void **state) {
    (void)state;
    OK(retired(0, STORES(C, X, 4, 5)));
    OK(bound(0, B, X, 4));
    OK(visible(0, C, X, 4, 5));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 5)));
    OK(retired(0, LOADS(B, X, 4, 5)));
}
// The same with another hart's store after it, which the older load returns.
static void test_rule_2_forwarded_is_older(void **state) {
    (void)state;
    OK(retired(0, STORES(C, X, 4, 5)));
    OK(bound(0, B, X, 4));
    OK(visible(0, C, X, 4, 5));
    OK(visible(1, A, X, 4, 6));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 6)));
    BROKEN(2, retired(0, LOADS(B, X, 4, 5)));
}

// ---- rule 3: a is an AMO or SC, and b returns what it wrote ----
static void test_rule_3(void **state) {
    (void)state;
    OK(bound(0, B, X, 4)); // it "forwards" from the AMO
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(retired(0, AMO(A, X, 4, 0, 1)));
    BROKEN(3, retired(0, LOADS(B, X, 4, 1)));
}
static void test_rule_3_sc(void **state) {
    (void)state;
    OK(lr_bound(0, A, X, 4));
    OK(bound(0, B, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(retired(0, LR(A, X, 4, 0)));
    OK(retired(0, SC(A, X, 4, 1)));
    BROKEN(3, retired(0, LOADS(B, X, 4, 1)));
}
// From a plain store it may (SB with forwarding).
static void test_rule_3_sound(void **state) {
    (void)state;
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(bound(0, B, X, 4));
    OK(retired(0, AMO(A, X, 4, 0, 1)));
    OK(retired(0, LOADS(B, X, 4, 1)));
    OK(bound(0, C, X, 4));
    OK(retired(0, STORES(D, X, 4, 2)));
    OK(retired(0, LOADS(C, X, 4, 2)));
    OK(visible(0, D, X, 4, 2));
}

// ---- rule 4: a fence ----
static void fenced_stores(struct memory_order_step fence, bool broken) { // the writer of MP
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(retired(0, fence));
    OK(retired(0, STORES(B, Y, 4, 1)));
    if (broken) {
        BROKEN(4, visible(0, B, Y, 4, 1));
        return;
    }
    OK(visible(0, B, Y, 4, 1));
    OK(visible(0, A, X, 4, 1));
}
static void fenced_loads(struct memory_order_step fence, bool broken) { // the reader of MP
    OK(bound(0, B, Y, 4));
    OK(visible(1, A, Z, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0)));
    OK(retired(0, fence));
    if (broken)
        BROKEN(4, retired(0, LOADS(B, Y, 4, 0)));
    else
        OK(retired(0, LOADS(B, Y, 4, 0)));
}
static void fenced_store_load(struct memory_order_step fence, bool broken) { // SB
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(bound(0, B, Y, 4));
    OK(retired(0, fence));
    if (broken)
        BROKEN(4, retired(0, LOADS(B, Y, 4, 0)));
    else
        OK(retired(0, LOADS(B, Y, 4, 0)));
}
static void fenced_store_visible_load(struct memory_order_step fence, bool broken) { // SB, a little later
    OK(bound(0, B, Y, 4));
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(retired(0, fence));
    OK(visible(0, A, X, 4, 1));
    if (broken)
        BROKEN(4, retired(0, LOADS(B, Y, 4, 0)));
    else
        OK(retired(0, LOADS(B, Y, 4, 0)));
}
static void fenced_load_store(struct memory_order_step fence, bool broken) { // LB
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0)));
    OK(retired(0, fence));
    if (broken)
        BROKEN(4, retired(0, STORES(B, Y, 4, 1)));
    else
        OK(retired(0, STORES(B, Y, 4, 1)));
}
// Each fence orders what its sets name, and no more; fence.tso all but a store before a load.
#define FENCES(what, sound, broken)                                                                                    \
    static void test_rule_4_##what##_sound(void **state) {                                                             \
        (void)state;                                                                                                   \
        fenced_##what(sound, false);                                                                                   \
    }                                                                                                                  \
    static void test_rule_4_##what(void **state) {                                                                     \
        (void)state;                                                                                                   \
        fenced_##what(broken, true);                                                                                   \
    }                                                                                                                  \
    static void test_rule_4_##what##_all(void **state) {                                                               \
        (void)state;                                                                                                   \
        fenced_##what(FENCE(3, 3), true);                                                                              \
    }
FENCES(stores, FENCE(MEMORY_ORDER_R, 3), FENCE(MEMORY_ORDER_W, MEMORY_ORDER_W))
FENCES(loads, FENCE(MEMORY_ORDER_W, 3), FENCE(MEMORY_ORDER_R, MEMORY_ORDER_R))
FENCES(store_load, FENCE_TSO, FENCE(MEMORY_ORDER_W, MEMORY_ORDER_R))
FENCES(store_visible_load, FENCE_TSO, FENCE(MEMORY_ORDER_W, MEMORY_ORDER_R))
FENCES(load_store, FENCE(MEMORY_ORDER_R, MEMORY_ORDER_R), FENCE(MEMORY_ORDER_R, MEMORY_ORDER_W))
static void test_rule_4_tso(void **state) {
    (void)state;
    fenced_stores(FENCE_TSO, true);
}

// ---- rule 5: a has an acquire annotation ----
static void acquire(bool aq) { // the reader of MP: an AMO takes the flag
    OK(bound(0, B, Y, 4));
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(retired(0, AMO(A, X, 4, 0, 1, .aq = aq)));
    if (aq)
        BROKEN(5, retired(0, LOADS(B, Y, 4, 0)));
    else
        OK(retired(0, LOADS(B, Y, 4, 0)));
}
static void test_rule_5(void **state) {
    (void)state;
    acquire(true);
}
static void test_rule_5_sound(void **state) {
    (void)state;
    acquire(false);
}

// ---- rule 6: b has a release annotation ----
static void release(bool rl) { // the writer of MP
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(amo_bound(0, B, Y, 4));
    OK(visible(0, B, Y, 4, 1));
    if (rl)
        BROKEN(6, retired(0, AMO(B, Y, 4, 0, 1, .rl = rl)));
    else
        OK(retired(0, AMO(B, Y, 4, 0, 1, .rl = rl)));
}
static void test_rule_6(void **state) {
    (void)state;
    release(true);
}
static void test_rule_6_sound(void **state) {
    (void)state;
    release(false);
}
// An earlier load, bound after it.
static void test_rule_6_load(void **state) {
    (void)state;
    OK(amo_bound(0, B, Y, 4));
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0)));
    BROKEN(6, retired(0, AMO(B, Y, 4, 0, 1, .rl = true)));
}

// ---- rule 7: both have RCsc annotations ----
// An LR that acquires, bound before an AMO that releases.
static void rcsc(bool aq) {
    OK(lr_bound(0, B, Y, 4));
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(retired(0, AMO(A, X, 4, 0, 1, .rl = true)));
    if (aq)
        BROKEN(7, retired(0, LR(B, Y, 4, 0, .aq = aq)));
    else
        OK(retired(0, LR(B, Y, 4, 0, .aq = aq)));
}
static void test_rule_7(void **state) {
    (void)state;
    rcsc(true);
}
static void test_rule_7_sound(void **state) {
    (void)state;
    rcsc(false);
}

// ---- rule 8: a is paired with b ----
// To other bytes of the line, which is allowed: rule 1 has nothing to say then.
static void test_rule_8(void **state) {
    (void)state;
    OK(visible(0, B, X + 8, 4, 1));
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 0)));
    BROKEN(8, retired(0, SC(B, X + 8, 4, 1)));
}
static void test_rule_8_sound(void **state) {
    (void)state;
    OK(lr_bound(0, A, X, 4));
    OK(visible(0, B, X + 8, 4, 1));
    OK(retired(0, LR(A, X, 4, 0)));
    OK(retired(0, SC(B, X + 8, 4, 1)));
}

// ---- rule 9: address dependency ----
static void address_of_load(unsigned base) { // MP+addr's reader; its address is computed from what was loaded
    OK(bound(0, B, Y, 4));
    OK(visible(1, A, X, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 1, .rd = R1)));
    OK(retired(0, COMPUTES(R2, R1, R3)));
    if (base == R2)
        BROKEN(9, retired(0, LOADS(B, Y, 4, 0, .rs = {base})));
    else
        OK(retired(0, LOADS(B, Y, 4, 0, .rs = {base})));
}
static void test_rule_9(void **state) {
    (void)state;
    address_of_load(R2);
}
static void test_rule_9_sound(void **state) {
    (void)state;
    address_of_load(R3);
}
// An instruction that overwrites the register ends the dependency, a load's own result begins another one.
static void test_rule_9_overwritten(void **state) {
    (void)state;
    OK(bound(0, B, Y, 4));
    OK(bound(0, C, Z, 4));
    OK(visible(1, A, X, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 1, .rd = R1)));
    OK(retired(0, COMPUTES(R1, R3)));
    OK(retired(0, LOADS(B, Y, 4, 0, .rs = {R1}, .rd = R4)));
    OK(retired(0, LOADS(C, Z, 4, 0, .rs = {R4})));
}
// Of a store, visible before the load is bound.
static void test_rule_9_store(void **state) {
    (void)state;
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0, .rd = R1)));
    BROKEN(9, retired(0, STORES(B, Y, 4, 1, .rs = {R1, R2})));
}

// ---- rule 10: data dependency (LB+data) ----
static void data_of_store(unsigned data) {
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0, .rd = R1)));
    if (data == R1)
        BROKEN(10, retired(0, STORES(B, Y, 4, 1, .rs = {R3, data})));
    else
        OK(retired(0, STORES(B, Y, 4, 1, .rs = {R3, data})));
}
static void test_rule_10(void **state) {
    (void)state;
    data_of_store(R1);
}
static void test_rule_10_sound(void **state) {
    (void)state;
    data_of_store(R2);
}

// ---- rule 11: control dependency (LB+ctrl); a load after a branch may be early (MP+ctrl) ----
static void control_of_store(unsigned condition) {
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, C, Z, 4));
    OK(visible(1, A, Z + 8, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0, .rd = R1)));
    OK(retired(0, BRANCHES(condition, R3)));
    OK(retired(0, LOADS(C, Z, 4, 0)));
    if (condition == R1)
        BROKEN(11, retired(0, STORES(B, Y, 4, 1)));
    else
        OK(retired(0, STORES(B, Y, 4, 1)));
}
static void test_rule_11(void **state) {
    (void)state;
    control_of_store(R1);
}
static void test_rule_11_sound(void **state) {
    (void)state;
    control_of_store(R2);
}

// ---- rule 12: b returns what m wrote, and m's address or data depend on a ----
static void through_store(unsigned base, unsigned data) {
    OK(bound(0, B, Y, 4)); // forwards from the store
    OK(visible(1, A, Z, 4, 1));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0, .rd = R1)));
    OK(retired(0, STORES(C, Y, 4, 5, .rs = {base, data})));
    if (base == R1 || data == R1)
        BROKEN(12, retired(0, LOADS(B, Y, 4, 5)));
    else
        OK(retired(0, LOADS(B, Y, 4, 5)));
}
static void test_rule_12_address(void **state) {
    (void)state;
    through_store(R1, R2);
}
static void test_rule_12_data(void **state) {
    (void)state;
    through_store(R2, R1);
}
static void test_rule_12_sound(void **state) {
    (void)state;
    through_store(R2, R3);
}

// ---- rule 13: something between a and b has its address from a (LB+addr-po) ----
static void behind_address(unsigned base) {
    OK(visible(0, B, Y, 4, 1));
    OK(bound(0, A, X, 4));
    OK(bound(0, C, Z, 4));
    OK(retired(0, LOADS(A, X, 4, 0, .rd = R1)));
    OK(retired(0, LOADS(C, Z, 4, 0, .rs = {base})));
    if (base == R1)
        BROKEN(13, retired(0, STORES(B, Y, 4, 1)));
    else
        OK(retired(0, STORES(B, Y, 4, 1)));
}
static void test_rule_13(void **state) {
    (void)state;
    behind_address(R1);
}
static void test_rule_13_sound(void **state) {
    (void)state;
    behind_address(R2);
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
#define TF(what) T(test_rule_4_##what), T(test_rule_4_##what##_sound), T(test_rule_4_##what##_all)
int main(void) {
    const struct CMUnitTest tests[] = {T(test_rule_1_stores),
                                       T(test_rule_1_load),
                                       T(test_rule_1_early),
                                       T(test_rule_1_sound),
                                       T(test_rule_2),
                                       T(test_rule_2_equal_values),
                                       T(test_rule_2_same_store),
                                       T(test_rule_2_same_wide_store),
                                       T(test_rule_2_own_store),
                                       T(test_rule_2_own_store_of_some_bytes),
                                       T(test_rule_2_forwarded_and_read),
                                       T(test_rule_2_forwarded_is_older),
                                       T(test_rule_3),
                                       T(test_rule_3_sc),
                                       T(test_rule_3_sound),
                                       TF(stores),
                                       TF(loads),
                                       TF(store_load),
                                       TF(store_visible_load),
                                       TF(load_store),
                                       T(test_rule_4_tso),
                                       T(test_rule_5),
                                       T(test_rule_5_sound),
                                       T(test_rule_6),
                                       T(test_rule_6_sound),
                                       T(test_rule_6_load),
                                       T(test_rule_7),
                                       T(test_rule_7_sound),
                                       T(test_rule_8),
                                       T(test_rule_8_sound),
                                       T(test_rule_9),
                                       T(test_rule_9_sound),
                                       T(test_rule_9_overwritten),
                                       T(test_rule_9_store),
                                       T(test_rule_10),
                                       T(test_rule_10_sound),
                                       T(test_rule_11),
                                       T(test_rule_11_sound),
                                       T(test_rule_12_address),
                                       T(test_rule_12_data),
                                       T(test_rule_12_sound),
                                       T(test_rule_13),
                                       T(test_rule_13_sound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
