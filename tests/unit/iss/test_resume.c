// The code that brings a core to the state of a checkpoint: run on another ISS, it leads to the same registers, CSRs,
// memory, mode and pc, from any state; and states that it cannot reach are refused.
#include "iss/iss_internal.h"
#include "iss/resume.h"
#include "tests/unit/iss/hart.h"
#include <errno.h>
#include <stdio.h>

#include "tests/unit/base/program_image.h"

static const struct csr_info rows[] = {CSR_INFO_ROWS};
static uint64_t seed = 1;

static uint64_t random64(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static struct image *some_program(void) {
    const uint32_t word = NOP;
    return program_image(&word, sizeof word);
}

static void any_hart(struct hart *h, bool fp, unsigned privilege) {
    for (unsigned i = 1; i < 32; i++)
        h->x[i] = random64();
    for (unsigned i = 0; fp && i < 32; i++)
        h->f[i] = random64();
    for (unsigned n = 0; n < 3 * CSR_COUNT; n++) {
        const struct csr_info *row = &rows[random64() % CSR_COUNT];
        if (row->read_only || (row->fp && !fp) || row->address == CSR_SHPMSDATA) continue;
        uint64_t value = random64();
        if (row->address == CSR_PMPCFG0 || row->address == CSR_PMPCFG2) value &= UINT64_C(0x1f1f1f1f1f1f1f1f);
        if (row->address == CSR_MSTATUS) value &= ~MSTATUS_MPRV;
        hart_set_csr(h, row->address, value);
    }
    h->csr[CSR_MSTATUS] &= ~MSTATUS_MPRV;
    h->privilege = privilege;
    h->pc = privilege == ISS_PRIVILEGE_M ? DRAM_BASE + random64() % 0xf0000 / 2 * 2 : random64() & ~UINT64_C(1);
}

// Any state: every CSR as a program could have written it, in any order; no region locked (lock_guard), and not MPRV.
static struct iss *any_state(bool fp, unsigned pmp_entries, unsigned privilege) {
    struct error err = {""};
    struct iss *s = iss_create(&err);
    iss_set_fp(s, fp);
    iss_set_pmp_entries(s, pmp_entries);
    any_hart(iss_only(s), fp, privilege);
    for (unsigned i = 0; i < 50; i++) {
        uint64_t value = random64();
        assert_true(iss_write(s, DRAM_BASE + random64() % (DRAM_BYTES / 8) * 8, &value, 8));
    }
    return s;
}

// The guard of a stack, as the runtime has it: the last of eight regions, locked, for nothing.
static void lock_guard(struct hart *h) {
    uint64_t config;
    hart_set_csr(h, CSR_PMPADDR7, (DRAM_BASE + 0x200000) >> 2 | 0x1ff);
    hart_csr(h, CSR_PMPCFG0, &config);
    hart_set_csr(h, CSR_PMPCFG0, (config & UINT64_MAX >> 8) | UINT64_C(0x98) << 56);
}

static bool is_dead(unsigned csr, unsigned privilege) { // below M-mode
    return privilege != ISS_PRIVILEGE_M && csr == CSR_MEPC;
}

static bool is_elsewhere(unsigned csr) { // time that goes on, and the sampling unit's word
    return csr == CSR_MCYCLE || csr == CSR_CYCLE || csr == CSR_TIME || csr == CSR_SHPMSDATA;
}

static void compare_harts(const struct hart *want, const struct hart *got) {
    const uint64_t dead = want->privilege == ISS_PRIVILEGE_M ? 0 : MSTATUS_MPIE | MSTATUS_MPP;
    assert_memory_equal(want->x + 1, got->x + 1, 31 * sizeof *want->x);
    assert_memory_equal(want->f, got->f, sizeof want->f);
    for (size_t i = 0; i < CSR_COUNT; i++) {
        uint64_t a, b;
        unsigned csr = rows[i].address;
        if (is_elsewhere(csr) || is_dead(csr, want->privilege) || hart_csr(want, csr, &a) < 0) continue;
        assert_int_equal(hart_csr(got, csr, &b), 0);
        if (csr == CSR_MINSTRET || csr == CSR_INSTRET) b += want->waiting && !(want->csr[CSR_MCOUNTINHIBIT] & 4);
        if (csr == CSR_MSTATUS) a &= ~dead, b &= ~dead;
        if (a != b) fail_msg("%s: %llx, not %llx", rows[i].name, (unsigned long long)b, (unsigned long long)a);
    }
}

static void compare(const struct iss *want, const struct iss *got) {
    compare_harts(iss_only(want), iss_only(got));
}

// Where the restored machine has something, both have it.
static void compare_memory(const struct iss *want, const struct iss *got, const struct image *image) {
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        if (segment->address < DRAM_BASE) continue; // the code itself
        assert_memory_equal(want->dram + (segment->address - DRAM_BASE), segment->data, segment->bytes);
        assert_memory_equal(got->dram + (segment->address - DRAM_BASE), segment->data, segment->bytes);
    }
}

static void test_any_state(void **state) {
    (void)state;
    static const unsigned modes[] = {ISS_PRIVILEGE_U, ISS_PRIVILEGE_S, ISS_PRIVILEGE_M}, entries[] = {0, 8, 16};
    struct error err = {""};
    for (unsigned n = 0; n < 36; n++) { // each mode with each number of entries, with floating point and without
        seed = 1000 + n;
        bool fp = n % 4 != 3;
        struct iss *from = any_state(fp, entries[n / 3 % 3], modes[n % 3]), *to = iss_create(&err);
        struct image *image = some_program();
        if (n >= 18 && iss_only(from)->pmp_entries) lock_guard(iss_only(from));
        if (resume_image(from, image, &err) != 0) fail_msg("seed %u: %s", n, err.text);
        iss_set_fp(to, fp);
        iss_set_pmp_entries(to, iss_only(from)->pmp_entries);
        iss_set_autonomous(to, false);
        assert_int_equal(iss_load(to, image, &err), 0);
        struct resume_place place = resume_place(from);
        unsigned steps = 0;
        while ((hart_pc(iss_only(to)) != place.pc || hart_privilege(iss_only(to)) != place.privilege) && steps++ < 1000)
            hart_step(iss_only(to), NULL);
        if (steps >= 1000) fail_msg("seed %u: 0x%llx is not reached", n, (unsigned long long)place.pc);
        compare(from, to);
        compare_memory(from, to, image);
        if (n == 0) assert_memory_equal(from->dram, to->dram, DRAM_BYTES);
        image_destroy(image);
        iss_destroy(from);
        iss_destroy(to);
    }
}

// Each hart comes to its own state, whatever the others do; one that waits, to its wfi.
static void test_several(void **state) {
    (void)state;
    static const unsigned modes[] = {ISS_PRIVILEGE_S, ISS_PRIVILEGE_M, ISS_PRIVILEGE_U};
    struct error err = {""};
    for (unsigned n = 0; n < 9; n++) {
        const unsigned harts = 2 + n % (RESUME_HARTS - 1);
        seed = 2000 + n;
        struct iss *from = iss_create_harts(harts, &err), *to = iss_create_harts(harts, &err);
        for (unsigned i = 0; i < harts; i++) {
            any_hart(iss_hart(from, i), true, modes[(n + i) % 3]);
            iss_hart(from, i)->pc = (iss_hart(from, i)->pc | 8) & ~UINT64_C(3);
            iss_hart(from, i)->waiting = (n + i) % 4 == 0;
        }
        struct image *image = some_program();
        if (resume_image(from, image, &err) != 0) fail_msg("seed %u: %s", n, err.text);
        iss_set_autonomous(to, false);
        assert_int_equal(iss_load(to, image, &err), 0);
        for (unsigned i = harts; i-- > 0;) {
            struct hart *want = iss_hart(from, i), *got = iss_hart(to, i);
            const uint64_t pc = want->pc - 4 * want->waiting;
            for (unsigned steps = 0; (got->pc != pc || got->privilege != want->privilege) && steps < 1000; steps++)
                hart_step(got, NULL);
            if (got->pc != pc) fail_msg("seed %u, hart %u: 0x%llx is not reached", n, i, (unsigned long long)pc);
            compare_harts(want, got);
        }
        uint32_t tree = 0; // it is where it was
        assert_true(iss_read(to, RESUME_BASE, &tree, sizeof tree));
        assert_int_equal(tree, 0xedfe0dd0);
        image_destroy(image);
        iss_destroy(from);
        iss_destroy(to);
    }
}

static void test_devices(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *s = iss_create(&err);
    for (unsigned i = 0; i < 1000; i++)
        iss_only(s)->steps++;
    iss_set_console(s, stdout, NULL);
    iss_device_store(s, UART_BASE + 7, 1, 0x55);
    iss_device_store(s, CLINT_BASE + 0x4000, 8, 12345);
    iss_device_store(s, CLINT_BASE, 4, 1);
    struct resume_devices d;
    resume_devices(s, &d);
    assert_int_equal(d.mtime, 10);
    assert_int_equal(d.harts[0].mtimecmp, 12345);
    assert_true(d.harts[0].msip);
    assert_int_equal(d.peripherals.uart[0].scr, 0x55);
    assert_null(d.peripherals.uart[0].out);
    iss_destroy(s);
}

static void lead(struct iss *s) {
    struct error err = {""};
    struct iss *to = iss_create(&err);
    struct image *image = some_program();
    if (resume_image(s, image, &err) != 0) fail_msg("%s", err.text);
    iss_set_autonomous(to, false);
    assert_int_equal(iss_load(to, image, &err), 0);
    for (unsigned steps = 0; hart_pc(iss_only(to)) != iss_only(s)->pc && steps < 1000; steps++)
        hart_step(iss_only(to), NULL);
    assert_int_equal(hart_pc(iss_only(to)), iss_only(s)->pc);
    compare(s, to);
    image_destroy(image);
    iss_destroy(to);
}

// Out of reach of a jal, the machine goes on until a register is near.
static void test_advance(void **state) {
    (void)state;
    const uint64_t code = DRAM_BASE + 0x200000, far = code + 0x4000;
    struct iss *s = any_state(true, 8, ISS_PRIVILEGE_M);
    for (unsigned r = 1; r < 32; r++)
        iss_only(s)->x[r] = r == 5 ? far : r;
    hart_set_csr(iss_only(s), CSR_MIE, 0);
    iss_only(s)->pc = code;
    for (unsigned n = 0; n < 7; n++)
        put_word(s, code + 4 * n, NOP);
    put_word(s, code + 28, 0x00028067); // jr t0
    for (unsigned n = 0; n < 8; n++)
        put_word(s, far + 4 * n, NOP);
    assert_int_equal(resume_advance(s, 5), 5);
    assert_int_equal(resume_advance(s, 1000), 3);
    assert_int_equal(hart_pc(iss_only(s)), far);
    lead(s);
    static const struct {
        int distance; // of the pc from what the register holds
        bool near;
    } cases[] = {{-2049, false}, {-2048, true}, {-2, true}, {0, true}, {2047, true}, {2048, false}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        iss_only(s)->x[5] = 5;
        iss_only(s)->x[31] = iss_only(s)->pc - (uint64_t)(int64_t)cases[i].distance;
        assert_int_equal(resume_advance(s, 1), !cases[i].near);
        if (cases[i].near) lead(s);
    }
    iss_destroy(s);
}

static void refused(struct iss *s, const char *text) {
    struct error err = {""};
    struct image *image = some_program();
    assert_int_equal(resume_image(s, image, &err), -EINVAL);
    assert_non_null(strstr(err.text, text));
    assert_int_equal(image_entry(image), ELF_ADDRESS); // as it was
    image_destroy(image);
    iss_destroy(s);
}

static void test_refused(void **state) {
    (void)state;
    struct iss *s = any_state(true, 8, ISS_PRIVILEGE_M);
    iss_only(s)->pc = DRAM_BASE + (1 << 20);
    refused(s, "far from what any register holds");
    s = any_state(true, 8, ISS_PRIVILEGE_M);
    iss_only(s)->pc = iss_only(s)->x[7] = BOOTROM_BASE + 4; // leads elsewhere in the restored machine
    refused(s, "far from what any register holds");
    s = any_state(true, 8, ISS_PRIVILEGE_M);
    iss_only(s)->csr[CSR_MSTATUS] |= MSTATUS_MPRV;
    refused(s, "MPRV");
    s = any_state(true, 8, ISS_PRIVILEGE_U);
    hart_set_csr(iss_only(s), CSR_PMPCFG0, 0);
    hart_set_csr(iss_only(s), CSR_PMPADDR0, UINT64_MAX); // all of memory, for nothing
    hart_set_csr(iss_only(s), CSR_PMPCFG0, 0x98);
    refused(s, "locked");
    struct error err = {""};
    s = iss_create_harts(3, &err);
    iss_hart(s, 2)->csr[CSR_MSTATUS] |= MSTATUS_MPRV;
    for (unsigned i = 0; i < 3; i++)
        iss_hart(s, i)->pc = DRAM_BASE;
    refused(s, "MPRV");
    s = iss_create_harts(RESUME_HARTS + 1, &err);
    refused(s, "a checkpoint of 9 harts cannot be given to cores: make one of 8 at most");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_state), cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_advance), cmocka_unit_test(test_devices),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
