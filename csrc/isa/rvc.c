// RV64C to RV64I, after the tables of the unprivileged manual, chapter "C" (RVC instruction set listings).
#include "isa/rvc.h"

enum {
    OP_LOAD = 0x03,
    OP_LOAD_FP = 0x07,
    OP_IMM = 0x13,
    OP_IMM_32 = 0x1b,
    OP_STORE = 0x23,
    OP_STORE_FP = 0x27,
    OP = 0x33,
    OP_LUI = 0x37,
    OP_32 = 0x3b
};
enum { OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f };
enum { ZERO = 0, RA = 1, SP = 2, EBREAK = 0x00100073 };

static uint32_t bits(uint32_t value, int high, int low) {
    return (value >> low) & ((1u << (high - low + 1)) - 1);
}

static int32_t sign_extend(uint32_t value, int width) {
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

static uint32_t r_type(uint32_t op, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

static uint32_t i_type(uint32_t op, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
    return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

static uint32_t s_type(uint32_t op, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t imm) {
    return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 0) << 7 | op;
}

static uint32_t b_type(uint32_t funct3, uint32_t rs1, int32_t offset) {
    uint32_t imm = (uint32_t)offset;
    return bits(imm, 12, 12) << 31 | bits(imm, 10, 5) << 25 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 1) << 8 |
           bits(imm, 11, 11) << 7 | OP_BRANCH;
}

static uint32_t j_type(uint32_t rd, int32_t offset) {
    uint32_t imm = (uint32_t)offset;
    return bits(imm, 20, 20) << 31 | bits(imm, 10, 1) << 21 | bits(imm, 11, 11) << 20 | bits(imm, 19, 12) << 12 |
           rd << 7 | OP_JAL;
}

// Scaled unsigned offsets of the register-based loads and stores, and of the stack-based ones.
static uint32_t offset_w(uint32_t c) {
    return bits(c, 5, 5) << 6 | bits(c, 12, 10) << 3 | bits(c, 6, 6) << 2;
}
static uint32_t offset_d(uint32_t c) {
    return bits(c, 6, 5) << 6 | bits(c, 12, 10) << 3;
}
static int32_t imm6(uint32_t c) {
    return sign_extend(bits(c, 12, 12) << 5 | bits(c, 6, 2), 6);
}

static uint32_t quadrant0(uint32_t c) {
    uint32_t rd = 8 + bits(c, 4, 2), rs1 = 8 + bits(c, 9, 7);
    switch (bits(c, 15, 13)) {
    case 0: { // c.addi4spn
        uint32_t imm = bits(c, 10, 7) << 6 | bits(c, 12, 11) << 4 | bits(c, 5, 5) << 3 | bits(c, 6, 6) << 2;
        return imm ? i_type(OP_IMM, 0, rd, SP, (int32_t)imm) : 0;
    }
    case 1: return i_type(OP_LOAD_FP, 3, rd, rs1, (int32_t)offset_d(c)); // c.fld
    case 2: return i_type(OP_LOAD, 2, rd, rs1, (int32_t)offset_w(c));    // c.lw
    case 3: return i_type(OP_LOAD, 3, rd, rs1, (int32_t)offset_d(c));    // c.ld
    case 5: return s_type(OP_STORE_FP, 3, rs1, rd, offset_d(c));         // c.fsd
    case 6: return s_type(OP_STORE, 2, rs1, rd, offset_w(c));            // c.sw
    case 7: return s_type(OP_STORE, 3, rs1, rd, offset_d(c));            // c.sd
    default: return 0;                                                   // reserved
    }
}

static uint32_t alu(uint32_t c) {
    uint32_t rd = 8 + bits(c, 9, 7), rs2 = 8 + bits(c, 4, 2), shamt = bits(c, 12, 12) << 5 | bits(c, 6, 2);
    switch (bits(c, 11, 10)) {
    case 0: return i_type(OP_IMM, 5, rd, rd, (int32_t)shamt);           // c.srli
    case 1: return i_type(OP_IMM, 5, rd, rd, (int32_t)(0x400 | shamt)); // c.srai
    case 2: return i_type(OP_IMM, 7, rd, rd, imm6(c));                  // c.andi
    default: break;
    }
    switch (bits(c, 12, 12) << 2 | bits(c, 6, 5)) {
    case 0: return r_type(OP, 0, 0x20, rd, rd, rs2);    // c.sub
    case 1: return r_type(OP, 4, 0, rd, rd, rs2);       // c.xor
    case 2: return r_type(OP, 6, 0, rd, rd, rs2);       // c.or
    case 3: return r_type(OP, 7, 0, rd, rd, rs2);       // c.and
    case 4: return r_type(OP_32, 0, 0x20, rd, rd, rs2); // c.subw
    case 5: return r_type(OP_32, 0, 0, rd, rd, rs2);    // c.addw
    default: return 0;                                  // reserved
    }
}

static uint32_t quadrant1(uint32_t c) {
    uint32_t rd = bits(c, 11, 7), rs1 = 8 + bits(c, 9, 7);
    int32_t jump = sign_extend(bits(c, 12, 12) << 11 | bits(c, 8, 8) << 10 | bits(c, 10, 9) << 8 | bits(c, 6, 6) << 7 |
                                   bits(c, 7, 7) << 6 | bits(c, 2, 2) << 5 | bits(c, 11, 11) << 4 | bits(c, 5, 3) << 1,
                               12);
    int32_t branch = sign_extend(
        bits(c, 12, 12) << 8 | bits(c, 6, 5) << 6 | bits(c, 2, 2) << 5 | bits(c, 11, 10) << 3 | bits(c, 4, 3) << 1, 9);
    switch (bits(c, 15, 13)) {
    case 0: return i_type(OP_IMM, 0, rd, rd, imm6(c));                     // c.addi, c.nop
    case 1: return rd == ZERO ? 0 : i_type(OP_IMM_32, 0, rd, rd, imm6(c)); // c.addiw
    case 2: return i_type(OP_IMM, 0, rd, ZERO, imm6(c));                   // c.li
    case 3:
        if (imm6(c) == 0) return 0;
        if (rd == SP) { // c.addi16sp
            int32_t imm = sign_extend(bits(c, 12, 12) << 9 | bits(c, 4, 3) << 7 | bits(c, 5, 5) << 6 |
                                          bits(c, 2, 2) << 5 | bits(c, 6, 6) << 4,
                                      10);
            return i_type(OP_IMM, 0, SP, SP, imm);
        }
        return (uint32_t)imm6(c) << 12 | rd << 7 | OP_LUI; // c.lui
    case 4: return alu(c);
    case 5: return j_type(ZERO, jump);      // c.j
    case 6: return b_type(0, rs1, branch);  // c.beqz
    default: return b_type(1, rs1, branch); // c.bnez
    }
}

static uint32_t quadrant2(uint32_t c) {
    uint32_t rd = bits(c, 11, 7), rs2 = bits(c, 6, 2);
    uint32_t load_w = bits(c, 3, 2) << 6 | bits(c, 12, 12) << 5 | bits(c, 6, 4) << 2;
    uint32_t load_d = bits(c, 4, 2) << 6 | bits(c, 12, 12) << 5 | bits(c, 6, 5) << 3;
    uint32_t store_w = bits(c, 8, 7) << 6 | bits(c, 12, 9) << 2, store_d = bits(c, 9, 7) << 6 | bits(c, 12, 10) << 3;
    switch (bits(c, 15, 13)) {
    case 0: return i_type(OP_IMM, 1, rd, rd, (int32_t)(bits(c, 12, 12) << 5 | rs2)); // c.slli
    case 1: return i_type(OP_LOAD_FP, 3, rd, SP, (int32_t)load_d);                   // c.fldsp
    case 2: return rd == ZERO ? 0 : i_type(OP_LOAD, 2, rd, SP, (int32_t)load_w);     // c.lwsp
    case 3: return rd == ZERO ? 0 : i_type(OP_LOAD, 3, rd, SP, (int32_t)load_d);     // c.ldsp
    case 4:
        if (rs2 != ZERO) return r_type(OP, 0, 0, rd, bits(c, 12, 12) ? rd : ZERO, rs2); // c.add, c.mv
        if (rd == ZERO) return bits(c, 12, 12) ? EBREAK : 0;                            // c.ebreak
        return i_type(OP_JALR, 0, bits(c, 12, 12) ? RA : ZERO, rd, 0);                  // c.jalr, c.jr
    case 5: return s_type(OP_STORE_FP, 3, SP, rs2, store_d);                            // c.fsdsp
    case 6: return s_type(OP_STORE, 2, SP, rs2, store_w);                               // c.swsp
    default: return s_type(OP_STORE, 3, SP, rs2, store_d);                              // c.sdsp
    }
}

uint32_t rvc_expand(uint16_t insn) {
    switch (insn & 3) {
    case 0: return quadrant0(insn);
    case 1: return quadrant1(insn);
    case 2: return quadrant2(insn);
    default: return 0;
    }
}
