// CSRs: what exists, write masks, who may access what, counters. Expected values are written out after the privileged
// manual and design choices, not taken from the table.
#include "tests/unit/iss/hart.h"
#include <errno.h>

#define ALL UINT64_MAX

// What software can change, and what stands there after reset.
static const struct {
    unsigned address;
    uint64_t reset, mask;
} writable[] = {
    {0x104, 0, 0},                            // sie: nothing is delegated
    {0x105, 0, ~UINT64_C(2)},                 // stvec
    {0x10a, 0, 1},                            // senvcfg
    {0x140, 0, ALL},                          // sscratch
    {0x141, 0, ~UINT64_C(1)},                 // sepc
    {0x142, 0, UINT64_C(0x800000000000003f)}, // scause
    {0x143, 0, ALL},                          // stval
    {0x302, 0, 0xb3ff},                       // medeleg: not ecall from M
    {0x303, 0, 0x2222},                       // mideleg
    {0x30a, 0, 1},                            // menvcfg
    {0x304, 0, 0x2aaa},                       // mie
    {0x305, 0, ~UINT64_C(2)},                 // mtvec
    {0x306, 0, 0xffffffff},                   // mcounteren
    {0x320, 0, 0xfffffffd},                   // mcountinhibit
    {0x323, 0, UINT64_C(0xf0000000000000ff)}, // mhpmevent3
    {0x33f, 0, UINT64_C(0xf0000000000000ff)}, // mhpmevent31
    {0x340, 0, ALL},                          // mscratch
    {0x341, 0, ~UINT64_C(1)},                 // mepc
    {0x342, 0, UINT64_C(0x800000000000003f)}, // mcause
    {0x343, 0, ALL},                          // mtval
    {0x344, 0, 0x2222},                       // mip
    {0xb03, 0, ALL},                          // mhpmcounter3
    {0xb1f, 0, ALL},                          // mhpmcounter31
    {0x7c0, 0, ALL},                          // tipoff_period
    {0x5c0, 0, 0},                            // shpmspc
    {0x5c1, 0, UINT64_C(1) << 22},            // shpmsdata
    {0x301, UINT64_C(0x800000000014112d), 0}, // misa: RV64 A C D F I M S U
};

static void test_masks(void **state) {
    (void)state;
    static const uint64_t values[] = {ALL, 0, UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa)};
    struct iss *iss = hart_create();
    hart_set_csr(iss_only(iss), CSR_MTVEC, 0);
    for (size_t i = 0; i < sizeof writable / sizeof *writable; i++) {
        unsigned address = writable[i].address;
        assert_int_equal(csr_of(iss, address), writable[i].reset);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            uint64_t expected = (values[k] & writable[i].mask) | (writable[i].reset & ~writable[i].mask);
            hart_set_csr(iss_only(iss), address, values[k]);
            assert_int_equal(csr_of(iss, address), expected);
            hart_set_csr(iss_only(iss), address, ~values[k]);
            hart_set_x(iss_only(iss), A0, values[k]);
            struct iss_retire r = execute(iss, CSRRW(A1, address, A0));
            assert_true(r.csr_accessed && r.csr_written);
            assert_int_equal(r.csr, address);
            assert_int_equal(r.csr_value, expected);
            assert_int_equal(csr_of(iss, address), expected);
        }
        hart_set_csr(iss_only(iss), address, 0);
    }
    iss_destroy(iss);
}

static void test_mstatus(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    const uint64_t uxl = UINT64_C(10) << 32; // and SXL
    assert_int_equal(csr_of(iss, 0x300), uxl | 0x1800);
    hart_set_csr(iss_only(iss), 0x300, ALL);
    assert_int_equal(csr_of(iss, 0x300), UINT64_C(1) << 63 | uxl | 0x7e79aa); // FS is Dirty, so that SD is set
    hart_set_csr(iss_only(iss), 0x300, 0x0800);
    assert_int_equal(csr_of(iss, 0x300), uxl | 0x0800);
    hart_set_csr(iss_only(iss), 0x300, 0x1000); // MPP 2 is no mode
    assert_int_equal(csr_of(iss, 0x300), uxl);
    iss_destroy(iss);
}

// depth: of control transfer records; there are 4 CSRs of them. profileme: of ProfileMe 2. Of triggers 4.
static void check_existence(unsigned depth, bool profileme, unsigned triggers) {
    struct iss *iss = hart_create();
    iss_set_ctr_depth(iss, depth);
    iss_set_profileme(iss, profileme);
    iss_set_triggers(iss, triggers);
    unsigned count = (depth ? 0 : 4) + (profileme ? 0 : 2) + (triggers ? 0 : 4);
    for (unsigned address = 0; address < 0x1100; address++) {
        uint64_t value;
        bool counter = (address >= 0xc00 && address <= 0xc1f) || (address >= 0xb03 && address <= 0xb1f) ||
                       address == 0xb00 || address == 0xb02 || address == 0xda0;
        bool supervisor = address == 0x100 || (address >= 0x104 && address <= 0x106) || address == 0x10a ||
                          (address >= 0x140 && address <= 0x144) || address == 0x180;
        bool protection = address == 0x3a0 || address == 0x3a2 || (address >= 0x3b0 && address <= 0x3bf);
        bool machine = (address >= 0xf11 && address <= 0xf15) || address == 0x300 || address == 0x301 ||
                       (address >= 0x302 && address <= 0x306) || address == 0x30a ||
                       (address >= 0x340 && address <= 0x344) || address == 0x320 ||
                       (address >= 0x323 && address <= 0x33f);
        bool custom = (address >= 0x7c0 && address <= 0x7c2) || (address >= 0x5c0 && address <= 0x5c1) ||
                      (address >= 0x5d0 && address <= 0x5dc);
        bool window = (address & ~0x200u) >= 0x150 && (address & ~0x200u) <= 0x157 && (address & 0xff) != 0x54;
        bool fp = address >= 1 && address <= 3;
        bool records = address == 0x14e || address == 0x14f || address == 0x15f || address == 0x34e;
        bool instructions = profileme && (address == 0x7c3 || address == 0x5c2);
        bool trigger = triggers && ((address >= 0x7a0 && address <= 0x7a2) || address == 0x7a4);
        bool exists = trigger || instructions || window || (records && depth) || counter || supervisor || protection ||
                      machine || custom || fp;
        assert_int_equal(hart_csr(iss_only(iss), address, &value), exists ? 0 : -EINVAL);
        assert_int_equal(hart_set_csr(iss_only(iss), address, 0), exists ? 0 : -EINVAL);
        count += exists;
        if (address > 0xfff) continue;
        hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
        hart_set_pc(iss_only(iss), CODE);
        uint32_t insn = CSRRS(A0, address, 0);
        struct iss_retire r = execute(iss, insn);
        assert_int_equal(r.trap, !exists || fp); // FS is Off
        if (!exists || fp) assert_trap(&r, 2, CODE, insn);
    }
    assert_int_equal(count, CSR_COUNT);
    iss_destroy(iss);
}

static void test_existence(void **state) {
    (void)state;
    check_existence(0, false, 0);
    check_existence(64, false, 0);
    check_existence(0, true, 0);
    check_existence(0, false, 4);
}

// Sdtrig 1.0, of it mcontrol6 with execute, m, s, u and the lowest bit of the action.
static void test_triggers(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    uint64_t control, address;
    iss_set_triggers(iss, 4);
    hart_set_csr(iss_only(iss), 0x7a0, UINT64_MAX);
    assert_int_equal(csr_of(iss, 0x7a0), 3);
    assert_true(csr_of(iss, 0x7a1) == 0x6000000000008000 && csr_of(iss, 0x7a2) == 0 && csr_of(iss, 0x7a4) == 0x1000040);
    hart_set_csr(iss_only(iss), 0x7a1, UINT64_MAX);
    hart_set_csr(iss_only(iss), 0x7a2, 0x123456789abcdef1);
    hart_set_csr(iss_only(iss), 0x7a4, 0);
    hart_set_csr(iss_only(iss), 0x7a0, 0x1d);
    assert_int_equal(csr_of(iss, 0x7a0), 1);
    assert_true(csr_of(iss, 0x7a1) == 0x6000000000008000 && csr_of(iss, 0x7a2) == 0 && csr_of(iss, 0x7a4) == 0x1000040);
    hart_set_csr(iss_only(iss), 0x7a0, 3);
    assert_true(csr_of(iss, 0x7a1) == 0x600000000000905c && csr_of(iss, 0x7a2) == 0x123456789abcdef1);
    hart_trigger(iss_only(iss), 3, &control, &address);
    assert_true(control == 0x600000000000905c && address == 0x123456789abcdef1);
    hart_trigger(iss_only(iss), 4, &control, &address);
    assert_true(control == 0 && address == 0);
    iss_destroy(iss);
}

// What the ISS holds of control transfer records, and of the registers in the window: nothing, they read 0.
static void test_records(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    iss_set_ctr_depth(iss, 64);
    hart_set_csr(iss_only(iss), 0x34e, UINT64_MAX);
    assert_true(csr_of(iss, 0x34e) == 0xff3e00001b87 && csr_of(iss, 0x14e) == 0xff3e00001983);
    hart_set_csr(iss_only(iss), 0x14e, 0);
    assert_true(csr_of(iss, 0x34e) == 0x204);
    for (uint64_t depth = 0; depth < 8; depth++) {
        hart_set_csr(iss_only(iss), 0x15f, depth);
        assert_int_equal(csr_of(iss, 0x15f), depth <= 2 ? depth : 2);
    }
    hart_set_csr(iss_only(iss), 0x150, UINT64_MAX);
    hart_set_csr(iss_only(iss), 0x151, UINT64_MAX);
    assert_true(csr_of(iss, 0x150) == 0xfff && csr_of(iss, 0x151) == 0);
    iss_set_window(iss, false);
    uint64_t value;
    assert_int_equal(hart_csr(iss_only(iss), 0x150, &value), -EINVAL);
    assert_int_equal(hart_csr(iss_only(iss), 0x357, &value), -EINVAL);
    iss_destroy(iss);
}

// Privilege, read-only CSRs, and which forms write.
static void test_access(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    const uint32_t illegal[] = {CSRRW(A0, 0xf14, 0), CSRRW(0, 0xf14, 0),  CSRRS(A0, 0xf14, A1), CSRRC(A0, 0xf14, A1),
                                CSRRWI(0, 0xc00, 0), CSRRSI(0, 0xc00, 1), CSRRW(0, 0xc03, A0)};
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++) {
        hart_set_pc(iss_only(iss), CODE);
        struct iss_retire r = execute(iss, illegal[i]);
        assert_trap(&r, 2, CODE, illegal[i]);
    }
    hart_set_pc(iss_only(iss), CODE);
    hart_set_csr(iss_only(iss), CSR_MSCRATCH, 0x70);
    struct iss_retire r = execute(iss, CSRRS(A0, 0x340, 0));
    assert_true(r.csr_accessed && !r.csr_written && r.rd_written);
    assert_int_equal(r.rd_value, 0x70);
    assert_int_equal(r.csr_value, 0x70);
    r = execute(iss, CSRRSI(A0, 0x340, 9));
    assert_true(r.csr_written);
    assert_int_equal(r.rd_value, 0x70);
    assert_int_equal(r.csr_value, 0x79);
    hart_set_x(iss_only(iss), A1, 0x11);
    execute(iss, CSRRC(A1, 0x340, A1));
    assert_int_equal(hart_x(iss_only(iss), A1), 0x79);
    assert_int_equal(csr_of(iss, 0x340), 0x68);
    execute(iss, CSRRW(A1, 0x340, A1));
    assert_int_equal(hart_x(iss_only(iss), A1), 0x68);
    r = execute(iss, CSRRW(0, 0x340, A1));
    assert_false(r.rd_written);
    for (unsigned address = 0x300; address < 0x345; address++) {
        hart_set_pc(iss_only(iss), CODE);
        to_user(iss, DATA);
        r = execute(iss, CSRRS(A0, address, 0));
        assert_trap(&r, 2, DATA, CSRRS(A0, address, 0));
    }
    iss_destroy(iss);
}

static void test_counter_enable(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    for (unsigned i = 0; i < 32; i++) {
        for (int enabled = 0; enabled < 2; enabled++) {
            hart_set_pc(iss_only(iss), CODE);
            hart_set_csr(iss_only(iss), CSR_MCOUNTEREN, enabled ? UINT64_C(1) << i : ~(UINT64_C(1) << i));
            struct iss_retire r = execute(iss, CSRRS(A0, 0xc00 + i, 0));
            assert_false(r.trap); // machine mode may always
            to_user(iss, DATA);
            r = execute(iss, CSRRS(A0, 0xc00 + i, 0));
            assert_int_equal(r.trap, !enabled);
            if (enabled) {
                assert_true(r.reads_nondeterministic);
                execute(iss, ECALL);
            }
        }
    }
    iss_destroy(iss);
}

static void test_counters(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    for (int i = 0; i < 10; i++)
        execute(iss, NOP);
    assert_int_equal(csr_of(iss, CSR_MINSTRET), 10);
    assert_int_equal(csr_of(iss, CSR_MCYCLE), 10);
    execute(iss, ECALL); // a trap takes a cycle, but nothing retires
    assert_int_equal(csr_of(iss, CSR_MINSTRET), 10);
    assert_int_equal(csr_of(iss, CSR_MCYCLE), 11);
    struct iss_retire r = execute(iss, CSRRS(A0, 0xb02, 0)); // reads what retired before it
    assert_int_equal(r.rd_value, 10);
    hart_set_x(iss_only(iss), A0, 1000);
    execute(iss, CSRRW(0, 0xb02, A0)); // is not counted by what it writes
    assert_int_equal(csr_of(iss, CSR_INSTRET), 1000);
    execute(iss, NOP);
    assert_int_equal(csr_of(iss, CSR_INSTRET), 1001);
    execute(iss, CSRRWI(0, 0x320, 4)); // stop minstret
    uint64_t cycle = csr_of(iss, CSR_CYCLE), stopped = csr_of(iss, CSR_INSTRET);
    execute(iss, NOP);
    execute(iss, NOP);
    assert_int_equal(csr_of(iss, CSR_INSTRET), stopped);
    assert_int_equal(csr_of(iss, CSR_CYCLE), cycle + 2);
    execute(iss, CSRRWI(0, 0x320, 1)); // go on, and stop mcycle
    cycle = csr_of(iss, CSR_CYCLE);
    execute(iss, NOP);
    execute(iss, NOP);
    assert_int_equal(csr_of(iss, CSR_INSTRET), stopped + 2);
    assert_int_equal(csr_of(iss, CSR_CYCLE), cycle);
    hart_set_csr(iss_only(iss), CSR_MCYCLE, 77);
    assert_int_equal(csr_of(iss, CSR_CYCLE), 77);
    hart_set_csr(iss_only(iss), CSR_MHPMCOUNTER7, 99);
    assert_int_equal(csr_of(iss, CSR_HPMCOUNTER7), 99);
    iss_destroy(iss);
}

// Reads whose value only the core can know are marked, the others are not.
// scountovf gathers OF of all counters, and is written by no other way.
static void test_overflows(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    uint64_t expected = 0;
    for (unsigned i = 3; i < 32; i += 7) {
        hart_set_csr(iss_only(iss), CSR_MHPMEVENT3 + i - 3, UINT64_C(1) << 63 | 2);
        expected |= UINT64_C(1) << i;
        assert_true(csr_of(iss, CSR_SCOUNTOVF) == expected);
        hart_set_csr(iss_only(iss), CSR_SCOUNTOVF, 0);
        hart_set_csr(iss_only(iss), CSR_MHPMCOUNTER3 + i - 3, ALL);
    }
    assert_true(csr_of(iss, CSR_SCOUNTOVF) == expected);
    hart_set_csr(iss_only(iss), CSR_MHPMEVENT3, 2);
    assert_true(csr_of(iss, CSR_SCOUNTOVF) == (expected & ~UINT64_C(8)));
    iss_destroy(iss);
}

static void test_nondeterministic(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    iss_set_ctr_depth(iss, 16);
    for (unsigned address = 0; address < 0x1000; address++) {
        uint64_t value;
        if (hart_csr(iss_only(iss), address, &value) != 0) continue;
        bool expected = address >> 8 == 0xc || address >> 8 == 0xb || (address >= 0x320 && address <= 0x33f) ||
                        address == 0x344 || address == 0x144 || address == 0xda0 || address == 0x7c2 ||
                        address >> 8 == 0x5 || address == 0x14f;
        const unsigned behind = address & ~0x200u; // sireg and so on, mireg and so on
        expected |= behind >= 0x151 && behind <= 0x157;
        hart_set_pc(iss_only(iss), CODE);
        struct iss_retire r = execute(iss, CSRRS(A0, address, 0));
        assert_int_equal(r.reads_nondeterministic, expected);
    }
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),          cmocka_unit_test(test_mstatus),
        cmocka_unit_test(test_existence),      cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_records),        cmocka_unit_test(test_access),
        cmocka_unit_test(test_counter_enable), cmocka_unit_test(test_counters),
        cmocka_unit_test(test_overflows),      cmocka_unit_test(test_nondeterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
