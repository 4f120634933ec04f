// All 16-bit encodings against an expander written from the unprivileged manual, chapter C.
//
// An immediate is written as the manual draws it: the list of the value's bits, from the highest instruction bit down.
// The 32-bit form is put together from its fields, so that nothing is shared with the RTL but the manual.
#include "Vtop.h"
#include "bench.h"
#include <memory>

static uint32_t insn;

static unsigned bit(unsigned n) {
    return (insn >> n) & 1;
}
static unsigned bits(unsigned high, unsigned low) {
    return (insn >> low) & ((1u << (high - low + 1)) - 1);
}

// "5@12 4:0@6": value bit 5 is instruction bit 12, value bits 4:0 are instruction bits 6 down.
static int32_t immediate(const char *layout, unsigned sign) {
    uint32_t value = 0;
    while (*layout) {
        unsigned high = (unsigned)strtoul(layout, (char **)&layout, 10), low = high;
        if (*layout == ':') low = (unsigned)strtoul(layout + 1, (char **)&layout, 10);
        unsigned from = (unsigned)strtoul(layout + 1, (char **)&layout, 10);
        for (unsigned n = high + 1; n-- > low;) value |= bit(from--) << n;
        while (*layout == ' ') layout++;
    }
    if (sign && (value >> sign) & 1) value |= ~0u << sign;
    return (int32_t)value;
}

// ---- 32-bit forms, chapter 2 of the manual ----
static uint32_t R(unsigned funct7, unsigned rs2, unsigned rs1, unsigned funct3, unsigned rd, unsigned opcode) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static uint32_t I(int32_t imm, unsigned rs1, unsigned funct3, unsigned rd, unsigned opcode) {
    return ((uint32_t)imm & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static uint32_t S(int32_t imm, unsigned rs2, unsigned rs1, unsigned funct3) {
    uint32_t i = (uint32_t)imm;
    return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 0x1f) << 7 | 0x23;
}
static uint32_t B(int32_t imm, unsigned rs1, unsigned funct3) {
    uint32_t i = (uint32_t)imm;
    return (i >> 12 & 1) << 31 | (i >> 5 & 0x3f) << 25 | rs1 << 15 | funct3 << 12 | (i >> 1 & 0xf) << 8 | (i >> 11 & 1) << 7 | 0x63;
}
static uint32_t J(int32_t imm, unsigned rd) {
    uint32_t i = (uint32_t)imm;
    return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 | (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

enum { LOAD = 0x03, LOAD_FP = 0x07, STORE_FP = 0x27, OP_IMM = 0x13, OP_IMM_32 = 0x1b, OP = 0x33, LUI = 0x37, OP_32 = 0x3b, JALR = 0x67, SP = 2 };

// 0: reserved.
static uint32_t expand(void) {
    unsigned rd = bits(11, 7), rs2 = bits(6, 2), a = 8 + bits(9, 7), b = 8 + bits(4, 2);
    int32_t imm = immediate("5@12 4:0@6", 5), shamt = immediate("5@12 4:0@6", 0), i;
    switch (bits(1, 0) << 3 | bits(15, 13)) {
    // quadrant 0
    case 000: // c.addi4spn; uimm = 0 is reserved (all zero: the illegal instruction)
        i = immediate("5:4@12 9:6@10 2@6 3@5", 0);
        return i ? I(i, SP, 0, b, OP_IMM) : 0;
    case 001: return I(immediate("5:3@12 7:6@6", 0), a, 3, b, LOAD_FP);                                        // c.fld
    case 005: return (S(immediate("5:3@12 7:6@6", 0), b, a, 3) & ~0x7fu) | STORE_FP;                             // c.fsd
    case 002: return I(immediate("5:3@12 2@6 6@5", 0), a, 2, b, LOAD); // c.lw
    case 003: return I(immediate("5:3@12 7:6@6", 0), a, 3, b, LOAD);   // c.ld
    case 006: return S(immediate("5:3@12 2@6 6@5", 0), b, a, 2);       // c.sw
    case 007: return S(immediate("5:3@12 7:6@6", 0), b, a, 3);         // c.sd
    // quadrant 1
    case 010: return I(imm, rd, 0, rd, OP_IMM);                // c.nop, c.addi
    case 011: return rd ? I(imm, rd, 0, rd, OP_IMM_32) : 0;    // c.addiw; rd = x0 is reserved
    case 012: return I(imm, 0, 0, rd, OP_IMM);                 // c.li
    case 013:
        if (rd == SP) { // c.addi16sp; imm = 0 is reserved
            i = immediate("9@12 4@6 6@5 8:7@4 5@2", 9);
            return i ? I(i, SP, 0, SP, OP_IMM) : 0;
        }
        i = immediate("17@12 16:12@6", 17); // c.lui; imm = 0 is reserved
        return i ? ((uint32_t)i & 0xfffff000) | rd << 7 | LUI : 0;
    case 014:
        switch (bits(11, 10)) {
        case 0: return I(shamt, a, 5, a, OP_IMM);          // c.srli
        case 1: return I(0x400 | shamt, a, 5, a, OP_IMM);  // c.srai
        case 2: return I(imm, a, 7, a, OP_IMM);            // c.andi
        default:
            switch (bit(12) << 2 | bits(6, 5)) {
            case 0: return R(0x20, b, a, 0, a, OP);    // c.sub
            case 1: return R(0, b, a, 4, a, OP);       // c.xor
            case 2: return R(0, b, a, 6, a, OP);       // c.or
            case 3: return R(0, b, a, 7, a, OP);       // c.and
            case 4: return R(0x20, b, a, 0, a, OP_32); // c.subw
            case 5: return R(0, b, a, 0, a, OP_32);    // c.addw
            default: return 0;                         // reserved
            }
        }
    case 015: return J(immediate("11@12 4@11 9:8@10 10@8 6@7 7@6 3:1@5 5@2", 11), 0); // c.j
    case 016: return B(immediate("8@12 4:3@11 7:6@6 2:1@4 5@2", 8), a, 0);            // c.beqz
    case 017: return B(immediate("8@12 4:3@11 7:6@6 2:1@4 5@2", 8), a, 1);            // c.bnez
    // quadrant 2
    case 020: return I(shamt, rd, 1, rd, OP_IMM);                                     // c.slli
    case 021: return I(immediate("5@12 4:3@6 8:6@4", 0), SP, 3, rd, LOAD_FP);                                   // c.fldsp
    case 025: return (S(immediate("5:3@12 8:6@9", 0), rs2, SP, 3) & ~0x7fu) | STORE_FP;                         // c.fsdsp
    case 022: return rd ? I(immediate("5@12 4:2@6 7:6@3", 0), SP, 2, rd, LOAD) : 0;   // c.lwsp; rd = x0 is reserved
    case 023: return rd ? I(immediate("5@12 4:3@6 8:6@4", 0), SP, 3, rd, LOAD) : 0;   // c.ldsp; rd = x0 is reserved
    case 024:
        if (!bit(12) && rs2) return R(0, rs2, 0, 0, rd, OP); // c.mv
        if (!bit(12)) return rd ? I(0, rd, 0, 0, JALR) : 0;  // c.jr; rs1 = x0 is reserved
        if (rs2) return R(0, rs2, rd, 0, rd, OP);            // c.add
        return rd ? I(0, rd, 0, 1, JALR) : 0x00100073;       // c.jalr, c.ebreak
    case 026: return S(immediate("5:2@12 7:6@8", 0), rs2, SP, 2); // c.swsp
    case 027: return S(immediate("5:3@12 8:6@9", 0), rs2, SP, 3); // c.sdsp
    default: return 0;
    }
}

int main() {
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    // What the layouts above must come to, as an assembler gives it.
    static const struct {
        uint16_t from;
        uint32_t to;
    } known[] = {{0x4501, 0x00000513},  // c.li a0, 0        addi a0, zero, 0
                 {0x1141, 0xff010113},  // c.addi sp, -16    addi sp, sp, -16
                 {0xe406, 0x00113423},  // c.sdsp ra, 8(sp)  sd ra, 8(sp)
                 {0x60a2, 0x00813083},  // c.ldsp ra, 8(sp)  ld ra, 8(sp)
                 {0x8082, 0x00008067},  // c.jr ra           jalr zero, 0(ra)
                 {0x7139, 0xfc010113},  // c.addi16sp -64    addi sp, sp, -64
                 {0x0028, 0x00810513},  // c.addi4spn a0, 8  addi a0, sp, 8
                 {0xa001, 0x0000006f},  // c.j .             jal zero, 0
                 {0x9002, 0x00100073},  // c.ebreak          ebreak
                 {0x852e, 0x00b00533}}; // c.mv a0, a1       add a0, zero, a1
    for (const auto &k : known) {
        insn = k.from;
        bench_check(expand() == k.to, "the test's own expander: %04x gives %08x, expected %08x", k.from, expand(), k.to);
    }
    for (unsigned word = 0; word < 65536; word++) {
        if ((word & 3) == 3) continue; // not a 16-bit form
        insn = word;
        top->insn_i = (SData)word;
        top->eval();
        uint32_t want = expand();
        bench_check(top->insn_o == want, "%04x: got %08x, expected %08x", word, top->insn_o, want);
    }
    top->final();
    return bench_end();
}
