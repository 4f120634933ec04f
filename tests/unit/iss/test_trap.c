// Exceptions and interrupts: cause, epc, tval, the state they leave, priorities, and the way back.
#include "base/memory_size.h"
#include "instructions.h"
#include "tests/unit/iss/hart.h"

#define UXL (UINT64_C(10) << 32) // and SXL
#define NOWHERE UINT64_C(0x20000)
#define UART UINT64_C(0x10000000)
#define CLINT UINT64_C(0x2000000)
#define END (DRAM_BASE + DRAM_BYTES)

static const struct insn_info rows[] = {INSN_INFO_ROWS};

// The state that any exception leaves: handler, machine mode, CSRs.
static void check_state(struct iss *iss, const struct iss_retire *r, uint64_t mstatus) {
    assert_int_equal(r->next_pc, HANDLER);
    assert_int_equal(hart_pc(iss_only(iss)), HANDLER);
    assert_int_equal(hart_privilege(iss_only(iss)), ISS_PRIVILEGE_M);
    assert_int_equal(csr_of(iss, CSR_MCAUSE), r->cause);
    assert_int_equal(csr_of(iss, CSR_MEPC), r->epc);
    assert_int_equal(csr_of(iss, CSR_MTVAL), r->tval);
    assert_int_equal(csr_of(iss, CSR_MSTATUS), mstatus);
}

static void expect(struct iss *iss, uint32_t word, unsigned cause, uint64_t tval) {
    hart_set_pc(iss_only(iss), CODE);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x8);
    hart_set_x(iss_only(iss), A1, UINT64_C(0x1234));
    struct iss_retire r = execute(iss, word);
    assert_trap(&r, cause, CODE, tval);
    assert_int_equal(r.pc, CODE);
    assert_int_equal(r.insn, word);
    assert_int_equal(r.privilege, ISS_PRIVILEGE_M);
    check_state(iss, &r, UXL | 0x1880);
    assert_int_equal(hart_x(iss_only(iss), A1), 0x1234);
}

static void test_instructions(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    expect(iss, ECALL, 11, 0);
    expect(iss, EBREAK, 3, CODE);
    expect(iss, 0xffffffff, 2, 0xffffffff);
    expect(iss, 0x00000007, 2, 0x00000007);
    iss_destroy(iss);
}

static void test_user(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x80);
    to_user(iss, CODE + 0x100);
    struct iss_retire r = execute(iss, ECALL);
    assert_trap(&r, 8, CODE + 0x100, 0);
    assert_int_equal(r.privilege, ISS_PRIVILEGE_U);
    check_state(iss, &r, UXL | 0x80); // MPP: U; MPIE: MIE, which mret had set from MPIE; MIE: off
    assert_int_equal(csr_of(iss, CSR_MSTATUS) & 0x1800, 0);
    hart_set_pc(iss_only(iss), CODE);
    to_user(iss, CODE + 0x100);
    r = execute(iss, MRET);
    assert_trap(&r, 2, CODE + 0x100, MRET);
    hart_set_pc(iss_only(iss), CODE);
    to_user(iss, CODE + 0x100);
    r = execute(iss, WFI);
    assert_trap(&r, 2, CODE + 0x100, WFI);
    hart_set_pc(iss_only(iss), CODE);
    r = execute(iss, WFI); // nothing to wait for: goes on
    assert_false(r.trap);
    assert_int_equal(r.next_pc, CODE + 4);
    iss_destroy(iss);
}

// Memory of any size: its last bytes exist, what follows is nowhere, plain and where region 0 is locked.
static void test_sizes(void **state) {
    (void)state;
    for (uint64_t size = MEMORY_LEAST; size <= MEMORY_MOST; size *= 2) {
        struct iss *iss = hart_create();
        assert_int_equal(iss_set_memory(iss, size, NULL), 0);
        assert_int_equal(iss_memory_bytes(iss), size);
        struct hart *h = iss_only(iss);
        const uint64_t top = DRAM_BASE + size;
        for (int plain = 1; plain >= 0; plain--) {
            if (!plain) hart_set_csr(h, CSR_PMPCFG0, 0x9f); // machine mode is looked at, too
            hart_set_pc(h, CODE);
            hart_set_x(h, A0, top);
            hart_set_x(h, A1, size + (uint64_t)plain);
            assert_false(execute(iss, STORE(DOUBLE, A1, A0, -8)).trap);
            assert_int_equal(execute(iss, LOAD(DOUBLE, A2, A0, -8)).rd_value, size + (uint64_t)plain);
            expect(iss, LOAD(BYTE, A1, A0, 0), 5, top);
            expect(iss, STORE(BYTE, A1, A0, 0), 7, top);
            expect(iss, LR_D(A1, A0), 5, top);
            expect(iss, AMOADD_D(A1, A0, A2), 7, top);
            hart_set_pc(h, top - 4);
            assert_false(execute(iss, NOP).trap);
            struct iss_retire r;
            hart_step(h, &r);
            assert_trap(&r, 1, top, top);
        }
        iss_destroy(iss);
    }
}

// Misaligned comes before what is wrong with the address.
static void test_memory(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    const uint64_t nowhere[] = {NOWHERE, 0, END, RESUME_BASE - 8, UINT64_MAX - 7};
    for (int size = HALF; size <= DOUBLE; size++) {
        for (uint64_t base = NOWHERE; base; base = base == NOWHERE ? DATA : 0) {
            hart_set_x(iss_only(iss), A0, base + (UINT64_C(1) << size) / 2);
            expect(iss, LOAD(size, A1, A0, 0), 4, hart_x(iss_only(iss), A0));
            expect(iss, STORE(size, A1, A0, 0), 6, hart_x(iss_only(iss), A0));
        }
    }
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        hart_set_x(iss_only(iss), A0, nowhere[i] - 16);
        for (int size = BYTE; size <= WORD_U; size++)
            expect(iss, LOAD(size, A1, A0, 16), 5, nowhere[i]);
        for (int size = BYTE; size <= DOUBLE; size++)
            expect(iss, STORE(size, A1, A0, 16), 7, nowhere[i]);
        hart_set_x(iss_only(iss), A0, nowhere[i]);
        expect(iss, LR_D(A1, A0), 5, nowhere[i]);
        expect(iss, SC_D(A1, A0, A2), 7, nowhere[i]);
        expect(iss, AMOADD_D(A1, A0, A2), 7, nowhere[i]);
    }
    const uint64_t devices[] = {CLINT, UART, UINT64_C(0xc000000)};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        hart_set_x(iss_only(iss), A0, devices[i]);
        expect(iss, LR_D(A1, A0), 5, devices[i]);
        expect(iss, SC_D(A1, A0, A2), 7, devices[i]);
        expect(iss, AMOADD_D(A1, A0, A2), 7, devices[i]);
    }
    hart_set_x(iss_only(iss), A0, DATA + 4);
    expect(iss, LR_D(A1, A0), 4, DATA + 4);
    expect(iss, SC_D(A1, A0, A2), 6, DATA + 4);
    expect(iss, AMOADD_D(A1, A0, A2), 6, DATA + 4);
    hart_set_x(iss_only(iss), A0, BOOTROM_BASE);
    expect(iss, STORE(DOUBLE, A1, A0, 0), 7, BOOTROM_BASE);
    expect(iss, AMOADD_D(A1, A0, A2), 7, BOOTROM_BASE);
    hart_set_x(iss_only(iss), A0, RESUME_BASE);
    expect(iss, STORE(DOUBLE, A1, A0, 0), 7, RESUME_BASE);
    expect(iss, AMOADD_D(A1, A0, A2), 7, RESUME_BASE);
    iss_destroy(iss);
}

static void expect_fetch_fault(struct iss *iss, uint64_t pc, uint64_t tval) {
    struct iss_retire r;
    hart_set_pc(iss_only(iss), pc);
    hart_step(iss_only(iss), &r);
    assert_trap(&r, 1, pc, tval);
    assert_int_equal(r.insn, 0);
    assert_int_equal(hart_pc(iss_only(iss)), HANDLER);
}

static void test_fetch(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    const uint64_t nowhere[] = {0, NOWHERE, CLINT, UART, END, RESUME_BASE - 2, UINT64_MAX - 1};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        expect_fetch_fault(iss, nowhere[i], nowhere[i]);
    const uint16_t half = NOP; // the other half is missing
    iss_write(iss, END - 2, &half, sizeof half);
    expect_fetch_fault(iss, END - 2, END);
    // A misaligned target cannot be: jalr clears bit 0.
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, DATA + 3);
    struct iss_retire r = execute(iss, 0x00050067 | A1 << 7);
    assert_false(r.trap);
    assert_int_equal(r.next_pc, DATA + 2);
    // An instruction across two pages.
    hart_set_pc(iss_only(iss), CODE + 4094);
    r = execute(iss, ADDI(A0, 0, 99));
    assert_int_equal(r.rd_value, 99);
    assert_int_equal(r.next_pc, CODE + 4098);
    put_word(iss, CODE + 4094, ADDI(A0, 0, 98)); // seen although it was decoded
    hart_set_pc(iss_only(iss), CODE + 4094);
    hart_step(iss_only(iss), &r);
    assert_int_equal(r.rd_value, 98);
    iss_destroy(iss);
}

static void test_mret(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    static const struct {
        uint64_t before, after;
        unsigned privilege;
    } cases[] = {
        {0x1800, 0x80, 3}, {0x1880, 0x88, 3},     {0x0000, 0x80, 0},     {0x0080, 0x88, 0},
        {0x1808, 0x80, 3}, {0x21880, 0x20088, 3}, {0x20080, 0x00088, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hart_set_pc(iss_only(iss), CODE);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, cases[i].before);
        hart_set_csr(iss_only(iss), CSR_MEPC, DATA);
        struct iss_retire r = execute(iss, MRET);
        assert_false(r.trap);
        assert_int_equal(r.next_pc, DATA);
        assert_int_equal(hart_privilege(iss_only(iss)), cases[i].privilege);
        assert_int_equal(csr_of(iss, CSR_MSTATUS), UXL | cases[i].after);
        if (hart_privilege(iss_only(iss)) == ISS_PRIVILEGE_U) execute(iss, ECALL);
    }
    iss_destroy(iss);
}

// ---- interrupts ----
enum { MSI = 1 << 3, MTI = 1 << 7, LCOFI = 1 << 13 };

static void raise_interrupts(struct iss *iss, unsigned sources) {
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, CLINT);
    hart_set_x(iss_only(iss), A1, 1);
    if (sources & MSI) execute(iss, STORE(WORD, A1, A0, 0));
    hart_set_x(iss_only(iss), A0, CLINT + 0x4000);
    if (sources & MTI) execute(iss, STORE(DOUBLE, 0, A0, 0));
    if (sources & LCOFI) hart_set_csr(iss_only(iss), CSR_MIP, LCOFI);
    assert_int_equal(csr_of(iss, CSR_MIP), sources);
    hart_set_pc(iss_only(iss), CODE);
}

static void test_priority(void **state) {
    (void)state;
    for (unsigned choice = 1; choice < 8; choice++) {
        for (int vectored = 0; vectored < 2; vectored++) {
            struct iss *iss = hart_create();
            unsigned sources = (choice & 1 ? MSI : 0) | (choice & 2 ? MTI : 0) | (choice & 4 ? LCOFI : 0);
            unsigned cause = choice & 1 ? 3 : choice & 2 ? 7 : 13;
            raise_interrupts(iss, sources);
            hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER | (unsigned)vectored);
            hart_set_csr(iss_only(iss), CSR_MIE, MSI | MTI | LCOFI);
            struct iss_retire r = execute(iss, NOP);
            assert_false(r.trap); // MIE is off
            hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1808);
            r = execute(iss, NOP);
            assert_true(r.trap && r.interrupt);
            assert_int_equal(r.cause, cause);
            assert_int_equal(r.epc, CODE + 4);
            assert_int_equal(r.tval, 0);
            assert_int_equal(r.insn, 0);
            assert_int_equal(r.next_pc, HANDLER + (vectored ? 4 * cause : 0));
            assert_int_equal(csr_of(iss, CSR_MCAUSE), UINT64_C(1) << 63 | cause);
            assert_int_equal(csr_of(iss, CSR_MSTATUS), UXL | 0x1880);
            r = execute(iss, ECALL); // exceptions are never vectored
            assert_int_equal(r.next_pc, HANDLER);
            iss_destroy(iss);
        }
    }
}

static void test_enables(void **state) {
    (void)state;
    static const unsigned all[] = {MSI, MTI, LCOFI};
    for (size_t i = 0; i < 3; i++) {
        struct iss *iss = hart_create();
        raise_interrupts(iss, all[i]);
        hart_set_csr(iss_only(iss), CSR_MIE, (MSI | MTI | LCOFI) & ~all[i]);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1808);
        assert_false(execute(iss, NOP).trap);
        hart_set_csr(iss_only(iss), CSR_MIE, all[i]);
        assert_true(execute(iss, NOP).interrupt);
        // User mode is interrupted without MIE.
        hart_set_csr(iss_only(iss), CSR_MSTATUS, 0);
        to_user(iss, DATA);
        struct iss_retire r = execute(iss, NOP);
        assert_true(r.interrupt);
        assert_int_equal(r.privilege, ISS_PRIVILEGE_U);
        assert_int_equal(r.epc, DATA);
        // In lockstep the core decides.
        iss_set_autonomous(iss, false);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1808);
        assert_false(execute(iss, NOP).trap);
        iss_destroy(iss);
    }
}

// The timer interrupt comes at its very instruction, step by step and in a run.
static void test_timer(void **state) {
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        struct iss *iss = hart_create();
        for (unsigned i = 0; i < 1000; i++)
            put_word(iss, CODE + 4 * i, NOP);
        hart_set_x(iss_only(iss), A0, CLINT + 0x4000);
        hart_set_x(iss_only(iss), A1, 3); // mtime: one tick every 100 steps
        put_word(iss, CODE, STORE(DOUBLE, A1, A0, 0));
        hart_set_csr(iss_only(iss), CSR_MIE, MTI);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1808);
        if (fast) {
            assert_int_equal(iss_run(iss, 301), 301);
        } else {
            for (int i = 0; i < 301; i++)
                hart_step(iss_only(iss), NULL);
        }
        assert_int_equal(csr_of(iss, CSR_TIME), 3);
        assert_int_equal(csr_of(iss, CSR_MEPC), CODE + 4 * 300);
        assert_int_equal(csr_of(iss, CSR_MCAUSE), UINT64_C(1) << 63 | 7);
        assert_int_equal(hart_pc(iss_only(iss)), HANDLER);
        iss_destroy(iss);
    }
}

enum { RD = 16 }; // as an offset of a store: aligned

// The fields that the row leaves free: rs1, and rd where it has one.
static uint32_t operands(unsigned op) {
    if (rows[op].format == FORMAT_N) return 0;
    return rows[op].format == FORMAT_RR ? A0 << 15 : A0 << 15 | RD << 7;
}

// Each row of the table executes: none is forgotten, none is illegal in machine mode.
static void test_every_row(void **state) {
    (void)state;
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        struct iss *iss = hart_create();
        iss_set_ctr_depth(iss, 16); // for sctrclr
        for (unsigned i = 1; i < 32; i++)
            hart_set_x(iss_only(iss), i, DATA);
        hart_set_csr(iss_only(iss), CSR_MEPC, DATA);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, csr_of(iss, CSR_MSTATUS) | 0x2000); // FS: Initial
        bool csr = rows[op].unit == UNIT_CSR;
        struct iss_retire r = execute(iss, rows[op].match | operands(op) | (csr ? (uint32_t)CSR_MSCRATCH << 20 : 0));
        bool traps = op == INSN_ECALL || op == INSN_EBREAK;
        assert_int_equal(r.trap, traps);
        if (traps) assert_int_not_equal(r.cause, 2);
        bool writes = rows[op].unit != UNIT_STORE && rows[op].unit != UNIT_BRANCH && rows[op].unit != UNIT_FENCE &&
                      rows[op].unit != UNIT_SYS;
        assert_int_equal(r.rd_written, writes);
        if (writes) assert_int_equal(r.rd, RD);
        iss_destroy(iss);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_user),    cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sizes),        cmocka_unit_test(test_fetch),   cmocka_unit_test(test_mret),
        cmocka_unit_test(test_priority),     cmocka_unit_test(test_enables), cmocka_unit_test(test_timer),
        cmocka_unit_test(test_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
