// What the ISS remembers of pages that may be accessed is never more than the page tables, protection and the mode
// allow: random loads, stores and fetches in U- and S-mode, between changes of leaves, roots, SUM, MXR, protection and
// code. Expected is what the privileged manual ("Virtual Address Translation Process", "Physical Memory Protection")
// says of the leaf as the test wrote it. TIPOFF_SEED=N runs another sequence.
#include "iss/iss_internal.h"
#include "tests/unit/iss/hart.h"

enum { V = 1, R = 2, W = 4, X = 8, U = 16, A = 64, D = 128 };
enum { ROOTS = 2, FRAMES = 4, PAGES = 8, STEPS = 200000 };
enum { CODE_U, CODE_S }; // pages 0 and 1; the others hold data
#define SUM (UINT64_C(1) << 18)
#define MXR (UINT64_C(1) << 19)
#define PAGE UINT64_C(4096)
#define VA UINT64_C(0x40000000)
#define TABLES (DRAM_BASE + 0x100000) // four pages a root: level 2, level 1, two of level 0
#define DATA_FRAMES (DRAM_BASE + 0x200000)
#define CODE_FRAMES (DRAM_BASE + 0x300000)
#define CLOSED (DATA_FRAMES + 3 * PAGE) // the frame that protection may close
#define SFENCE 0x12000073u

// The page's number from VA on: some pairs share an entry of the TLB.
enum { N = ISS_TLB_ENTRIES };
static const unsigned indices[PAGES] = {0, 1, N, N + 1, 2, N + 2, N + 130, 511};

struct world {
    struct iss *iss;
    uint64_t random, leaves[ROOTS][PAGES];
    unsigned root, code_register[FRAMES]; // what the code in each frame loads to
    bool closed;
};

static unsigned below(struct world *w, unsigned limit) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (unsigned)(w->random >> 33) % limit;
}

static uint64_t table_of(unsigned root, unsigned which) {
    return TABLES + (root * 4 + which) * PAGE;
}

static void host_put(struct world *w, uint64_t address, uint64_t value) {
    iss_host_write(w->iss, address, value); // decoded instructions and translations stay as they are
}

static void machine(struct world *w, uint32_t offset) { // an instruction of CODE, in M-mode
    assert_int_equal(hart_privilege(iss_only(w->iss)), ISS_PRIVILEGE_M);
    hart_set_pc(iss_only(w->iss), CODE + offset);
    hart_step(iss_only(w->iss), NULL);
}

static void set_leaf(struct world *w, unsigned root, unsigned page, uint64_t leaf) {
    w->leaves[root][page] = leaf;
    host_put(w, table_of(root, indices[page] < 512 ? 2 : 3) + 8 * (indices[page] % 512), leaf);
}

static void put_tables(struct world *w, unsigned root) {
    host_put(w, table_of(root, 0) + 8 * (VA >> 30), table_of(root, 1) >> 12 << 10 | V);
    host_put(w, table_of(root, 1), table_of(root, 2) >> 12 << 10 | V);
    host_put(w, table_of(root, 1) + 8 * (N / 512), table_of(root, 3) >> 12 << 10 | V);
}

static void set_root(struct world *w, unsigned root) {
    w->root = root;
    hart_set_csr(iss_only(w->iss), CSR_SATP, UINT64_C(8) << 60 | table_of(root, 0) >> 12);
}

static uint64_t random_leaf(struct world *w, unsigned page) {
    if (page <= CODE_S)
        return (CODE_FRAMES + below(w, FRAMES) * PAGE) >> 12 << 10 | V | X | A | (page == CODE_U ? U : 0);
    static const unsigned kinds[] = {V | R, V | R | W, V | X, V | R | X, V | R | W | X, 0, V | R | W, V | R | W};
    unsigned bits = kinds[below(w, 8)] | (below(w, 2) ? U : 0) | (below(w, 8) ? A : 0) | (below(w, 4) ? D : 0);
    return (DATA_FRAMES + below(w, FRAMES) * PAGE) >> 12 << 10 | bits;
}

// Eight instructions, each before an ecall: loads and stores of 1, 2, 4 and 8 bytes.
static void put_code(struct world *w, unsigned frame) {
    w->code_register[frame] = below(w, 2) ? A1 : A2;
    for (unsigned size = 0; size < 4; size++) {
        uint64_t at = CODE_FRAMES + frame * PAGE + 16 * size, ecall = UINT64_C(0x73) << 32;
        host_put(w, at, LOAD(size, w->code_register[frame], A0, 0) | ecall);
        host_put(w, at + 8, STORE(size, A3, A0, 0) | ecall);
    }
}

static bool allows(uint64_t leaf, bool store, bool user, uint64_t status) {
    bool right = store ? leaf & W && leaf & D : leaf & R || (status & MXR && leaf & X);
    bool mode = user ? leaf & U : !(leaf & U) || status & SUM;
    return leaf & V && leaf & A && right && mode;
}

static void change(struct world *w) {
    unsigned page = below(w, PAGES), root = below(w, ROOTS), frame = below(w, FRAMES);
    switch (below(w, 6)) {
    case 0:
        put_code(w, frame);
        machine(w, 4); // fence.i
        break;
    case 1:
        w->closed = !w->closed;
        hart_set_csr(iss_only(w->iss), CSR_PMPADDR0, w->closed ? CLOSED >> 2 | 0x1ff : 0);
        break;
    case 2: set_root(w, root); break;
    default:
        set_leaf(w, root, page, random_leaf(w, page));
        machine(w, 0); // sfence.vma
        break;
    }
}

static void access_once(struct world *w) {
    bool user = below(w, 2), store = below(w, 2), records = below(w, 2);
    uint64_t status = (below(w, 2) ? SUM : 0) | (below(w, 8) ? 0 : MXR);
    unsigned size = below(w, 4), page = CODE_S + 1 + below(w, PAGES - 2);
    uint64_t offset = below(w, 16) ? below(w, 512) * 8 : below(w, 4096), va = VA + indices[page] * PAGE + offset;
    uint64_t leaf = w->leaves[w->root][page], physical = leaf >> 10 << 12 | offset, data = w->random;
    unsigned frame = (unsigned)(((w->leaves[w->root][user ? CODE_U : CODE_S] >> 10 << 12) - CODE_FRAMES) / PAGE);
    unsigned cause = offset & ((1u << size) - 1)             ? 4
                     : !allows(leaf, store, user, status)    ? 13
                     : w->closed && physical - CLOSED < PAGE ? 5
                                                             : 0;
    if (cause && store) cause += 2; // 6, 15, 7

    uint64_t before = 0, after = 0, mask = ~UINT64_C(0) >> (64 - (8 << size));
    assert_true(iss_read(w->iss, physical, &before, 1u << size));
    hart_set_x(iss_only(w->iss), A0, va);
    hart_set_x(iss_only(w->iss), A1, ~data);
    hart_set_x(iss_only(w->iss), A2, ~data);
    hart_set_x(iss_only(w->iss), A3, data);
    hart_set_csr(iss_only(w->iss), CSR_MEPC, VA + indices[user ? CODE_U : CODE_S] * PAGE + 16 * size + 8 * store);
    hart_set_csr(iss_only(w->iss), CSR_MSTATUS, status | (user ? 0 : UINT64_C(1) << 11));
    machine(w, 8); // mret
    struct iss_retire r = {0};
    if (records) {
        hart_step(iss_only(w->iss), &r);
    } else {
        assert_int_equal(iss_run(w->iss, 1), 1);
    }
    assert_true(iss_read(w->iss, physical, &after, 1u << size));
    if (cause) {
        assert_int_equal(hart_privilege(iss_only(w->iss)), ISS_PRIVILEGE_M);
        assert_int_equal(csr_of(w->iss, CSR_MCAUSE), cause);
        assert_int_equal(csr_of(w->iss, CSR_MTVAL), va);
        assert_int_equal(after, before);
        return;
    }
    if (records) assert_int_equal(r.address, physical);
    assert_int_equal(hart_privilege(iss_only(w->iss)), user ? ISS_PRIVILEGE_U : ISS_PRIVILEGE_S);
    assert_int_equal(after, store ? data & mask : before);
    uint64_t loaded = hart_x(iss_only(w->iss), w->code_register[frame]);
    assert_int_equal(store ? ~loaded : loaded & mask, store ? data : before);
    assert_int_equal(hart_x(iss_only(w->iss), w->code_register[frame] == A1 ? A2 : A1), ~data);
    hart_step(iss_only(w->iss), NULL); // ecall
}

static void test_accesses(void **state) {
    (void)state;
    const char *seed = getenv("TIPOFF_SEED");
    struct world w = {.iss = hart_create(), .random = seed ? strtoull(seed, NULL, 0) | 1 : 1};
    print_message("seed %llu: TIPOFF_SEED=%llu runs it again\n", (unsigned long long)w.random,
                  (unsigned long long)w.random);
    // Region 0 closes a frame to S and U, or nothing; region 1 opens the rest.
    hart_set_csr(iss_only(w.iss), CSR_PMPADDR0, 0);
    hart_set_csr(iss_only(w.iss), CSR_PMPADDR0 + 1, UINT64_MAX);
    hart_set_csr(iss_only(w.iss), CSR_PMPCFG0, 0x1f18);
    put_word(w.iss, CODE, SFENCE);
    put_word(w.iss, CODE + 4, FENCE_I);
    put_word(w.iss, CODE + 8, MRET);
    for (unsigned root = 0; root < ROOTS; root++) {
        put_tables(&w, root);
        for (unsigned page = 0; page < PAGES; page++)
            set_leaf(&w, root, page, random_leaf(&w, page));
    }
    for (unsigned frame = 0; frame < FRAMES; frame++)
        put_code(&w, frame);
    set_root(&w, 0);
    for (unsigned i = 0; i < STEPS; i++) {
        if (below(&w, 16) == 0) {
            change(&w);
        } else {
            access_once(&w);
        }
    }
    iss_destroy(w.iss);
}

// A page is forgotten with its entry of the TLB, by whichever mode's access that goes: a run that begins at a
// checkpoint, with the TLB and nothing else, goes the same way.
static void test_evicted(void **state) {
    (void)state;
    struct world w = {.iss = hart_create(), .random = 1};
    put_word(w.iss, CODE + 8, MRET);
    put_tables(&w, 0);
    set_leaf(&w, 0, CODE_S, CODE_FRAMES >> 12 << 10 | V | X | A);
    const unsigned first = 4, second = 5; // of one entry
    set_leaf(&w, 0, first, DATA_FRAMES >> 12 << 10 | V | R | A);
    set_leaf(&w, 0, second, DATA_FRAMES >> 12 << 10 | V | R | A | U);
    put_code(&w, 0);
    set_root(&w, 0);
    host_put(&w, DATA_FRAMES, 17);
    host_put(&w, DATA_FRAMES + PAGE, 18);
    static const struct {
        unsigned page;
        uint64_t status, expected;
    } loads[] = {{first, 0, 17}, {first, 0, 17}, {second, SUM, 17}, {first, 0, 18}};
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        if (i == 1) set_leaf(&w, 0, first, (DATA_FRAMES + PAGE) >> 12 << 10 | V | R | A); // no sfence.vma
        hart_set_x(iss_only(w.iss), A0, VA + indices[loads[i].page] * PAGE);
        hart_set_csr(iss_only(w.iss), CSR_MEPC, VA + indices[CODE_S] * PAGE + 16 * DOUBLE);
        hart_set_csr(iss_only(w.iss), CSR_MSTATUS, loads[i].status | UINT64_C(1) << 11);
        machine(&w, 8);
        hart_step(iss_only(w.iss), NULL);
        assert_int_equal(hart_x(iss_only(w.iss), w.code_register[0]), loads[i].expected);
        hart_step(iss_only(w.iss), NULL);
    }
    iss_destroy(w.iss);
}

// Untranslated, but under protection: pages of one entry that are read and written in turn.
static void test_bare(void **state) {
    (void)state;
    struct world w = {.iss = hart_create(), .random = 1};
    hart_set_csr(iss_only(w.iss), CSR_PMPADDR0, CLOSED >> 2 | 0x1ff);
    hart_set_csr(iss_only(w.iss), CSR_PMPADDR0 + 1, UINT64_MAX);
    hart_set_csr(iss_only(w.iss), CSR_PMPCFG0, 0x1f18);
    put_word(w.iss, CODE + 8, MRET);
    put_code(&w, 0);
    host_put(&w, DATA_FRAMES, 17);
    static const struct {
        uint64_t address;
        bool store;
        uint64_t expected;
    } steps[] = {{DATA_FRAMES, false, 17}, {DATA_FRAMES + N * PAGE, true, 0},    {DATA_FRAMES, false, 17},
                 {DATA_FRAMES, true, 0},   {DATA_FRAMES + N * PAGE, false, 100}, {DATA_FRAMES, false, 102}};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        hart_set_x(iss_only(w.iss), A0, steps[i].address);
        hart_set_x(iss_only(w.iss), A3, 99 + i);
        hart_set_csr(iss_only(w.iss), CSR_MEPC, CODE_FRAMES + 16 * DOUBLE + (steps[i].store ? 8 : 0));
        hart_set_csr(iss_only(w.iss), CSR_MSTATUS, UINT64_C(1) << 11);
        machine(&w, 8);
        hart_step(iss_only(w.iss), NULL);
        assert_int_equal(hart_privilege(iss_only(w.iss)), ISS_PRIVILEGE_S);
        if (!steps[i].store) assert_int_equal(hart_x(iss_only(w.iss), w.code_register[0]), steps[i].expected);
        hart_step(iss_only(w.iss), NULL);
    }
    iss_destroy(w.iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accesses), cmocka_unit_test(test_evicted),
                                       cmocka_unit_test(test_bare)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
