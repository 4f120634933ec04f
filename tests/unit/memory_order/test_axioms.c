// The axioms beside preserved program order (load value, atomicity, progress), one writer of a line, event streams of
// no machine, and what an error prints: of each what holds and what breaks it.
#include "tests/unit/memory_order/trace.h"

enum { VALUE = MEMORY_ORDER_LOAD_VALUE, ATOMIC = MEMORY_ORDER_ATOMICITY, WRITER = MEMORY_ORDER_ONE_WRITER };

// ---- load value ----
// Memory's bytes when it is bound: what is stored later is not seen, what was stored before is.
static void test_value_of_memory(void **state) {
    (void)state;
    const uint64_t initial = 0x1122334455667788;
    assert_true(memory_order_load(m, X, &initial, 8));
    assert_false(memory_order_load(m, BASE + (1 << 20) - 4, &initial, 8));
    OK(bound(0, A, X, 8));
    OK(visible(1, A, X + 2, 2, 0xabcd));
    OK(bound(0, B, X, 8));
    OK(retired(0, LOADS(A, X, 8, initial)));
    OK(retired(0, LOADS(B, X, 8, 0x11223344abcd7788)));
    OK(bound(0, A, X, 8));
    BROKEN(VALUE, retired(0, LOADS(A, X, 8, initial)));
}
// An own store that is not visible yet, all of it or some bytes; of two the younger.
static void test_value_of_own_store(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 4, 0x11111111)));
    OK(retired(0, STORES(B, X, 2, 0x2222)));
    OK(bound(0, A, X, 8));
    OK(bound(0, B, X, 4));
    OK(retired(0, LOADS(A, X, 8, 0x11112222)));
    BROKEN(VALUE, retired(0, LOADS(B, X, 4, 0x11111111)));
}
// Another hart's store after the own one: a load that forwarded has the own value, one bound later must not.
static void test_value_behind_own_store(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 1));
    OK(visible(1, A, X, 4, 2));
    OK(bound(0, B, X, 4));
    OK(retired(0, LOADS(A, X, 4, 1)));
    BROKEN(VALUE, retired(0, LOADS(B, X, 4, 1)));
}
// An own store that is visible, though an older one of other bytes is not: another hart's store after it counts.
static void test_value_behind_early_store(void **state) {
    (void)state;
    OK(retired(0, STORES(A, Y, 4, 1)));
    OK(retired(0, STORES(B, X, 4, 2)));
    OK(visible(0, B, X, 4, 2));
    OK(visible(1, A, X, 4, 3));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 3)));
}
// What a load will have to return, before it retires: memory's bytes when it was bound under own older stores.
static void test_sees(void **state) {
    (void)state;
    struct memory_order_seen seen;
    struct memory_order_step load = LOADS(A, 0, 0, 0), amo = AMO(A, 0, 0, 0, 0), lr = LR(A, 0, 0, 0);
    assert_false(memory_order_sees(m, 0, &load, &seen));
    OK(visible(1, A, X, 8, 0x1122334455667788));
    OK(bound(0, A, X, 4));
    OK(retired(0, STORES(B, X + 1, 1, 0xab)));
    OK(visible(1, B, X, 1, 0));
    assert_true(memory_order_sees(m, 0, &load, &seen));
    assert_true(seen.address == X && seen.size == 4 && seen.word == 0x5566ab88);
    assert_false(memory_order_sees(m, 0, &amo, &seen));
    assert_false(memory_order_sees(m, 1, &load, &seen));
    OK(retired(0, LOADS(A, X, 4, 0x5566ab88)));
    assert_false(memory_order_sees(m, 0, &load, &seen));
    OK(visible(0, B, X + 1, 1, 0xab));
    OK(amo_bound(0, A, X, 8));
    assert_true(memory_order_sees(m, 0, &amo, &seen) && seen.size == 8 && seen.word == 0x112233445566ab00);
    OK(lr_bound(0, A, X, 4));
    assert_true(memory_order_sees(m, 0, &lr, &seen) && seen.word == 0x5566ab00);
}
// Instruction words, and entries of page tables, that were stored to: own stores that are not visible count; what
// others stored before a load that the hart made before its fence.i, or sfence.vma, is the only word there.
static void renewed(enum memory_order_renews what, uint32_t insn) {
    struct memory_order_word word;
    const struct memory_order_step fence = memory_order_step_of(insn);
    assert_true(fence.renews == what && fence.act == MEMORY_ORDER_COMPUTES);
    assert_false(memory_order_now(m, 0, what, X, 4, &word));
    OK(visible(1, A, X + 2, 2, 0x1234));
    assert_true(memory_order_now(m, 0, what, X, 4, &word) && word.word == 0x12340000 && !word.only);
    assert_false(memory_order_now(m, 0, what, X, 2, &word));
    OK(retired(0, fence)); // it has seen nothing of it
    assert_true(memory_order_now(m, 0, what, X, 4, &word) && !word.only);
    OK(bound(0, B, Y, 8));
    OK(retired(0, LOADS(B, Y, 8, 0)));
    assert_true(memory_order_now(m, 0, what, X, 4, &word) && !word.only);
    OK(retired(0, fence));
    assert_true(memory_order_now(m, 0, what, X, 4, &word) && word.only);
    assert_true(memory_order_now(m, 0, MEMORY_ORDER_CODE + MEMORY_ORDER_TABLES - what, X, 4, &word) && !word.only);
    assert_true(memory_order_now(m, 2, what, X, 4, &word) && !word.only);
    OK(retired(0, STORES(C, X + 1, 1, 0xab)));
    assert_true(memory_order_now(m, 0, what, X, 8, &word) && word.word == 0x1234ab00);
    assert_true(memory_order_now(m, 2, what, X, 4, &word) && word.word == 0x12340000);
    assert_false(memory_order_now(m, 0, what, BASE - 4, 4, &word));
}
static void test_code(void **state) {
    (void)state;
    renewed(MEMORY_ORDER_CODE, 0x100f);
}
static void test_tables(void **state) {
    (void)state;
    assert_int_equal(memory_order_step_of(0x120500f3).renews, MEMORY_ORDER_NOTHING); // no rd
    assert_int_equal(memory_order_step_of(0x12c58073).renews, MEMORY_ORDER_NOTHING); // of a page
    renewed(MEMORY_ORDER_TABLES, 0x12000073);
}
// A younger own store must not be seen, though it is visible when the load retires.
static void test_value_of_younger_store(void **state) {
    (void)state;
    OK(bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 9));
    OK(bound(0, B, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0)));
    BROKEN(VALUE, retired(0, LOADS(B, X, 4, 0)));
}
// The value that was bound last counts: a replay.
static void test_value_of_replay(void **state) {
    (void)state;
    OK(bound(0, A, X, 4));
    OK(visible(1, A, X, 4, 9));
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 9)));
}
// A store that the bus refuses: it was forwarded, and then it is gone.
static void test_value_of_lost_store(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 4, 9)));
    OK(bound(0, A, X, 4));
    OK(lost(0, A));
    OK(bound(0, B, X, 4));
    OK(retired(0, LOADS(A, X, 4, 9)));
    BROKEN(VALUE, retired(0, LOADS(B, X, 4, 9)));
}
// An AMO whose result goes nowhere: what it loaded is not compared.
static void test_value_unknown(void **state) {
    (void)state;
    OK(written(X, 4, 9));
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 10));
    OK(retired(0, AMO(A, X, 4, 0, 10, .unknown = true)));
}
static void test_value_of_amo(void **state) {
    (void)state;
    OK(visible(1, A, X, 4, 9));
    OK(retired(1, STORES(A, X, 4, 9)));
    OK(amo_bound(0, A, X, 4));
    OK(visible(0, A, X, 4, 10));
    OK(retired(0, AMO(A, X, 4, 9, 10)));
    OK(amo_bound(1, A, X, 4));
    OK(visible(1, A, X, 4, 11));
    BROKEN(VALUE, retired(1, AMO(A, X, 4, 9, 11)));
}
// A store's bytes on the way: what becomes visible is not what was stored.
static void test_value_of_store(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 2, 0xffff1234)));
    OK(visible(0, A, X, 2, 0xeeee1234));
    OK(retired(0, STORES(A, X, 2, 0x1234)));
    BROKEN(VALUE, visible(0, A, X, 2, 0x1235));
}
static void test_value_of_early_store(void **state) {
    (void)state;
    OK(visible(0, A, X, 2, 0x1235));
    BROKEN(VALUE, retired(0, STORES(A, X, 2, 0x1234)));
}
static void test_value_of_store_elsewhere(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 2, 1)));
    BROKEN(VALUE, visible(0, A, X + 2, 2, 1));
}

// ---- atomicity ----
static void amo_with(unsigned hart, uint64_t address) { // a store between an AMO's load and its store
    OK(amo_bound(0, A, X, 4));
    OK(visible(hart, B, address, 4, 7));
    OK(visible(0, A, X, 4, 1));
}
static void test_atomic_amo(void **state) {
    (void)state;
    amo_with(1, X);
    BROKEN(ATOMIC, retired(0, AMO(A, X, 4, 0, 1)));
}
static void test_atomic_amo_other_bytes(void **state) {
    (void)state;
    amo_with(1, X + 4);
    OK(retired(0, AMO(A, X, 4, 0, 1)));
}
static void pair(uint64_t foreign, uint64_t sc, bool outside) {
    OK(lr_bound(0, A, X, 8));
    OK(retired(0, LR(A, X, 8, 0)));
    if (outside)
        OK(written(foreign, 4, 7));
    else
        OK(visible(1, B, foreign, 4, 7));
    OK(visible(0, B, sc, 4, 1));
}
static void test_atomic_pair(void **state) {
    (void)state;
    pair(X + 4, X + 4, false);
    BROKEN(ATOMIC, retired(0, SC(B, X + 4, 4, 1)));
}
static void test_atomic_pair_outside(void **state) {
    (void)state;
    pair(X, X, true);
    BROKEN(ATOMIC, retired(0, SC(B, X, 4, 1)));
}
// To another byte than the SC's: the axiom speaks of bytes.
static void test_atomic_pair_other_bytes(void **state) {
    (void)state;
    pair(X + 4, X, false);
    OK(retired(0, SC(B, X, 4, 1)));
}
// Before the LR, and after the SC; an AMO of other bytes between the two.
static void test_atomic_pair_sound(void **state) {
    (void)state;
    OK(visible(1, A, X, 4, 7));
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 7)));
    OK(amo_bound(0, A, Y, 4));
    OK(visible(0, A, Y, 4, 1));
    OK(retired(0, AMO(A, Y, 4, 0, 1)));
    OK(visible(0, B, X, 4, 1));
    OK(visible(1, B, X, 4, 2));
    OK(retired(0, SC(B, X, 4, 1)));
}
// Another hart's store is overwritten by an own one: it still came between.
static void test_atomic_pair_hidden(void **state) {
    (void)state;
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 0)));
    OK(retired(0, STORES(C, X, 4, 3)));
    OK(visible(1, A, X, 4, 7));
    OK(visible(0, C, X, 4, 3));
    OK(visible(0, B, X, 4, 1));
    BROKEN(ATOMIC, retired(0, SC(B, X, 4, 1)));
}
// The LR forwards from an own store behind which the other one's came before: not between.
static void test_atomic_pair_forwarded(void **state) {
    (void)state;
    OK(retired(0, STORES(C, X, 4, 3)));
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 3)));
    OK(visible(1, A, X, 4, 7));
    OK(visible(0, C, X, 4, 3));
    OK(visible(0, B, X, 4, 1));
    OK(retired(0, SC(B, X, 4, 1)));
}
// The LR before an SC that failed is paired with that one alone.
static void test_atomic_without_lr(void **state) {
    (void)state;
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 0)));
    OK(retired(0, (struct memory_order_step){.act = MEMORY_ORDER_SC_FAILS}));
    OK(visible(0, B, X, 4, 1));
    BROKEN(ATOMIC, retired(0, SC(B, X, 4, 1)));
}

// ... and so is the one before an SC that succeeded.
static void test_atomic_second_sc(void **state) {
    (void)state;
    pair(Y, X, false);
    OK(retired(0, SC(B, X, 4, 1)));
    OK(visible(0, B, X, 4, 2));
    BROKEN(ATOMIC, retired(0, SC(B, X, 4, 2)));
}

// ---- progress ----
static void test_progress(void **state) {
    (void)state;
    memory_order_set_patience(m, 1, PATIENCE + 2);
    OK(retired(1, STORES(A, Y, 4, 1)));
    OK(retired(2, STORES(A, X, 4, 1)));
    OK(passed(PATIENCE - 1));
    BROKEN(MEMORY_ORDER_PROGRESS, passed(0));
    assert_non_null(strstr(why.text, "hart 2's store"));
}
// Each has that long once it is the oldest.
static void test_progress_of_the_next(void **state) {
    (void)state;
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(retired(0, STORES(B, Y, 4, 1)));
    OK(passed(PATIENCE - 10));
    OK(visible(0, A, X, 4, 1));
    OK(passed(PATIENCE - 10));
    BROKEN(MEMORY_ORDER_PROGRESS, passed(20));
}
static void test_progress_sound(void **state) {
    (void)state;
    memory_order_set_patience(m, 2, 0); // each hart has its own
    OK(retired(2, STORES(A, X, 4, 1)));
    OK(retired(0, STORES(A, X, 4, 1)));
    OK(passed(PATIENCE - 2));
    OK(visible(0, A, X, 4, 1));
    OK(passed(2 * PATIENCE));
}

// ---- one writer ----
static void test_writer(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_SHARED, 0, X));
    OK(line(MEMORY_ORDER_LINE_SHARED, 1, X));
    OK(line(MEMORY_ORDER_LINE_LOST, 1, X));
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    OK(visible(0, A, X + 60, 4, 1));
    OK(line(MEMORY_ORDER_LINE_SHARED, 0, X));
    OK(line(MEMORY_ORDER_LINE_SHARED, 1, X));
    BROKEN(WRITER, visible(0, B, X + 8, 4, 1));
}
static void test_writer_of_shared(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_SHARED, 0, X));
    BROKEN(WRITER, visible(0, A, X, 4, 1));
}
static void test_writer_of_lost(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    OK(line(MEMORY_ORDER_LINE_LOST, 0, X));
    BROKEN(WRITER, visible(0, A, X, 4, 1));
}
static void test_two_owners(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    BROKEN(WRITER, line(MEMORY_ORDER_LINE_OWNED, 1, X + 32));
}
static void test_owner_beside_reader(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_SHARED, 0, X));
    BROKEN(WRITER, line(MEMORY_ORDER_LINE_OWNED, 1, X));
}
static void test_reader_beside_owner(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    OK(line(MEMORY_ORDER_LINE_OWNED, 1, X + 64));
    BROKEN(WRITER, line(MEMORY_ORDER_LINE_SHARED, 1, X));
}

// ---- the host: it reads what memory has, and writes lines that nobody holds ----
static int host(enum memory_order_kind kind, uint64_t address, uint64_t word) {
    return put(AT(kind, 1, 0, address, 8, word));
}
static void test_host(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    OK(visible(0, A, X, 8, 5));
    OK(line(MEMORY_ORDER_LINE_SHARED, 0, X));
    OK(host(MEMORY_ORDER_HOST_READ, X, 5));
    OK(line(MEMORY_ORDER_LINE_LOST, 0, X));
    OK(host(MEMORY_ORDER_HOST_WRITTEN, X, 6));
    OK(host(MEMORY_ORDER_HOST_READ, X, 6));
    OK(line(MEMORY_ORDER_LINE_SHARED, 2, X));
    OK(bound(2, A, X, 8));
    OK(retired(2, LOADS(A, X, 8, 6)));
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, Y)); // another line
    BROKEN(VALUE, host(MEMORY_ORDER_HOST_READ, X, 5));
}
static void test_host_reads_owned(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_OWNED, 2, X));
    BROKEN(WRITER, host(MEMORY_ORDER_HOST_READ, X + 56, 0));
}
static void test_host_writes_held(void **state) {
    (void)state;
    OK(line(MEMORY_ORDER_LINE_SHARED, 2, X));
    BROKEN(WRITER, host(MEMORY_ORDER_HOST_WRITTEN, X + 56, 1));
}
static void test_host_write_is_seen(void **state) { // by whoever loads after it
    (void)state;
    OK(host(MEMORY_ORDER_HOST_WRITTEN, X, 6));
    OK(bound(0, A, X, 8));
    BROKEN(VALUE, retired(0, LOADS(A, X, 8, 0)));
}

// ---- the value of a line ----
static void test_line_value(void **state) {
    (void)state;
    uint64_t words[MEMORY_ORDER_LINE / 8] = {0};
    OK(line_with(MEMORY_ORDER_LINE_OWNED, 0, X, words));
    OK(visible(0, A, X + 60, 4, 0x11223344));
    OK(visible(0, B, X + 3, 1, 0xab));
    words[7] = UINT64_C(0x11223344) << 32;
    words[0] = UINT64_C(0xab) << 24;
    OK(line_with(MEMORY_ORDER_LINE_SHARED, 0, X, words));
    OK(line_with(MEMORY_ORDER_LINE_SHARED, 1, X, words));
    OK(line_with(MEMORY_ORDER_LINE_LOST, 0, X, words));
    OK(line(MEMORY_ORDER_LINE_LOST, 1, X)); // what it had is not said
}
// A cache gets what a store has replaced, shares a copy that lacks one, or loses one with a bit that nobody stored.
static void test_line_is_old(void **state) {
    (void)state;
    const uint64_t words[MEMORY_ORDER_LINE / 8] = {0};
    OK(line(MEMORY_ORDER_LINE_OWNED, 0, X));
    OK(visible(0, A, X + 60, 4, 1));
    OK(line(MEMORY_ORDER_LINE_LOST, 0, X));
    BROKEN(MEMORY_ORDER_LINE_VALUE, line_with(MEMORY_ORDER_LINE_OWNED, 1, X, words));
}
static void test_line_lacks_store(void **state) {
    (void)state;
    const uint64_t words[MEMORY_ORDER_LINE / 8] = {0};
    OK(line_with(MEMORY_ORDER_LINE_OWNED, 0, X, words));
    OK(visible(0, A, X + 8, 1, 1));
    BROKEN(MEMORY_ORDER_LINE_VALUE, line_with(MEMORY_ORDER_LINE_SHARED, 0, X, words));
}
static void test_line_has_other_bit(void **state) {
    (void)state;
    uint64_t words[MEMORY_ORDER_LINE / 8] = {0};
    OK(line_with(MEMORY_ORDER_LINE_SHARED, 0, X, words));
    words[5] = 1;
    BROKEN(MEMORY_ORDER_LINE_VALUE, line_with(MEMORY_ORDER_LINE_LOST, 0, X, words));
}

// ---- streams of no machine: an error, nothing else ----
static void expect_stream(int status, const char *text) {
    if (status != -EINVAL || memory_order_broken(m) != MEMORY_ORDER_STREAM || !strstr(why.text, text)) {
        print_error("expected \"%s\", got %d: %s\n", text, status, why.text);
        fail();
    }
    memory_order_destroy(m);
    begin(NULL);
}
static void test_streams(void **state) {
    (void)state;
    expect_stream(put((struct memory_order_event){.kind = 77}), "kind 77");
    expect_stream(put((struct memory_order_event){.kind = MEMORY_ORDER_PASSED, .hart = 3}), "hart 3 of 3");
    expect_stream(bound(0, MEMORY_ORDER_IDS, X, 4), "id 256");
    expect_stream(bound(0, A, X, 3), "3 bytes");
    expect_stream(bound(0, A, X + 1, 4), "4 bytes at 0x80001001");
    expect_stream(bound(0, A, BASE - 8, 8), "8 bytes");
    expect_stream(bound(0, A, BASE + (1 << 20), 8), "8 bytes");
    expect_stream(visible(0, A, UINT64_MAX - 7, 8, 0), "8 bytes");
    expect_stream(line(MEMORY_ORDER_LINE_OWNED, 0, 64), "1 bytes at 0x40");
    OK(passed(10));
    now -= 9;
    expect_stream(passed(0), "comes before it");
    expect_stream(put((struct memory_order_event){.kind = MEMORY_ORDER_RETIRED}), "no instruction");
    expect_stream(retired(0, (struct memory_order_step){.act = 99}), "no instruction");
    expect_stream(retired(0, (struct memory_order_step){.rs = {0, 0, 64}}), "no instruction");
    expect_stream(retired(0, LOADS(A, X, 0, 0)), "an access of 0 bytes");
    expect_stream(retired(0, LOADS(MEMORY_ORDER_IDS, X, 4, 0)), "ids 256 and 0");
    expect_stream(retired(0, STORES(MEMORY_ORDER_IDS, X, 4, 0)), "ids 0 and 256");
    expect_stream(retired(0, LOADS(A, X, 4, 0)), "has not been bound");
    expect_stream(lost(0, A), "store 1 is lost");
    OK(bound(0, A, X, 4));
    expect_stream(retired(0, LOADS(A, X, 8, 0)), "another one was bound");
    OK(bound(0, A, X, 4));
    OK(retired(0, LOADS(A, X, 4, 0)));
    expect_stream(retired(0, LOADS(A, X, 4, 0)), "has not been bound");
    OK(bound(0, A, X, 4));
    expect_stream(retired(0, LR(A, X, 4, 0)), "another one was bound");
    OK(amo_bound(0, A, X, 4));
    expect_stream(retired(0, AMO(A, X, 4, 0, 1)), "before its store is visible");
    OK(visible(0, A, X, 4, 1));
    expect_stream(visible(0, A, X, 4, 1), "no instruction made it");
    OK(lr_bound(0, A, X, 4));
    OK(retired(0, LR(A, X, 4, 0)));
    OK(visible(1, B, Y, 4, 1));
    OK(lr_bound(0, B, Y, 4)); // squashed
    OK(visible(0, C, X, 4, 2));
    expect_stream(retired(0, SC(C, X, 4, 2)), "its load was not the last");
    OK(retired(0, STORES(A, X, 4, 1)));
    expect_stream(retired(0, STORES(A, X, 4, 1)), "one of that number waits");
    OK(visible(0, A, X, 4, 1));
    now--;
    expect_stream(bound(1, A, X, 4), "after a store of its cycle");
    expect_stream(memory_order_put(m, &(struct memory_order_event){.kind = MEMORY_ORDER_KINDS}, NULL), "");
}
static void test_nothing_after_an_error(void **state) {
    (void)state;
    OK(bound(0, A, X, 4));
    BROKEN(VALUE, retired(0, LOADS(A, X, 4, 1)));
    assert_int_equal(passed(0), -EINVAL);
    assert_int_equal(memory_order_broken(m), VALUE);
}
static void test_shapes(void **state) {
    (void)state;
    const struct memory_order_shape shapes[] = {
        {0, BASE, 4096, 0}, {9, BASE, 4096, 0}, {1, BASE, 0, 0}, {1, BASE, 100, 0}, {1, BASE + 8, 4096, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        assert_null(memory_order_create(&shapes[i], &why));
        assert_non_null(strstr(why.text, "1 to 8 harts"));
    }
}

// ---- what an error prints ----
static void test_explain(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < 30; i++) { // of another line, and older ones of this one
        OK(visible(1, A, X, 4, i));
        OK(retired(1, STORES(A, X, 4, i)));
        OK(visible(1, A, Y, 4, i));
        OK(retired(1, STORES(A, Y, 4, i)));
    }
    OK(bound(2, A, X + 8, 2));
    BROKEN(VALUE, retired(2, LOADS(A, X + 8, 2, 0xbad)));
    assert_non_null(strstr(why.text, "hart 2, line 0x80001000"));
    FILE *out = open_memstream(&text, &size);
    memory_order_explain(m, out);
    fclose(out);
    unsigned lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + MEMORY_ORDER_SHOWN);
    assert_non_null(strstr(text, "hart 2: load bound           2 bytes at 0x80001008"));
    assert_non_null(strstr(text, "hart 2: retired              2 bytes at 0x80001008: 0xbad"));
    assert_null(strstr(text, "0x80002000"));
    free(text);
}

// ---- instructions ----
static void test_steps(void **state) {
    (void)state;
    const struct {
        uint32_t insn;
        enum memory_order_act act;
        unsigned aq, rl, pred, succ, rd, rs1, rs2;
    } rows[] = {
        {0x00c58533, MEMORY_ORDER_COMPUTES, 0, 0, 0, 0, 10, 11, 12}, // add a0, a1, a2
        {0x0005b503, MEMORY_ORDER_LOADS, 0, 0, 0, 0, 10, 11, 0},     // ld a0, 0(a1)
        {0x0005b507, MEMORY_ORDER_LOADS, 0, 0, 0, 0, 42, 11, 0},     // fld fa0, 0(a1)
        {0x00a5b023, MEMORY_ORDER_STORES, 0, 0, 0, 0, 0, 11, 10},    // sd a0, 0(a1)
        {0x00a5b027, MEMORY_ORDER_STORES, 0, 0, 0, 0, 0, 11, 42},    // fsd fa0, 0(a1)
        {0x6188, MEMORY_ORDER_LOADS, 0, 0, 0, 0, 10, 11, 0},         // c.ld a0, 0(a1)
        {0xe188, MEMORY_ORDER_STORES, 0, 0, 0, 0, 0, 11, 10},        // c.sd a0, 0(a1)
        {0x00a58463, MEMORY_ORDER_BRANCHES, 0, 0, 0, 0, 0, 11, 10},  // beq a1, a0, 8
        {0x000580e7, MEMORY_ORDER_BRANCHES, 0, 0, 0, 0, 1, 11, 0},   // jalr ra, 0(a1)
        {0x0ff0000f, MEMORY_ORDER_FENCES, 0, 0, 3, 3, 0, 0, 0},      // fence
        {0x0120000f, MEMORY_ORDER_FENCES, 0, 0, 1, 2, 0, 0, 0},      // fence w, r
        {0x0000100f, MEMORY_ORDER_COMPUTES, 0, 0, 0, 0, 0, 0, 0},    // fence.i
        {0x1005b52f, MEMORY_ORDER_LR, 0, 0, 0, 0, 10, 11, 0},        // lr.d a0, (a1)
        {0x1405b52f, MEMORY_ORDER_LR, 1, 0, 0, 0, 10, 11, 0},        // lr.d.aq
        {0x1205b52f, MEMORY_ORDER_LR, 0, 0, 0, 0, 10, 11, 0},        // lr.d.rl: an LR
        {0x1605b52f, MEMORY_ORDER_LR, 1, 1, 0, 0, 10, 11, 0},        // lr.d.aqrl
        {0x1ac5b52f, MEMORY_ORDER_SC, 0, 1, 0, 0, 10, 11, 12},       // sc.d.rl a0, a2, (a1)
        {0x1cc5b52f, MEMORY_ORDER_SC, 0, 0, 0, 0, 10, 11, 12},       // sc.d.aq: an SC
        {0x06c5b52f, MEMORY_ORDER_AMO, 1, 1, 0, 0, 10, 11, 12},      // amoadd.d.aqrl a0, a2, (a1)
        {0x30059573, MEMORY_ORDER_COMPUTES, 0, 0, 0, 0, 10, 0, 0},   // csrrw a0, mstatus, a1
        {0, MEMORY_ORDER_COMPUTES, 0, 0, 0, 0, 0, 0, 0},             // none
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct memory_order_step s = memory_order_step_of(rows[i].insn);
        if (s.act != rows[i].act || s.aq != rows[i].aq || s.rl != rows[i].rl || s.pred != rows[i].pred ||
            s.succ != rows[i].succ || s.rd != rows[i].rd || s.rs[0] != rows[i].rs1 || s.rs[1] != rows[i].rs2 || s.tso) {
            print_error("0x%x: act %d, aq %d, rl %d, pred %d, succ %d, rd %d, rs %d %d\n", rows[i].insn, (int)s.act,
                        s.aq, s.rl, s.pred, s.succ, s.rd, s.rs[0], s.rs[1]);
            fail();
        }
    }
    assert_true(memory_order_step_of(0x8330000f).tso); // fence.tso
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {T(test_value_of_memory),
                                       T(test_value_of_own_store),
                                       T(test_value_behind_own_store),
                                       T(test_value_behind_early_store),
                                       T(test_value_of_younger_store),
                                       T(test_sees),
                                       T(test_code),
                                       T(test_tables),
                                       T(test_value_of_replay),
                                       T(test_value_of_lost_store),
                                       T(test_value_unknown),
                                       T(test_value_of_amo),
                                       T(test_value_of_store),
                                       T(test_value_of_early_store),
                                       T(test_value_of_store_elsewhere),
                                       T(test_atomic_amo),
                                       T(test_atomic_amo_other_bytes),
                                       T(test_atomic_pair),
                                       T(test_atomic_pair_outside),
                                       T(test_atomic_pair_other_bytes),
                                       T(test_atomic_pair_sound),
                                       T(test_atomic_pair_hidden),
                                       T(test_atomic_pair_forwarded),
                                       T(test_atomic_without_lr),
                                       T(test_atomic_second_sc),
                                       T(test_progress),
                                       T(test_progress_of_the_next),
                                       T(test_progress_sound),
                                       T(test_writer),
                                       T(test_writer_of_shared),
                                       T(test_writer_of_lost),
                                       T(test_two_owners),
                                       T(test_owner_beside_reader),
                                       T(test_reader_beside_owner),
                                       T(test_host),
                                       T(test_host_reads_owned),
                                       T(test_host_writes_held),
                                       T(test_host_write_is_seen),
                                       T(test_line_value),
                                       T(test_line_is_old),
                                       T(test_line_lacks_store),
                                       T(test_line_has_other_bit),
                                       T(test_streams),
                                       T(test_nothing_after_an_error),
                                       T(test_shapes),
                                       T(test_explain),
                                       T(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
