// For tests of the ISS: a hart in DRAM with words to execute, and the encodings that the tests need.
#ifndef TIPOFF_TESTS_HART_H
#define TIPOFF_TESTS_HART_H

#include "csrs.h"
#include "iss/iss.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A0 = 10, A1, A2, A3, A4 };
#define CODE DRAM_BASE
#define DATA (DRAM_BASE + 0x10000)
#define HANDLER (DRAM_BASE + 0x20000)

static inline uint32_t r_type(uint32_t match, unsigned rd, unsigned rs1, unsigned rs2) {
    return match | rs2 << 20 | rs1 << 15 | rd << 7;
}
static inline uint32_t i_type(uint32_t match, unsigned rd, unsigned rs1, int imm) {
    return match | (uint32_t)imm << 20 | rs1 << 15 | rd << 7;
}
static inline uint32_t s_type(uint32_t match, unsigned rs2, unsigned rs1, int imm) {
    return match | ((uint32_t)imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | ((uint32_t)imm & 31) << 7;
}
#define ADDI(rd, rs1, imm) i_type(0x00000013, rd, rs1, imm)
#define LOAD(size, rd, rs1, imm) i_type(0x00000003 | (uint32_t)(size) << 12, rd, rs1, imm)
#define STORE(size, rs2, rs1, imm) s_type(0x00000023 | (uint32_t)(size) << 12, rs2, rs1, imm)
enum { BYTE, HALF, WORD, DOUBLE, BYTE_U, HALF_U, WORD_U };
#define CSRRW(rd, csr, rs1) i_type(0x00001073, rd, rs1, csr)
#define CSRRS(rd, csr, rs1) i_type(0x00002073, rd, rs1, csr)
#define CSRRC(rd, csr, rs1) i_type(0x00003073, rd, rs1, csr)
#define CSRRWI(rd, csr, imm) i_type(0x00005073, rd, imm, csr)
#define CSRRSI(rd, csr, imm) i_type(0x00006073, rd, imm, csr)
#define LR_D(rd, rs1) r_type(0x1000302f, rd, rs1, 0)
#define SC_D(rd, rs1, rs2) r_type(0x1800302f, rd, rs1, rs2)
#define SC_W(rd, rs1, rs2) r_type(0x1800202f, rd, rs1, rs2)
#define AMOADD_D(rd, rs1, rs2) r_type(0x0000302f, rd, rs1, rs2)
enum { NOP = 0x13, ECALL = 0x73, EBREAK = 0x100073, MRET = 0x30200073, WFI = 0x10500073, FENCE_I = 0x100f };

// A hart at CODE, in machine mode, that takes traps to HANDLER; memory is open to all modes, counters to S and U.
static inline struct iss *hart_create(void) {
    struct error err = {""};
    struct iss *iss = iss_create(&err);
    assert_non_null(iss);
    hart_set_pc(iss_only(iss), CODE);
    hart_set_csr(iss_only(iss), CSR_MTVEC, HANDLER);
    hart_set_csr(iss_only(iss), CSR_PMPADDR0, UINT64_MAX);
    hart_set_csr(iss_only(iss), CSR_PMPCFG0, 0x1f); // NAPOT, RWX
    hart_set_csr(iss_only(iss), CSR_SCOUNTEREN, UINT32_MAX);
    return iss;
}

static inline void put_word(struct iss *iss, uint64_t address, uint32_t word) {
    assert_true(iss_write(iss, address, &word, sizeof word));
}

// Executes this word at the pc (which must be in DRAM) and returns the record.
static inline struct iss_retire execute(struct iss *iss, uint32_t word) {
    struct iss_retire out;
    memset(&out, 0xa5, sizeof out); // every field must be set
    put_word(iss, hart_pc(iss_only(iss)), word);
    hart_step(iss_only(iss), &out);
    return out;
}

static inline uint64_t csr_of(const struct iss *iss, unsigned address) {
    uint64_t value = 0;
    assert_int_equal(hart_csr(iss_only(iss), address, &value), 0);
    return value;
}

static inline uint64_t double_at(const struct iss *iss, uint64_t address) {
    uint64_t value = 0;
    assert_true(iss_read(iss, address, &value, sizeof value));
    return value;
}

// On to user mode at this pc.
static inline void to_user(struct iss *iss, uint64_t pc) {
    hart_set_csr(iss_only(iss), CSR_MEPC, pc);
    hart_set_csr(iss_only(iss), CSR_MSTATUS, csr_of(iss, CSR_MSTATUS) & ~UINT64_C(0x1800));
    struct iss_retire out = execute(iss, MRET);
    assert_false(out.trap);
    assert_int_equal(hart_privilege(iss_only(iss)), ISS_PRIVILEGE_U);
    assert_int_equal(hart_pc(iss_only(iss)), pc);
}

static inline void assert_trap(const struct iss_retire *r, unsigned cause, uint64_t epc, uint64_t tval) {
    assert_true(r->trap);
    assert_false(r->interrupt);
    assert_int_equal(r->cause, cause);
    assert_int_equal(r->epc, epc);
    assert_int_equal(r->tval, tval);
    assert_false(r->rd_written);
    assert_false(r->csr_written);
    assert_int_equal(r->access, ISS_ACCESS_NONE);
}

#endif
