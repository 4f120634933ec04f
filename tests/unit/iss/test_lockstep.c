// What lockstep builds on: the record of a step, interrupts and values from outside, loading, running, ending.
#include "tests/unit/iss/hart.h"
#include <stdio.h>

#include "tests/unit/base/program_image.h"

#define MTIME UINT64_C(0x200bff8)
#define UART UINT64_C(0x10000000)

static void test_record(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    struct iss_retire r = execute(iss, ADDI(A0, 0, -5));
    assert_int_equal(r.pc, CODE);
    assert_int_equal(r.next_pc, CODE + 4);
    assert_int_equal(r.insn, ADDI(A0, 0, -5));
    assert_int_equal(r.privilege, ISS_PRIVILEGE_M);
    assert_true(r.rd_written && !r.trap && !r.interrupt && !r.csr_accessed && !r.csr_written && !r.is_sc);
    assert_false(r.reads_nondeterministic);
    assert_int_equal(r.rd, A0);
    assert_int_equal(r.rd_value, (uint64_t)-5);
    assert_int_equal(r.access, ISS_ACCESS_NONE);
    r = execute(iss, ADDI(0, 0, 5));
    assert_false(r.rd_written);
    assert_int_equal(hart_x(iss_only(iss), 0), 0);

    r = execute(iss, 0x450d); // c.li a0, 3, and nothing after it
    assert_int_equal(r.insn, 0x450d);
    assert_int_equal(r.next_pc, r.pc + 2);
    assert_int_equal(r.rd_value, 3);
    iss_destroy(iss);
}

static void test_record_memory(void **state) {
    (void)state;
    static const uint64_t stored[] = {0xf0, 0xdef0, 0x9abcdef0, UINT64_C(0x123456789abcdef0)};
    static const uint64_t loaded[] = {UINT64_C(0xfffffffffffffff0),
                                      UINT64_C(0xffffffffffffdef0),
                                      UINT64_C(0xffffffff9abcdef0),
                                      UINT64_C(0x123456789abcdef0),
                                      0xf0,
                                      0xdef0,
                                      0x9abcdef0};
    struct iss *iss = hart_create();
    hart_set_x(iss_only(iss), A0, DATA + 8);
    hart_set_x(iss_only(iss), A1, UINT64_C(0x123456789abcdef0));
    for (int size = BYTE; size <= DOUBLE; size++) {
        struct iss_retire r = execute(iss, STORE(size, A1, A0, -8));
        assert_int_equal(r.access, ISS_ACCESS_STORE);
        assert_int_equal(r.address, DATA);
        assert_int_equal(r.size, 1 << size);
        assert_int_equal(r.data, stored[size]);
        assert_false(r.rd_written);
        assert_int_equal(double_at(iss, DATA), stored[size]);
    }
    for (int size = BYTE; size <= WORD_U; size++) {
        struct iss_retire r = execute(iss, LOAD(size, A2, A0, -8));
        assert_int_equal(r.access, ISS_ACCESS_LOAD);
        assert_int_equal(r.address, DATA);
        assert_int_equal(r.size, 1 << (size & 3));
        assert_int_equal(r.data, loaded[size]);
        assert_int_equal(r.rd_value, loaded[size]);
        assert_false(r.reads_nondeterministic);
    }
    struct iss_retire r = execute(iss, LOAD(DOUBLE, 0, A0, -8)); // to x0: an access all the same
    assert_int_equal(r.access, ISS_ACCESS_LOAD);
    assert_int_equal(r.data, loaded[DOUBLE]);
    assert_false(r.rd_written);
    hart_set_x(iss_only(iss), A0, DATA);
    hart_set_x(iss_only(iss), A1, 0x10);
    r = execute(iss, AMOADD_D(A2, A0, A1));
    assert_int_equal(r.access, ISS_ACCESS_STORE);
    assert_int_equal(r.address, DATA);
    assert_int_equal(r.size, 8);
    assert_int_equal(r.data, UINT64_C(0x123456789abcdf00));
    assert_int_equal(r.rd_value, UINT64_C(0x123456789abcdef0));
    r = execute(iss, AMOADD_D(A0, A0, A1)); // rd is the address register
    assert_int_equal(r.address, DATA);
    assert_int_equal(hart_x(iss_only(iss), A0), UINT64_C(0x123456789abcdf00));
    iss_destroy(iss);
}

static struct iss_retire load_reserved(struct iss *iss, uint64_t address) {
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, address);
    struct iss_retire r = execute(iss, LR_D(A2, A0));
    assert_int_equal(r.access, ISS_ACCESS_LOAD);
    return r;
}

// Whether a store-conditional to this address succeeds; its record must be right either way.
static bool store_conditional(struct iss *iss, uint64_t address) {
    uint64_t before = double_at(iss, address);
    hart_set_x(iss_only(iss), A0, address);
    hart_set_x(iss_only(iss), A1, before + 1);
    struct iss_retire r = execute(iss, SC_D(A2, A0, A1));
    assert_true(r.is_sc && r.rd_written);
    assert_int_equal(r.rd_value, !r.sc_success);
    assert_int_equal(r.access, r.sc_success ? ISS_ACCESS_STORE : ISS_ACCESS_NONE);
    if (r.sc_success) assert_int_equal(r.data, before + 1);
    assert_int_equal(double_at(iss, address), before + r.sc_success);
    return r.sc_success;
}

static void test_reservation(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    assert_false(store_conditional(iss, DATA)); // none at reset
    load_reserved(iss, DATA);
    assert_true(store_conditional(iss, DATA + 56)); // the line of 64 bytes counts
    assert_false(store_conditional(iss, DATA));     // used up
    load_reserved(iss, DATA);
    assert_false(store_conditional(iss, DATA + 64));
    assert_false(store_conditional(iss, DATA)); // a failure clears it, too
    load_reserved(iss, DATA);
    hart_set_x(iss_only(iss), A0, DATA + 4);
    assert_true(execute(iss, SC_D(A2, A0, A1)).trap); // one that faults does not
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, UINT64_C(0x20000));
    assert_true(execute(iss, SC_D(A2, A0, A1)).trap);
    hart_set_pc(iss_only(iss), CODE);
    hart_set_x(iss_only(iss), A0, DATA + 2);
    assert_true(execute(iss, SC_W(A2, A0, A1)).trap);
    hart_set_pc(iss_only(iss), CODE);
    assert_true(execute(iss, ECALL).trap); // nor does any trap, nor an own store
    hart_take_interrupt(iss_only(iss), 7, NULL);
    hart_set_x(iss_only(iss), A0, DATA);
    execute(iss, STORE(DOUBLE, A1, A0, 0));
    assert_true(store_conditional(iss, DATA));
    load_reserved(iss, DATA);
    hart_set_sc(iss_only(iss), 0);
    assert_false(store_conditional(iss, DATA));
    hart_set_sc(iss_only(iss), 1);
    assert_true(store_conditional(iss, DATA));
    hart_set_sc(iss_only(iss), -1);
    assert_false(store_conditional(iss, DATA));
    iss_destroy(iss);
}

static void test_take_interrupt(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    struct iss_retire r;
    iss_set_autonomous(iss, false);
    hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER | 1);
    to_user(iss, DATA);
    memset(&r, 0xa5, sizeof r);
    hart_take_interrupt(iss_only(iss), 7, &r); // whatever mie and mip say
    assert_true(r.trap && r.interrupt);
    assert_int_equal(r.pc, DATA);
    assert_int_equal(r.epc, DATA);
    assert_int_equal(r.cause, 7);
    assert_int_equal(r.tval, 0);
    assert_int_equal(r.privilege, ISS_PRIVILEGE_U);
    assert_int_equal(r.next_pc, HANDLER + 28);
    assert_int_equal(hart_pc(iss_only(iss)), HANDLER + 28);
    assert_int_equal(csr_of(iss, CSR_MCAUSE), UINT64_C(1) << 63 | 7);
    assert_int_equal(csr_of(iss, CSR_MEPC), DATA);
    assert_int_equal(hart_privilege(iss_only(iss)), ISS_PRIVILEGE_M);
    hart_take_interrupt(iss_only(iss), 13, NULL);
    assert_int_equal(hart_pc(iss_only(iss)), HANDLER + 52);
    iss_destroy(iss);
}

static uint64_t answer(void *context, uint64_t address, unsigned bytes) {
    unsigned *calls = context;
    ++*calls;
    return address ^ bytes ^ UINT64_C(0xffffffff00000000);
}

static void test_outside_values(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    unsigned calls = 0;
    iss_set_device_read(iss, answer, &calls);
    hart_set_x(iss_only(iss), A0, MTIME);
    struct iss_retire r = execute(iss, LOAD(DOUBLE, A1, A0, 0));
    assert_int_equal(calls, 1);
    assert_true(r.reads_nondeterministic);
    assert_int_equal(r.access, ISS_ACCESS_LOAD);
    assert_int_equal(r.rd_value, MTIME ^ 8 ^ UINT64_C(0xffffffff00000000));
    r = execute(iss, LOAD(WORD_U, A1, A0, 0)); // cut to what was asked for
    assert_int_equal(r.rd_value, MTIME ^ 4);
    hart_set_x(iss_only(iss), A0, DATA);
    execute(iss, LOAD(DOUBLE, A1, A0, 0));
    assert_int_equal(calls, 2); // memory is none of its business
    iss_set_device_read(iss, NULL, NULL);
    hart_set_x(iss_only(iss), A0, UART);
    r = execute(iss, LOAD(BYTE_U, A1, A0, 5));
    assert_int_equal(r.rd_value, 0x60);
    assert_true(r.reads_nondeterministic);
    hart_override(iss_only(iss), A1, 77);
    assert_int_equal(hart_x(iss_only(iss), A1), 77);
    hart_override(iss_only(iss), 0, 77);
    assert_int_equal(hart_x(iss_only(iss), 0), 0);
    iss_destroy(iss);
}

static void test_memory_access(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
    assert_true(iss_write(iss, DRAM_BASE + DRAM_BYTES - 8, bytes, 8));
    assert_true(iss_read(iss, DRAM_BASE + DRAM_BYTES - 8, back, 8));
    assert_memory_equal(bytes, back, 8);
    assert_false(iss_write(iss, DRAM_BASE + DRAM_BYTES - 7, bytes, 8));
    assert_false(iss_read(iss, DRAM_BASE - 1, back, 8));
    assert_false(iss_read(iss, UART, back, 1));
    assert_true(iss_write(iss, BOOTROM_BASE, bytes, 8));
    assert_true(iss_read(iss, BOOTROM_BASE, back, 8));
    assert_memory_equal(bytes, back, 8);
    // A write by the program is seen by its fetches after fence.i.
    hart_set_x(iss_only(iss), A0, CODE + 0x100);
    put_word(iss, CODE + 0x100, ADDI(A2, 0, 1));
    hart_set_pc(iss_only(iss), CODE + 0x100);
    hart_step(iss_only(iss), NULL);
    assert_int_equal(hart_x(iss_only(iss), A2), 1);
    hart_set_x(iss_only(iss), A1, ADDI(A2, 0, 2));
    put_word(iss, CODE, STORE(WORD, A1, A0, 0));
    put_word(iss, CODE + 4, FENCE_I);
    hart_set_pc(iss_only(iss), CODE);
    iss_run(iss, 2);
    hart_set_pc(iss_only(iss), CODE + 0x100);
    hart_step(iss_only(iss), NULL);
    assert_int_equal(hart_x(iss_only(iss), A2), 2);
    iss_destroy(iss);
}

// ---- programs ----
// A loop of 3 x 1000 instructions, then exit code 5: tohost = 11 at 0x80001000.
static const uint32_t program[] = {
    0x3e800513, // 80000000: li a0, 1000
    0x00158593, // 80000004: addi a1, a1, 1
    0xfff50513, // 80000008: addi a0, a0, -1
    0xfe051ce3, // 8000000c: bnez a0, 80000004
    0x00001617, // 80000010: auipc a2, 1
    0xff060613, // 80000014: addi a2, a2, -16
    0x00b00693, // 80000018: li a3, 11
    0x00062023, // 8000001c: sw x0, 0(a2): not the 64-bit store that ends it
    0x00063023, // 80000020: sd x0, 0(a2): nor is 0
    0x00d63023, // 80000024: sd a3, 0(a2)
    0x0000006f, // 80000028: j .
};
enum { BOOT_STEPS = 5, PROGRAM_STEPS = BOOT_STEPS + 1 + 3000 + 6 };

static void test_program(void **state) {
    (void)state;
    struct error err = {""};
    struct iss *iss = iss_create(&err);
    struct image *image = program_image(program, sizeof program);
    for (int round = 0; round < 3; round++) { // loading resets all
        uint64_t code = 99;
        uint64_t done = 0;
        assert_int_equal(iss_load(iss, image, &err), 0);
        assert_false(iss_exited(iss, &code));
        assert_int_equal(code, 99);
        assert_int_equal(hart_pc(iss_only(iss)), BOOTROM_BASE);
        assert_int_equal(hart_privilege(iss_only(iss)), ISS_PRIVILEGE_M);
        assert_int_equal(hart_x(iss_only(iss), A1), 0);
        assert_int_equal(double_at(iss, ELF_TOHOST), 0);
        if (round == 0) {
            done = iss_run(iss, UINT64_MAX);
        } else if (round == 1) {
            for (; !iss_exited(iss, NULL); done++)
                hart_step(iss_only(iss), NULL);
        } else {
            for (uint64_t chunk = 1; !iss_exited(iss, NULL); chunk = chunk % 7 + 1)
                done += iss_run(iss, chunk);
        }
        assert_int_equal(done, PROGRAM_STEPS);
        assert_true(iss_exited(iss, &code));
        assert_int_equal(code, 5);
        // The boot ROM leaves the hart's number in a0 and its own address, plus 32, in a1.
        assert_int_equal(hart_x(iss_only(iss), A1), BOOTROM_BASE + 32 + 1000);
        assert_int_equal(csr_of(iss, CSR_MINSTRET), PROGRAM_STEPS);
        uint32_t dirt = 0xffffffff;
        iss_write(iss, DATA, &dirt, sizeof dirt);
        hart_set_csr(iss_only(iss), CSR_MSCRATCH, 1);
    }
    assert_int_equal(iss_load(iss, image, &err), 0);
    assert_int_equal(double_at(iss, DATA), 0);
    assert_int_equal(csr_of(iss, CSR_MSCRATCH), 0);
    assert_int_equal(iss_run(iss, 10), 10); // the limit is exact
    image_destroy(image);
    iss_destroy(iss);
}

static void test_console(void **state) {
    (void)state;
    struct iss *iss = hart_create();
    char *text = NULL;
    size_t size = 0;
    FILE *console = open_memstream(&text, &size);
    hart_set_x(iss_only(iss), A0, UART);
    hart_set_x(iss_only(iss), A1, 'x');
    execute(iss, STORE(BYTE, A1, A0, 0)); // nowhere yet
    iss_set_console(iss, console, NULL);
    hart_set_x(iss_only(iss), A1, 'o');
    execute(iss, STORE(BYTE, A1, A0, 0));
    hart_set_x(iss_only(iss), A1, 'k' | 0x7700);
    execute(iss, STORE(WORD, A1, A0, 0));
    execute(iss, STORE(BYTE, A1, A0, 1)); // another register
    iss_set_console(iss, NULL, NULL);
    execute(iss, STORE(BYTE, A1, A0, 0));
    fclose(console);
    assert_string_equal(text, "ok");
    free(text);
    iss_destroy(iss);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record),         cmocka_unit_test(test_record_memory),
        cmocka_unit_test(test_reservation),    cmocka_unit_test(test_take_interrupt),
        cmocka_unit_test(test_outside_values), cmocka_unit_test(test_memory_access),
        cmocka_unit_test(test_program),        cmocka_unit_test(test_console),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
