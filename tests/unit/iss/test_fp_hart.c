// Floating point in the hart: fcsr, mstatus.FS and SD, misa, rounding modes, NaN boxes, loads and stores, and which
// register each instruction reads and writes. The arithmetic has its own test.
#include "hart.h"
#include "instructions.h"
#include <errno.h>
#include <math.h>

static const struct insn_info rows[] = {INSN_INFO_ROWS};

enum { FS_OFF = 0, FS_INITIAL = 1, FS_CLEAN = 2, FS_DIRTY = 3 };
enum { RNE, RTZ, RDN, RUP, RMM, DYN = 7 };
enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };
#define BOX UINT64_C(0xffffffff00000000)
#define NAN_S (BOX | 0x7fc00000)
#define ONE_S (BOX | 0x3f800000)
#define ONE_D UINT64_C(0x3ff0000000000000)
#define THREE_D UINT64_C(0x4008000000000000)

static uint32_t fp(enum insn_op op, unsigned rd, unsigned rs1, unsigned rs2, unsigned rs3, unsigned rm) {
    uint32_t operands = rd << 7 | rs1 << 15 | rs2 << 20 | rs3 << 27 | rm << 12;
    return rows[op].match | (operands & ~rows[op].mask);
}

static unsigned fs_of(const struct iss *iss) {
    uint64_t mstatus = csr_of(iss, CSR_MSTATUS);
    unsigned fs = mstatus >> 13 & 3;
    assert_int_equal(mstatus >> 63, fs == FS_DIRTY);
    return fs;
}

static void set_fs(struct iss *iss, unsigned fs) {
    hart_set_csr(iss_only(iss), CSR_MSTATUS, (csr_of(iss, CSR_MSTATUS) & ~UINT64_C(0x6000)) | (uint64_t)fs << 13);
    assert_int_equal(fs_of(iss), fs);
}

static struct iss *fp_hart(unsigned fs) {
    struct iss *iss = hart_create();
    set_fs(iss, fs);
    return iss;
}

static bool is_fp_row(unsigned op) {
    return strcmp(rows[op].extension, "F") == 0 || strcmp(rows[op].extension, "D") == 0;
}

// With FS off each of them is illegal, and changes nothing; so it is without F and D.
static void test_off(void **state) {
    (void)state;
    unsigned count = 0;
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        if (!is_fp_row(op)) continue;
        uint32_t insn = fp((enum insn_op)op, 1, A0, 0, 0, RNE);
        struct iss *iss = hart_create();
        hart_set_x(iss_only(iss), A0, DATA);
        struct iss_retire r = execute(iss, insn);
        assert_trap(&r, 2, CODE, insn);
        assert_int_equal(fs_of(iss), FS_OFF);
        hart_set_pc(iss_only(iss), CODE);
        iss_set_fp(iss, false);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, ~UINT64_C(0));
        hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
        r = execute(iss, insn);
        assert_trap(&r, 2, CODE, insn);
        iss_destroy(iss);
        count++;
    }
    assert_int_equal(count, 30 + 32);
}

static void test_without(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    assert_int_equal(csr_of(iss, CSR_MISA), UINT64_C(0x800000000014112d));
    iss_set_fp(iss, false);
    assert_int_equal(csr_of(iss, CSR_MISA), UINT64_C(0x8000000000141105));
    uint64_t value;
    for (unsigned address = 1; address <= 3; address++)
        assert_int_equal(hart_csr(iss_only(iss), address, &value), -EINVAL);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, ~UINT64_C(0));
    assert_int_equal(csr_of(iss, CSR_MSTATUS), UINT64_C(0xa007e19aa));
    const uint16_t compressed[] = {0x2000, 0xa000, 0x2002, 0xa002}; // c.fld, c.fsd, c.fldsp, c.fsdsp
    for (int i = 0; i < 4; i++) {
        hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
        hart_set_pc(iss_only(iss), CODE);
        struct iss_retire r = execute(iss, compressed[i]);
        assert_trap(&r, 2, CODE, compressed[i]);
    }
    iss_destroy(iss);
}

static void test_csrs(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    for (unsigned address = 1; address <= 3; address++) { // reading, too, needs FS
        hart_set_pc(iss_only(iss), CODE);
        struct iss_retire r = execute(iss, CSRRS(A0, address, 0));
        assert_trap(&r, 2, CODE, CSRRS(A0, address, 0));
    }
    hart_set_pc(iss_only(iss), CODE);
    set_fs(iss, FS_INITIAL);
    struct iss_retire r = execute(iss, CSRRS(A0, CSR_FCSR, 0));
    assert_false(r.trap);
    assert_int_equal(fs_of(iss), FS_INITIAL); // reading changes nothing
    hart_set_x(iss_only(iss), A1, ~UINT64_C(0));
    r = execute(iss, CSRRW(A0, CSR_FCSR, A1));
    assert_true(r.csr_written);
    assert_int_equal(r.csr_value, 0xff);
    assert_int_equal(fs_of(iss), FS_DIRTY);
    assert_int_equal(csr_of(iss, CSR_FRM), 7);
    assert_int_equal(csr_of(iss, CSR_FFLAGS), 0x1f);
    set_fs(iss, FS_CLEAN);
    execute(iss, CSRRWI(0, CSR_FFLAGS, 5));
    assert_int_equal(csr_of(iss, CSR_FCSR), 0xe5);
    assert_int_equal(fs_of(iss), FS_DIRTY);
    execute(iss, CSRRWI(A0, CSR_FRM, 10)); // three bits
    assert_int_equal(csr_of(iss, CSR_FCSR), 0x45);
    assert_int_equal(hart_x(iss_only(iss), A0), 7);
    execute(iss, CSRRSI(A0, CSR_FFLAGS, 0x1a));
    assert_int_equal(hart_x(iss_only(iss), A0), 5);
    assert_int_equal(csr_of(iss, CSR_FCSR), 0x5f);
    // user mode may
    to_user(iss, CODE);
    r = execute(iss, CSRRS(A0, CSR_FCSR, 0));
    assert_false(r.trap);
    assert_int_equal(r.rd_value, 0x5f);
    iss_destroy(iss);
}

// Which instructions are legal under which static and dynamic rounding mode.
static void test_rounding_modes(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_DIRTY);
    unsigned with_mode = 0;
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        if (!is_fp_row(op) || rows[op].unit != UNIT_FP) continue;
        bool has_mode = !(rows[op].mask & 0x7000);
        with_mode += has_mode;
        for (unsigned frm = 0; has_mode && frm < 8; frm++) {
            for (unsigned rm = 0; rm < 8; rm++) {
                hart_set_csr(iss_only(iss), CSR_FRM, frm);
                hart_set_pc(iss_only(iss), CODE);
                uint32_t insn = fp((enum insn_op)op, 1, 2, 3, 4, rm);
                struct iss_retire r = execute(iss, insn);
                bool legal = rm == DYN ? frm <= RMM : rm <= RMM;
                assert_int_equal(r.trap, !legal);
                if (!legal) assert_trap(&r, 2, CODE, insn);
            }
        }
        if (!has_mode) { // frm does not matter to it
            hart_set_csr(iss_only(iss), CSR_FRM, 7);
            hart_set_pc(iss_only(iss), CODE);
            assert_false(execute(iss, fp((enum insn_op)op, 1, 2, 3, 4, 0)).trap);
        }
    }
    assert_int_equal(with_mode, 2 * (4 + 4 + 1 + 8) + 2);
    iss_destroy(iss);
}

// 1 / 3 in each mode: 0x3fd5555555555555 and a bit.
static void test_rounding(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_INITIAL);
    const uint64_t down = UINT64_C(0x3fd5555555555555);
    const uint64_t expected[] = {down, down, down, down + 1, down};
    hart_set_f(iss_only(iss), 1, ONE_D);
    hart_set_f(iss_only(iss), 2, THREE_D);
    for (unsigned mode = RNE; mode <= RMM; mode++) {
        hart_set_csr(iss_only(iss), CSR_FCSR, mode << 5);
        struct iss_retire r = execute(iss, fp(INSN_FDIV_D, 3, 1, 2, 0, DYN));
        assert_true(r.rd_written && r.rd_fp);
        assert_int_equal(r.rd, 3);
        assert_int_equal(r.rd_value, expected[mode]);
        assert_int_equal(r.fflags, NX);
        hart_set_csr(iss_only(iss), CSR_FCSR, UF | RMM << 5);
        r = execute(iss, fp(INSN_FDIV_D, 0, 1, 2, 0, mode));
        assert_int_equal(r.rd, 0); // f0 is a register like the others
        assert_int_equal(hart_f(iss_only(iss), 0), expected[mode]);
        assert_int_equal(r.fflags, NX | UF);
        assert_int_equal(csr_of(iss, CSR_FCSR), NX | UF | RMM << 5);
    }
    iss_destroy(iss);
}

// FS becomes Dirty with a written f register, and with a flag; not by what only reads.
static void test_dirty(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_CLEAN);
    hart_set_f(iss_only(iss), 1, ONE_D);
    hart_set_f(iss_only(iss), 2, THREE_D);
    hart_set_x(iss_only(iss), A1, DATA);
    const uint32_t readers[] = {fp(INSN_FEQ_D, A0, 1, 2, 0, 2), fp(INSN_FCLASS_D, A0, 1, 0, 0, 1),
                                fp(INSN_FMV_X_D, A0, 1, 0, 0, 0), fp(INSN_FCVT_L_D, A0, 2, 2, 0, RNE),
                                rows[INSN_FSD].match | 1 << 20 | A1 << 15};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        assert_false(execute(iss, readers[i]).trap);
        assert_int_equal(fs_of(iss), FS_CLEAN);
    }
    hart_set_f(iss_only(iss), 3, UINT64_C(0x3fe0000000000000)); // 0.5
    const uint32_t writers[] = {fp(INSN_FCVT_W_D, A0, 3, 0, 0, RNE), fp(INSN_FCVT_W_D, A0, 3, 0, 0, RNE),
                                fp(INSN_FSGNJ_D, 4, 1, 1, 0, 0),     fp(INSN_FMV_D_X, 4, A1, 0, 0, 0),
                                fp(INSN_FADD_D, 4, 1, 1, 0, RNE),    rows[INSN_FLD].match | 4 << 7 | A1 << 15};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) { // the second raises a flag that is set already
        set_fs(iss, FS_CLEAN);
        assert_false(execute(iss, writers[i]).trap);
        assert_int_equal(fs_of(iss), FS_DIRTY);
    }
    iss_destroy(iss);
}

static void test_boxes(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_DIRTY);
    hart_set_f(iss_only(iss), 1, 0x3f800000); // 1.0f, but not in a box: a NaN
    hart_set_f(iss_only(iss), 2, ONE_S);
    hart_set_f(iss_only(iss), 3, UINT64_C(0xfffffffe3f800000));
    execute(iss, fp(INSN_FADD_S, 4, 2, 2, 0, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), BOX | 0x40000000);
    execute(iss, fp(INSN_FADD_S, 4, 1, 2, 0, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), NAN_S);
    execute(iss, fp(INSN_FMADD_S, 4, 2, 2, 3, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), NAN_S);
    assert_int_equal(csr_of(iss, CSR_FFLAGS), 0); // it is a quiet one
    execute(iss, fp(INSN_FCLASS_S, A0, 3, 0, 0, 1));
    assert_int_equal(hart_x(iss_only(iss), A0), 1 << 9);
    execute(iss, fp(INSN_FSGNJN_S, 4, 3, 2, 0, 1));
    assert_int_equal(hart_f(iss_only(iss), 4), BOX | 0xffc00000);
    execute(iss, fp(INSN_FMIN_S, 4, 1, 2, 0, 0));
    assert_int_equal(hart_f(iss_only(iss), 4), ONE_S);
    execute(iss, fp(INSN_FCVT_D_S, 4, 1, 0, 0, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), UINT64_C(0x7ff8000000000000));
    execute(iss, fp(INSN_FCVT_D_S, 4, 2, 0, 0, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), ONE_D);
    execute(iss, fp(INSN_FCVT_S_D, 4, 4, 1, 0, RNE));
    assert_int_equal(hart_f(iss_only(iss), 4), ONE_S);
    execute(iss, fp(INSN_FCVT_W_S, A0, 1, 0, 0, RNE));
    assert_int_equal(hart_x(iss_only(iss), A0), 0x7fffffff);
    // Moves look at no box.
    hart_set_f(iss_only(iss), 1, UINT64_C(0x12345678bf800000));
    execute(iss, fp(INSN_FMV_X_W, A0, 1, 0, 0, 0));
    assert_int_equal(hart_x(iss_only(iss), A0), UINT64_C(0xffffffffbf800000));
    hart_set_x(iss_only(iss), A0, UINT64_C(0x1234567880000000));
    execute(iss, fp(INSN_FMV_W_X, 5, A0, 0, 0, 0));
    assert_int_equal(hart_f(iss_only(iss), 5), BOX | 0x80000000);
    execute(iss, fp(INSN_FMV_D_X, 5, A0, 0, 0, 0));
    assert_int_equal(hart_f(iss_only(iss), 5), UINT64_C(0x1234567880000000));
    iss_destroy(iss);
}

static void test_memory(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_DIRTY);
    hart_set_x(iss_only(iss), A1, DATA + 8);
    hart_set_f(iss_only(iss), 7, UINT64_C(0x123456789abcdef0));
    struct iss_retire r = execute(iss, s_type(rows[INSN_FSD].match, 7, A1, -8));
    assert_int_equal(r.access, ISS_ACCESS_STORE);
    assert_int_equal(r.address, DATA);
    assert_int_equal(r.size, 8);
    assert_int_equal(r.data, UINT64_C(0x123456789abcdef0));
    assert_false(r.rd_written);
    r = execute(iss, s_type(rows[INSN_FSW].match, 7, A1, 4));
    assert_int_equal(r.size, 4);
    assert_int_equal(r.data, 0x9abcdef0);
    assert_int_equal(double_at(iss, DATA + 8), UINT64_C(0x9abcdef000000000));
    r = execute(iss, i_type(rows[INSN_FLW].match, 0, A1, 4));
    assert_int_equal(r.access, ISS_ACCESS_LOAD);
    assert_true(r.rd_written && r.rd_fp);
    assert_int_equal(r.rd_value, BOX | 0x9abcdef0);
    assert_int_equal(r.data, r.rd_value);
    assert_int_equal(hart_f(iss_only(iss), 0), r.rd_value);
    r = execute(iss, i_type(rows[INSN_FLD].match, A1, A1, -8));
    assert_int_equal(hart_f(iss_only(iss), A1), UINT64_C(0x123456789abcdef0));
    assert_int_equal(hart_x(iss_only(iss), A1), DATA + 8); // the integer register of that number stands
    uint64_t pc = hart_pc(iss_only(iss));
    r = execute(iss, i_type(rows[INSN_FLD].match, 1, A1, 4));
    assert_trap(&r, 4, pc, DATA + 12);
    hart_set_pc(iss_only(iss), CODE);
    r = execute(iss, s_type(rows[INSN_FSW].match, 1, A1, 2));
    assert_trap(&r, 6, CODE, DATA + 10);
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A1, 0x40);
    r = execute(iss, i_type(rows[INSN_FLW].match, 1, A1, 0));
    assert_trap(&r, 5, CODE, 0x40);
    // A device: the value comes from it (UART line status), singles in a box.
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A1, CLINT_BASE + 0x4000);
    hart_set_f(iss_only(iss), 1, UINT64_C(0xfedcba9876543210));
    execute(iss, s_type(rows[INSN_FSD].match, 1, A1, 0));
    r = execute(iss, i_type(rows[INSN_FLW].match, 2, A1, 4));
    assert_true(r.reads_nondeterministic);
    assert_int_equal(hart_f(iss_only(iss), 2), BOX | 0xfedcba98);
    iss_destroy(iss);
}

static void test_compressed(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_DIRTY);
    uint64_t value = UINT64_C(0x1122334455667788);
    iss_write(iss, DATA + 0x58, &value, sizeof value);
    hart_set_x(iss_only(iss), A0, DATA);
    hart_set_x(iss_only(iss), 2, DATA - 0x100);
    struct iss_retire r = execute(iss, 0x2d24); // c.fld f9, 0x58(a0)
    assert_int_equal(r.rd_value, value);
    assert_true(r.rd_fp);
    assert_int_equal(r.rd, 9);
    assert_int_equal(r.next_pc, CODE + 2);
    r = execute(iss, 0xb124); // c.fsd f9, 0x60(a0)
    assert_int_equal(r.address, DATA + 0x60);
    assert_int_equal(r.data, value);
    r = execute(iss, 0x3f86); // c.fldsp f31, 0x60(sp)
    assert_int_equal(r.rd, 31);
    assert_int_equal(r.address, DATA - 0x100 + 0x60);
    r = execute(iss, 0xa4fe); // c.fsdsp f31, 0x48(sp)
    assert_int_equal(r.address, DATA - 0x100 + 0x48);
    assert_int_equal(r.access, ISS_ACCESS_STORE);
    iss_destroy(iss);
}

// The signs of the four fused operations, by 2 * 3 and 10: 16, -4, 4, -16.
static void test_fused(void **state) {
    (void)state;
    static const struct {
        enum insn_op op;
        double expected;
    } cases[] = {{INSN_FMADD_D, 16}, {INSN_FMSUB_D, -4}, {INSN_FNMSUB_D, 4}, {INSN_FNMADD_D, -16}};
    struct iss *iss = fp_hart(FS_DIRTY);
    const double operands[] = {2, 3, 10};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &operands[i], sizeof bits);
        hart_set_f(iss_only(iss), 11 + i, bits);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got;
        struct iss_retire r = execute(iss, fp(cases[i].op, 20, 11, 12, 13, RNE));
        memcpy(&got, &r.rd_value, sizeof got);
        assert_true(got == cases[i].expected);
    }
    // an exact zero: -(a * b) + a * b is +0 to nearest, and -0 downwards
    hart_set_f(iss_only(iss), 13, UINT64_C(0x4018000000000000));
    execute(iss, fp(INSN_FNMSUB_D, 20, 11, 12, 13, RNE));
    assert_int_equal(hart_f(iss_only(iss), 20), 0);
    execute(iss, fp(INSN_FNMSUB_D, 20, 11, 12, 13, RDN));
    assert_int_equal(hart_f(iss_only(iss), 20), UINT64_C(1) << 63);
    iss_destroy(iss);
}

static void test_integers(void **state) {
    (void)state;
    struct iss *iss = fp_hart(FS_DIRTY);
    hart_set_x(iss_only(iss), A0, UINT64_C(0xfffffffffffffffe));
    static const struct {
        enum insn_op op;
        uint64_t expected;
    } from[] = {
        {INSN_FCVT_S_W, BOX | 0xc0000000},
        {INSN_FCVT_S_L, BOX | 0xc0000000},
        {INSN_FCVT_S_WU, BOX | 0x4f800000},
        {INSN_FCVT_S_LU, BOX | 0x5f800000},
        {INSN_FCVT_D_W, UINT64_C(0xc000000000000000)},
        {INSN_FCVT_D_WU, UINT64_C(0x41efffffffc00000)},
        {INSN_FCVT_D_L, UINT64_C(0xc000000000000000)},
        {INSN_FCVT_D_LU, UINT64_C(0x43f0000000000000)},
    };
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        execute(iss, fp(from[i].op, 1, A0, 0, 0, RNE));
        assert_int_equal(hart_f(iss_only(iss), 1), from[i].expected);
    }
    static const struct {
        enum insn_op op;
        uint64_t from, expected, flags;
    } to[] = {
        {INSN_FCVT_W_S, BOX | 0xc0200000, UINT64_C(-2), NX}, // -2.5
        {INSN_FCVT_WU_S, BOX | 0x4f7fffff, UINT64_C(0xffffffffffffff00), 0},
        {INSN_FCVT_L_S, BOX | 0xc0200000, UINT64_C(-2), NX},
        {INSN_FCVT_LU_S, BOX | 0xc0200000, 0, NV},
        {INSN_FCVT_W_D, UINT64_C(0x41e0000000000000), 0x7fffffff, NV},
        {INSN_FCVT_WU_D, UINT64_C(0x41e0000000000000), UINT64_C(0xffffffff80000000), 0},
        {INSN_FCVT_L_D, UINT64_C(0x41e0000000000000), UINT64_C(0x80000000), 0},
        {INSN_FCVT_LU_D, UINT64_C(0x43e0000000000000), UINT64_C(0x8000000000000000), 0},
    };
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        hart_set_csr(iss_only(iss), CSR_FFLAGS, 0);
        hart_set_f(iss_only(iss), 1, to[i].from);
        struct iss_retire r = execute(iss, fp(to[i].op, A0, 1, 0, 0, RNE));
        assert_true(r.rd_written && !r.rd_fp);
        assert_int_equal(r.rd_value, to[i].expected);
        assert_int_equal(r.fflags, to[i].flags);
        r = execute(iss, fp(to[i].op, 0, 1, 0, 0, RNE));
        assert_false(r.rd_written);
        assert_int_equal(hart_x(iss_only(iss), 0), 0);
    }
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off),        cmocka_unit_test(test_without),
        cmocka_unit_test(test_csrs),       cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_rounding),   cmocka_unit_test(test_dirty),
        cmocka_unit_test(test_boxes),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_compressed), cmocka_unit_test(test_fused),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
