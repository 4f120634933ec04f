// Vectors: for each rule of workers/event_vectors.h a case that keeps it and one that breaks it.
#include "csrs.h"
#include "events.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_event_vectors;
#define BIT(event) (1u << (event))
#define DATA (AT + 0x4000)
enum {
    NOP = 0x13,
    LOAD = 0x03,
    STORE = 0x23,
    AMO = 0x2f,
    SFENCE = 0x12000073,
    FENCE_I = 0x100f,
    CSRW_SATP = 0x18051073
};

// Past the first instruction, which must have met DR_L1.
static void start(struct scene *s) {
    scene_start(s, &worker_event_vectors);
    scene_memory(s, (struct memory_event){.kind = MEMORY_READ, .port = DPI_PORT_INSN, .address = AT});
    scene_memory(s, (struct memory_event){.kind = MEMORY_RESPONSE, .port = DPI_PORT_INSN, .tick = 5});
    scene_commits(s, (struct iss_retire){.pc = AT, .insn = NOP});
    s->bundle.psv[0] = BIT(EVENT_DR_L1);
    assert_int_equal(scene_cycle(s, 10), 0);
}

// What commits in this cycle with this vector, dispatched `waited` cycles before and the oldest for all but 4 of them.
static int leaves(struct scene *s, uint64_t cycle, unsigned waited, struct iss_retire step, unsigned psv) {
    step.pc = AT;
    scene_commits(s, step);
    s->bundle.psv[0] = (uint16_t)psv;
    s->bundle.mispredict = 0;
    s->shadow.left[0] = (struct shadow_left){.dispatched = cycle - waited, .headed = cycle - waited + 4};
    return scene_cycle(s, cycle);
}

static int loads(struct scene *s, uint64_t cycle, unsigned waited, uint64_t address, unsigned psv) {
    return leaves(s, cycle, waited, (struct iss_retire){.insn = LOAD, .access = ISS_ACCESS_LOAD, .address = address},
                  psv);
}

static void line(struct scene *s, uint64_t asked, uint64_t came, uint64_t address, bool llc_miss) {
    scene_memory(s,
                 (struct memory_event){
                     .kind = MEMORY_READ, .port = DPI_PORT_DATA, .id = 3, .tick = asked, .address = address & ~63ull});
    scene_memory(s, (struct memory_event){
                        .kind = MEMORY_RESPONSE, .port = DPI_PORT_DATA, .id = 3, .tick = came, .llc_miss = llc_miss});
}

static void breaks(struct scene *s, int result, const char *words) {
    assert_int_equal(result, -EBADMSG);
    if (!strstr(s->err.text, words)) fail_msg("'%s' lacks '%s'", s->err.text, words);
}

static void test_kinds(void **unused) {
    static const struct {
        uint32_t insn;
        uint8_t access;
        unsigned psv;
        const char *words;
    } rows[] = {
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_ST_L1), "ST_L1 (of such"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_ST_LLC), "ST_LLC"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_ST_TLB), "ST_TLB (of such"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_DR_SQ), "DR_SQ"},
        {LOAD, ISS_ACCESS_LOAD, BIT(EVENT_DR_SQ), "DR_SQ"},
        {LOAD, ISS_ACCESS_LOAD, BIT(EVENT_ST_LLC), "ST_LLC"},
        {STORE, ISS_ACCESS_STORE, BIT(EVENT_ST_L1), "ST_L1 (of such"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_FL_EX), "FL_EX"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_FL_MO), "FL_MO"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_FL_MB), "FL_MB"},
        {STORE, ISS_ACCESS_STORE, BIT(EVENT_ST_TLB), "not translated"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_DR_TLB), "not translated"},
        {NOP, ISS_ACCESS_NONE, BIT(EVENT_DR_L1), "no line came"},
    };
    struct scene s;
    (void)unused;
    start(&s);
    assert_int_equal(leaves(&s, 20, 5, (struct iss_retire){.insn = NOP}, 0), 0);
    assert_int_equal(
        leaves(&s, 21, 5, (struct iss_retire){.insn = STORE, .access = ISS_ACCESS_STORE}, BIT(EVENT_DR_SQ)), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        breaks(&s,
               leaves(&s, 30 + i, 5, (struct iss_retire){.insn = rows[i].insn, .access = rows[i].access}, rows[i].psv),
               rows[i].words);
    scene_end(&s);
}

static int raises(struct scene *s, uint64_t cycle, bool replay, unsigned psv) {
    s->golden.count = 1;
    s->golden.step[0] = (struct iss_retire){.pc = AT, .trap = true, .cause = 2};
    s->bundle = (struct commit_bundle){
        .valid = 1, .exception = true, .replay = replay, .exception_pc = AT, .exception_psv = (uint16_t)psv};
    return scene_cycle(s, cycle);
}

static void test_flushed(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    assert_int_equal(raises(&s, 20, false, BIT(EVENT_FL_EX)), 0);
    assert_int_equal(raises(&s, 21, true, BIT(EVENT_FL_MO)), 0);
    breaks(&s, raises(&s, 22, false, 0), "FL_EX");
    breaks(&s, raises(&s, 23, true, 0), "FL_MO");
    breaks(&s, raises(&s, 24, false, BIT(EVENT_FL_EX) | BIT(EVENT_FL_MO)), "FL_MO");
    breaks(&s, raises(&s, 25, false, BIT(EVENT_FL_EX) | BIT(EVENT_FL_MB)), "FL_MB");
    scene_end(&s);
}

static void test_loads(void **unused) {
    const unsigned l1 = BIT(EVENT_ST_L1), llc = l1 | BIT(EVENT_ST_LLC);
    struct scene s;
    (void)unused;
    start(&s);
    assert_int_equal(loads(&s, 100, 10, DATA, 0), 0);
    breaks(&s, loads(&s, 110, 10, DATA, l1), "its line did not come");
    line(&s, 150, 190, DATA, false);
    assert_int_equal(loads(&s, 200, 50, DATA, l1), 0);
    assert_int_equal(loads(&s, 200, 50, DATA, 0), 0); // it may have come for another
    breaks(&s, loads(&s, 200, 50, DATA, llc), "did not come from DRAM");
    breaks(&s, loads(&s, 300, 50, DATA, l1), "its line did not come"); // that was before its time
    line(&s, 420, 590, DATA + 64, true);
    assert_int_equal(loads(&s, 600, 200, DATA + 64, llc), 0); // the oldest since cycle 404
    breaks(&s, loads(&s, 600, 200, DATA + 64, 0), "it waited for its line");
    breaks(&s, loads(&s, 600, 200, DATA + 64, l1), "by the memory model");
    assert_int_equal(loads(&s, 600, 200, DATA + 64, BIT(EVENT_ST_TLB)),
                     -EBADMSG); // not translated, but else that is why
    line(&s, 720, 890, DATA + 128, false);
    breaks(&s, loads(&s, 900, 200, DATA + 128, llc), "did not come from DRAM");
    assert_int_equal(loads(&s, 900, 200, DATA + 128, l1), 0);
    line(&s, 1020, 1050, DATA + 192, true); // it was not the oldest for long
    breaks(&s, loads(&s, 1060, 50, DATA + 192, l1), "for the line that it missed");
    assert_int_equal(loads(&s, 1060, 50, DATA + 192, llc), 0);
    assert_int_equal(loads(&s, 1060, 50, DATA + 192, 0), 0);  // it came for another, before it looked
    assert_int_equal(loads(&s, 1060, 35, DATA + 192, l1), 0); // another had asked for it
    line(&s, 1120, 1150, DATA + 256, false);
    breaks(&s, loads(&s, 1160, 50, DATA + 256, llc), "did not come from DRAM");
    scene_end(&s);
}

// A store to the line: the load may take its data from it, or wait until it has been written.
static void test_forwarded(void **unused) {
    struct scene s;
    (void)unused;
    start(&s);
    const struct iss_retire store = {.insn = STORE, .access = ISS_ACCESS_STORE, .address = DATA, .size = 8};
    assert_int_equal(leaves(&s, 100, 5, store, 0), 0);
    assert_int_equal(loads(&s, 110, 5, DATA + 8, BIT(EVENT_ST_L1)), 0);
    line(&s, 220, 390, DATA, true);
    assert_int_equal(loads(&s, 400, 200, DATA + 8, 0), 0);
    scene_end(&s);
}

static void test_fetch(void **unused) {
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_event_vectors);
    breaks(&s, leaves(&s, 10, 5, (struct iss_retire){.insn = NOP}, 0), "the instruction cache was empty");
    scene_end(&s);
    start(&s);
    assert_int_equal(leaves(&s, 20, 5, (struct iss_retire){.insn = FENCE_I}, 0), 0);
    breaks(&s, leaves(&s, 30, 5, (struct iss_retire){.insn = NOP}, 0), "the instruction cache was empty");
    assert_int_equal(leaves(&s, 31, 5, (struct iss_retire){.insn = NOP}, 0), 0);
    assert_int_equal(leaves(&s, 40, 5, (struct iss_retire){.insn = SFENCE, .translated = true}, BIT(EVENT_DR_TLB)), 0);
    assert_int_equal(leaves(&s, 50, 5, (struct iss_retire){.insn = NOP}, 0),
                     0); // not translated: nothing is pending yet
    breaks(&s, leaves(&s, 60, 5, (struct iss_retire){.insn = NOP, .translated = true}, 0),
           "the instruction TLB was empty");
    // A write of satp and a fence that names a page or an address space may leave what is asked for next.
    const struct iss_retire satp = {.insn = CSRW_SATP, .csr_accessed = true, .csr_written = true, .csr = CSR_SATP};
    const struct iss_retire keeping[] = {satp, {.insn = SFENCE | 10 << 15}, {.insn = SFENCE | 10 << 20}};
    for (unsigned i = 0; i < sizeof keeping / sizeof *keeping; i++) {
        assert_int_equal(leaves(&s, 100 + 10 * i, 5, keeping[i], 0), 0);
        assert_int_equal(leaves(&s, 105 + 10 * i, 5, (struct iss_retire){.insn = NOP, .translated = true}, 0), 0);
    }
    const struct iss_retire pmp = {.insn = CSRW_SATP, .csr_accessed = true, .csr_written = true, .csr = CSR_PMPCFG0};
    assert_int_equal(leaves(&s, 200, 5, pmp, 0), 0);
    breaks(&s, leaves(&s, 210, 5, (struct iss_retire){.insn = NOP, .translated = true}, 0),
           "the instruction TLB was empty");
    scene_end(&s);
}

static int touches(struct scene *s, uint64_t cycle, uint64_t address, bool missed) {
    return leaves(s, cycle, 5,
                  (struct iss_retire){.insn = STORE,
                                      .access = ISS_ACCESS_STORE,
                                      .data_translated = true,
                                      .virtual_address = address,
                                      .address = DATA},
                  missed ? BIT(EVENT_ST_TLB) : 0);
}

static void flush_tlbs(struct scene *s, uint64_t cycle) {
    assert_int_equal(leaves(s, cycle, 1, (struct iss_retire){.insn = SFENCE}, 0), 0);
}

static void test_tlb(void **unused) {
    const uint64_t gib = UINT64_C(1) << 30;
    struct scene s;
    (void)unused;
    start(&s);
    flush_tlbs(&s, 20);
    assert_int_equal(touches(&s, 30, gib, true), 0);
    assert_int_equal(touches(&s, 31, gib, false), 0);
    assert_int_equal(touches(&s, 40, gib, false), 0);
    flush_tlbs(&s, 50);
    assert_int_equal(touches(&s, 60, gib, false), 0); // a later one, that was in flight then, may have gone first
    assert_int_equal(touches(&s, 62, gib, true), 0);
    assert_int_equal(touches(&s, 70, gib, false), 0);
    flush_tlbs(&s, 80);
    assert_int_equal(touches(&s, 90, gib, false), 0);
    breaks(&s, touches(&s, 99, gib, true), "no access missed the data TLB"); // dispatched in 94: too late
    flush_tlbs(&s, 100);
    s.shadow.squashed = 105; // what was killed may have gone first
    assert_int_equal(touches(&s, 110, gib, false), 0);
    assert_int_equal(touches(&s, 120, gib, false), 0);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_flushed),
                                       cmocka_unit_test(test_loads), cmocka_unit_test(test_forwarded),
                                       cmocka_unit_test(test_fetch), cmocka_unit_test(test_tlb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
