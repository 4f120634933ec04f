// Lockstep against cycles made by hand: agreement, what is taken over, and each single field made wrong.
#include "cosim/cosim.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/base/program_image.h"

#define ENTRY UINT64_C(0x80000000)
enum { T0 = 5, A0 = 10, A1, A2, BOOT = 5, PROGRAM = 5, STEPS = BOOT + PROGRAM };
enum { MACHINE = 3, MSCRATCH = 0x340, ECALL_M = 11 };

static const uint32_t code[] = {
    0x00500513, // addi a0, zero, 5
    0x00000597, // auipc a1, 0
    0x04a5a023, // sw a0, 64(a1)
    0x34051073, // csrw mscratch, a0
    0xb0002673, // csrr a2, mcycle
    0x00000073, // ecall
};

// What a core retires of the boot ROM and of the program, by the unprivileged and privileged manuals.
static const struct retired steps[STEPS] = {
    {.pc = 0x1000, .insn = 0x00000297, .rd_written = true, .rd = T0, .rd_value = 0x1000},
    {.pc = 0x1004, .insn = 0x02028593, .rd_written = true, .rd = A1, .rd_value = 0x1020},
    {.pc = 0x1008, .insn = 0xf1402573, .rd_written = true, .rd = A0, .rd_value = 0},
    {.pc = 0x100c, .insn = 0x0182b283, .rd_written = true, .rd = T0, .rd_value = ENTRY},
    {.pc = 0x1010, .insn = 0x00028067},
    {.pc = ENTRY, .insn = 0x00500513, .rd_written = true, .rd = A0, .rd_value = 5},
    {.pc = ENTRY + 4, .insn = 0x00000597, .rd_written = true, .rd = A1, .rd_value = ENTRY + 4},
    {.pc = ENTRY + 8, .insn = 0x04a5a023, .stored = true, .store_bytes = 4, .store_addr = ENTRY + 68, .store_data = 5},
    {.pc = ENTRY + 12, .insn = 0x34051073, .csr_written = true, .csr = MSCRATCH, .csr_value = 5},
    {.pc = ENTRY + 16, .insn = 0xb0002673, .rd_written = true, .rd = A2, .rd_value = 0xdeadbeef},
};
static const struct trapped ecall = {.valid = true, .cause = ECALL_M, .epc = ENTRY + 20};

static struct cosim *start(void) {
    struct error err = {""};
    struct image *image = program_image(code, sizeof code);
    struct cosim *c = cosim_create(image, &(struct cosim_core){.fp = true, .pmp_entries = 8}, &err);
    assert_non_null(c);
    image_destroy(image);
    return c;
}

static int retire(struct cosim *c, uint64_t cycle, const struct retired *r, uint8_t privilege, struct error *err) {
    struct trace_left left = {.count = 1};
    left.retired[0] = *r;
    return cosim_cycle(c, cycle, privilege, &left, err);
}

static int trap(struct cosim *c, uint64_t cycle, const struct trapped *trapped, struct error *err) {
    struct trace_left left = {.trap = *trapped};
    return cosim_cycle(c, cycle, MACHINE, &left, err);
}

static void up_to(struct cosim *c, unsigned count) {
    struct error err = {""};
    for (unsigned i = 0; i < count; i++) {
        if (retire(c, i, &steps[i], MACHINE, &err) != 0) fail_msg("step %u: %s", i, err.text);
    }
}

static void test_agreement(void **state) {
    (void)state;
    struct error err = {""};
    struct cosim *c = start();
    up_to(c, STEPS);
    assert_int_equal(trap(c, STEPS, &ecall, &err), 0);
    assert_int_equal(cosim_instructions(c), STEPS);
    assert_int_equal(cosim_traps(c), 1);
    cosim_destroy(c);
}

static void test_group(void **state) { // several in one cycle, oldest first
    (void)state;
    struct error err = {""};
    struct cosim *c = start();
    struct trace_left left = {.count = 4};
    memcpy(left.retired, steps, 4 * sizeof *steps);
    assert_int_equal(cosim_cycle(c, 7, MACHINE, &left, &err), 0);
    assert_int_equal(cosim_golden(c)->count, 4);
    assert_int_equal(cosim_golden(c)->step[3].pc, steps[3].pc);
    assert_int_equal(cosim_instructions(c), 4);
    cosim_destroy(c);
}

// Which of the steps do nothing but compute, branch or load; a group is plain if all of it is.
static void test_plain(void **state) {
    static const bool plain[STEPS] = {true, true, false, true, true, true, true, false, false, false};
    struct error err = {""};
    struct cosim *c = start();
    (void)state;
    for (unsigned i = 0; i < STEPS; i++) {
        assert_int_equal(retire(c, i, &steps[i], MACHINE, &err), 0);
        assert_int_equal(cosim_golden(c)->step[0].plain, plain[i]);
        assert_int_equal(cosim_golden(c)->plain, plain[i]);
    }
    assert_int_equal(trap(c, STEPS, &ecall, &err), 0);
    assert_false(cosim_golden(c)->plain);
    cosim_destroy(c);
    c = start();
    struct trace_left left = {.count = 3};
    memcpy(left.retired, steps, 3 * sizeof *steps);
    assert_int_equal(cosim_cycle(c, 0, MACHINE, &left, &err), 0);
    assert_false(cosim_golden(c)->plain);
    cosim_destroy(c);
}

// What a plain step cannot do is a difference, too.
static void test_plain_does_more(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct error err = {""};
        struct cosim *c = start();
        struct retired r = steps[0];
        r.stored = i == 0;
        r.csr_written = i == 1;
        assert_int_equal(retire(c, 0, &r, MACHINE, &err), -EBADMSG);
        assert_non_null(strstr(err.text, i ? "whether a CSR is written" : "whether it stores"));
        cosim_destroy(c);
    }
}

// The register takes the core's value over: the ISS goes on with it.
static void test_taken_over(void **state) {
    (void)state;
    struct error err = {""};
    struct cosim *c = start();
    up_to(c, STEPS);
    struct trapped wrong = ecall;
    wrong.cause = 8;
    assert_int_equal(trap(c, 100, &wrong, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "trap cause"));
    assert_non_null(strstr(err.text, "expected 0xb, got 0x8"));
    cosim_destroy(c);
}

static void test_interrupt(void **state) { // the core says when; what it does is compared
    (void)state;
    struct error err = {""};
    struct cosim *c = start();
    up_to(c, BOOT);
    struct trapped irq = {.valid = true, .interrupt = true, .cause = 7, .epc = ENTRY};
    assert_int_equal(trap(c, 50, &irq, &err), 0);
    assert_int_equal(cosim_traps(c), 1);
    cosim_destroy(c);

    c = start();
    up_to(c, BOOT);
    irq.epc = ENTRY + 4;
    assert_int_equal(trap(c, 50, &irq, &err), -EBADMSG);
    cosim_destroy(c);
}

enum field {
    PC,
    INSN,
    LANE_RD,
    RD,
    VALUE,
    FLOAT,
    STORED,
    ADDRESS,
    BYTES,
    DATA,
    CSR_WRITTEN,
    CSR,
    CSR_VALUE,
    PRIVILEGE
};
static const struct {
    unsigned step;
    enum field field;
    const char *says;
} wrongs[] = {
    {5, PC, "pc"},
    {5, INSN, "instruction word"},
    {5, LANE_RD, "whether a register is written"},
    {5, RD, "destination register"},
    {5, VALUE, "destination value: expected 0x5, got 0x6"},
    {5, FLOAT, "floating-point register"},
    {5, STORED, "whether it stores"},
    {7, STORED, "whether it stores"},
    {7, ADDRESS, "store address"},
    {7, BYTES, "store size in bytes"},
    {7, DATA, "store data"},
    {8, CSR_WRITTEN, "whether a CSR is written"},
    {8, CSR, "CSR address"},
    {8, CSR_VALUE, "CSR value"},
    {6, PRIVILEGE, "privilege"},
};

static void spoil(struct retired *r, enum field field) {
    switch (field) {
    case PC: r->pc += 4; break;
    case INSN: r->insn ^= 1u << 20; break;
    case LANE_RD: r->rd_written = false; break;
    case RD: r->rd++; break;
    case VALUE: r->rd_value++; break;
    case FLOAT: r->rd_fp = true; break;
    case STORED: r->stored = !r->stored; break;
    case ADDRESS: r->store_addr += 8; break;
    case BYTES: r->store_bytes = 8; break;
    case DATA: r->store_data ^= 0x100; break;
    case CSR_WRITTEN: r->csr_written = false; break;
    case CSR: r->csr++; break;
    case CSR_VALUE: r->csr_value++; break;
    default: break;
    }
}

static void test_each_field(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct error err = {""};
        struct cosim *c = start();
        up_to(c, wrongs[i].step);
        struct retired wrong = steps[wrongs[i].step];
        wrong.lane = 3;
        spoil(&wrong, wrongs[i].field);
        int result = retire(c, 1234, &wrong, wrongs[i].field == PRIVILEGE ? 0 : MACHINE, &err);
        if (result != -EBADMSG) fail_msg("wrong %zu (%s) is not found", i, wrongs[i].says);
        if (!strstr(err.text, wrongs[i].says)) fail_msg("'%s' does not say '%s'", err.text, wrongs[i].says);
        assert_non_null(strstr(err.text, "cycle 1234, lane 3"));
        assert_non_null(strstr(err.text, "expected 0x"));
        cosim_destroy(c);
    }
}

static void test_history(void **state) {
    (void)state;
    struct error err = {""};
    char text[4096] = "";
    struct cosim *c = start();
    up_to(c, 7);
    struct retired wrong = steps[7];
    wrong.store_data = 9;
    assert_int_equal(retire(c, 99, &wrong, MACHINE, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "sw a0, 64(a1)"));
    FILE *out = fmemopen(text, sizeof text, "w");
    cosim_print_history(c, out);
    fclose(out);
    assert_non_null(strstr(text, "auipc t0, 0")); // the oldest is listed, disassembled
    assert_non_null(strstr(text, "x10 = 0x5"));
    assert_true(strstr(text, "auipc t0, 0") < strstr(text, "sw a0, 64(a1)"));
    cosim_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),  cmocka_unit_test(test_group),           cmocka_unit_test(test_taken_over),
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_plain_does_more), cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_each_field), cmocka_unit_test(test_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
