// Sv39 and physical memory protection of the ISS: where an address goes, and which fault the others raise. Expected
// values are written out after the privileged manual ("Sv39", "Physical Memory Protection").
#include "tests/unit/iss/hart.h"

enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128, RWXAD = V | R | W | X | A | D };
enum { FETCH, LOADS, STORES }; // causes 12, 13, 15; access faults 1, 5, 7
enum { MODE_U, MODE_S };
#define SUM (UINT64_C(1) << 18)
#define MXR (UINT64_C(1) << 19)
#define PAGE UINT64_C(4096)
#define ROOT (DRAM_BASE + 0x100000)
#define LEVEL1 (ROOT + PAGE)
#define LEVEL0 (ROOT + 2 * PAGE)
#define VA UINT64_C(0x40403000) // indices 1, 2, 3
#define FRAME (DRAM_BASE + 0x200000)

static void put(struct iss *iss, uint64_t address, uint64_t value) {
    assert_true(iss_write(iss, address, &value, sizeof value));
}
static uint64_t entry(uint64_t address, uint64_t bits) {
    return address >> 12 << 10 | bits;
}
static unsigned index_of(uint64_t va, unsigned level) {
    return va >> (12 + 9 * level) & 511;
}

// VA is mapped to FRAME by a leaf of that level with these bits.
static void map(struct iss *iss, unsigned level, uint64_t leaf) {
    put(iss, ROOT + 8 * index_of(VA, 2), level == 2 ? leaf : entry(LEVEL1, V));
    put(iss, LEVEL1 + 8 * index_of(VA, 1), level == 1 ? leaf : entry(LEVEL0, V));
    put(iss, LEVEL0 + 8 * index_of(VA, 0), leaf);
    hart_set_csr(iss_only(iss), CSR_SATP, UINT64_C(8) << 60 | ROOT >> 12);
}

// One access in this mode; 0, or the cause of its trap, whose tval must be the address. Loads and stores go from M-mode
// with MPRV; a fetch by mret.
static unsigned go(struct iss *iss, unsigned kind, unsigned mode, uint64_t status, uint64_t va) {
    hart_set_csr(iss_only(iss), CSR_MSTATUS, status | (uint64_t)mode << 11 | (kind == FETCH ? 0 : UINT64_C(1) << 17));
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, va);
    hart_set_csr(iss_only(iss), CSR_MEPC, va);
    struct iss_retire r = execute(iss, kind == FETCH   ? MRET
                                       : kind == LOADS ? LOAD(DOUBLE, A1, A0, 0)
                                                       : STORE(DOUBLE, A1, A0, 0));
    if (kind == FETCH) {
        assert_false(r.trap);
        hart_step(iss_only(iss), &r);
    }
    hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1800);
    if (!r.trap) {
        if (kind == FETCH) { // back to M-mode by an illegal instruction
            hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
            for (int i = 0; i < 4 && hart_privilege(iss_only(iss)) != ISS_PRIVILEGE_M; i++)
                hart_step(iss_only(iss), NULL);
            assert_int_equal(hart_privilege(iss_only(iss)), ISS_PRIVILEGE_M);
        }
        return 0;
    }
    assert_int_equal(r.tval, va);
    assert_int_equal(r.epc, kind == FETCH ? va : CODE);
    return r.cause;
}

static struct iss *hart(void) {
    struct iss *iss = hart_create();
    put(iss, FRAME, UINT64_C(0x0000000000000013)); // nop, and then an illegal instruction
    return iss;
}

static void test_levels(void **state) {
    (void)state;
    struct iss *iss = hart();
    static const uint64_t frames[] = {FRAME, FRAME, UINT64_C(0x80000000)}; // aligned to what the level maps
    for (unsigned level = 0; level < 3; level++) {
        map(iss, level, entry(frames[level], RWXAD));
        const uint64_t offset = VA & ((PAGE << 9 * level) - 1);
        put(iss, frames[level] + offset + 8, 1234 + level);
        assert_int_equal(go(iss, LOADS, MODE_S, 0, VA + 8), 0);
        assert_int_equal(hart_x(iss_only(iss), A1), 1234 + level);
        hart_set_x(iss_only(iss), A1, 77 + level);
        assert_int_equal(go(iss, STORES, MODE_S, 0, VA + 16), 0);
        assert_int_equal(double_at(iss, frames[level] + offset + 16), 77 + level);
    }
    // Bare, and M-mode without MPRV: untranslated. Addresses must be canonical.
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA | UINT64_C(1) << 39), 13);
    assert_int_equal(go(iss, FETCH, MODE_S, 0, UINT64_C(0x7fffffc000000000)), 12);
    hart_set_csr(iss_only(iss), CSR_SATP, 0);
    assert_int_equal(go(iss, LOADS, MODE_S, 0, FRAME), 0);
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 5);
    iss_destroy(iss);
}

static void test_leaves(void **state) {
    (void)state;
    static const struct {
        uint64_t bits, status;
        unsigned mode, fetch, load, store; // causes
    } cases[] = {
        {RWXAD, 0, MODE_S, 0, 0, 0},
        {RWXAD | U, 0, MODE_U, 0, 0, 0},
        {RWXAD | G, 0, MODE_S, 0, 0, 0},
        {RWXAD & ~V, 0, MODE_S, 12, 13, 15},
        {RWXAD & ~R, 0, MODE_S, 12, 13, 15}, // W without R is reserved
        {RWXAD & ~W, 0, MODE_S, 0, 0, 15},
        {RWXAD & ~X, 0, MODE_S, 12, 0, 0},
        {RWXAD & ~A, 0, MODE_S, 12, 13, 15},
        {RWXAD & ~D, 0, MODE_S, 0, 0, 15},
        {V | X | A | D, 0, MODE_S, 0, 13, 15},
        {V | X | A | D, MXR, MODE_S, 0, 0, 15},
        {RWXAD, 0, MODE_U, 12, 13, 15},
        {RWXAD | U, 0, MODE_S, 12, 13, 15},
        {RWXAD | U, SUM, MODE_S, 12, 0, 0}, // S-mode never executes U-mode's pages
        {RWXAD | UINT64_C(1) << 63, 0, MODE_S, 12, 13, 15},
        {RWXAD | UINT64_C(1) << 61, 0, MODE_S, 12, 13, 15},
        {RWXAD | UINT64_C(1) << 54, 0, MODE_S, 12, 13, 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct iss *iss = hart();
        map(iss, 0, entry(FRAME, cases[i].bits));
        assert_int_equal(go(iss, FETCH, cases[i].mode, cases[i].status, VA), cases[i].fetch);
        assert_int_equal(go(iss, LOADS, cases[i].mode, cases[i].status, VA), cases[i].load);
        assert_int_equal(go(iss, STORES, cases[i].mode, cases[i].status, VA), cases[i].store);
        iss_destroy(iss);
    }
}

static void test_tables(void **state) {
    (void)state;
    struct iss *iss = hart();
    map(iss, 1, entry(FRAME + PAGE, RWXAD)); // misaligned superpage
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 13);
    map(iss, 2, entry(FRAME, RWXAD));
    assert_int_equal(go(iss, STORES, MODE_S, 0, VA), 15);
    map(iss, 0, entry(FRAME, V)); // a pointer where only leaves can be
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 13);
    static const unsigned reserved[] = {U, A, D};
    for (size_t i = 0; i < 3; i++) {
        map(iss, 0, entry(FRAME, RWXAD));
        put(iss, LEVEL1 + 8 * index_of(VA, 1), entry(LEVEL0, V | reserved[i]));
        assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 13);
    }
    // Tables where there is no memory, and in a device: an access fault of the access.
    static const uint64_t places[] = {UINT64_C(0x20000), UINT64_C(0x2000000), UINT64_C(0x10000000)};
    for (size_t i = 0; i < 3; i++) {
        map(iss, 0, entry(FRAME, RWXAD));
        put(iss, LEVEL1 + 8 * index_of(VA, 1), entry(places[i], V));
        assert_int_equal(go(iss, FETCH, MODE_S, 0, VA), 1);
        assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 5);
        assert_int_equal(go(iss, STORES, MODE_S, 0, VA), 7);
    }
    iss_destroy(iss);
}

// A change of an entry may be seen at once, and must be after sfence.vma.
static void test_sfence(void **state) {
    (void)state;
    struct iss *iss = hart();
    map(iss, 0, entry(FRAME, RWXAD));
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 0);
    put(iss, LEVEL0 + 8 * index_of(VA, 0), 0);
    hart_set_pc(iss_only(iss), CODE);
    assert_false(execute(iss, 0x12000073).trap);
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 13);
    iss_destroy(iss);
}

static void test_protection(void **state) {
    (void)state;
    struct iss *iss = hart();
    map(iss, 0, entry(FRAME, RWXAD));
    // Region 0: FRAME's page (NAPOT, 4 KiB), without permissions; region 1: all.
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, FRAME >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPADDR1, UINT64_MAX);
    for (unsigned permissions = 0; permissions < 8; permissions++) {
        const bool r = permissions & 1, w = permissions & 2, x = permissions & 4, reserved = w && !r;
        hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0x1f18 | permissions);
        assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), r ? 0 : 5);
        assert_int_equal(go(iss, STORES, MODE_S, 0, VA), w && !reserved ? 0 : 7);
        assert_int_equal(go(iss, FETCH, MODE_S, 0, VA), x ? 0 : 1);
        assert_int_equal(go(iss, LOADS, MODE_S, 0, VA + PAGE - 8), r ? 0 : 5);
    }
    // The walk needs to read its tables.
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, LEVEL0 >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0x1f18);
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 5);
    assert_int_equal(go(iss, STORES, MODE_S, 0, VA), 7);
    // Nobody names it: not for S and U. M may, unless a locked region says otherwise.
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0);
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 5);
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, FRAME);
    assert_false(execute(iss, LOAD(DOUBLE, A1, A0, 0)).trap);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, FRAME >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0x98);
    hart_set_pc(iss_only(iss), CODE);
    struct iss_retire r = execute(iss, LOAD(DOUBLE, A1, A0, 0));
    assert_trap(&r, 5, CODE, FRAME);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0); // locked
    assert_int_equal(csr_of(iss, CSR_PMPCFG0), 0x98);
    iss_destroy(iss);
    // Without regions everything is allowed.
    iss = hart();
    iss_set_pmp_entries(iss, 0);
    hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
    map(iss, 0, entry(FRAME, RWXAD));
    assert_int_equal(go(iss, LOADS, MODE_S, 0, VA), 0);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, UINT64_MAX);
    assert_int_equal(csr_of(iss, CSR_PMPADDR0), 0);
    iss_destroy(iss);
}

// An instruction that is in memory already: what is written there forgets what is known of pages.
static struct iss_retire step_at(struct iss *iss, uint64_t pc) {
    struct iss_retire out;
    hart_set_pc(iss_only(iss), pc);
    hart_step(iss_only(iss), &out);
    return out;
}

// A load, a store and an AMO of M-mode at FRAME, twice: the second ones find what the first ones have left. S's rights,
// by MPRV, are others.
static void go_machine(struct iss *iss, unsigned load, unsigned store) {
    for (unsigned i = 0; i < 6; i++) {
        const struct iss_retire r = step_at(iss, CODE + 4 * (i % 3));
        const unsigned cause = i % 3 == 0 ? load : store;
        assert_int_equal(r.trap ? r.cause : 0, cause);
        if (!cause) assert_int_equal(r.address, FRAME);
        if (i % 3 != 2) continue;
        hart_set_csr(iss_only(iss), CSR_MSTATUS, UINT64_C(1) << 17 | MODE_S << 11);
        assert_int_equal(step_at(iss, CODE).cause, 13);
        hart_set_csr(iss_only(iss), CSR_MSTATUS, 0x1800);
    }
}

static void test_locked(void **state) {
    (void)state;
    struct iss *iss = hart();
    const uint32_t words[] = {LOAD(DOUBLE, A1, A0, 0), STORE(DOUBLE, A0, A0, 0), AMOADD_D(A1, A0, A2)};
    map(iss, 0, entry(FRAME, RWXAD)); // VA alone: FRAME is no virtual address
    for (unsigned i = 0; i < 3; i++)
        put_word(iss, CODE + 4 * i, words[i]);
    hart_set_x(iss_only(iss), A0, FRAME);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, (FRAME + PAGE) >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0 + 6, UINT64_MAX);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, UINT64_C(0x1f) << 48);
    go_machine(iss, 0, 0);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, UINT64_C(0x1f) << 48 | 0x98); // the next page
    go_machine(iss, 0, 0);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0 + 2, FRAME >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, UINT64_C(0x1f) << 48 | UINT64_C(0x99) << 16); // R
    go_machine(iss, 0, 7);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0 + 1, FRAME >> 2 | 0x1ff);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, UINT64_C(0x1f) << 48 | UINT64_C(0x98) << 8);
    go_machine(iss, 5, 7);
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels), cmocka_unit_test(test_leaves),     cmocka_unit_test(test_tables),
        cmocka_unit_test(test_sfence), cmocka_unit_test(test_protection), cmocka_unit_test(test_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
