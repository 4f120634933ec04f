// The ALU against C arithmetic, after the unprivileged manual's chapters on RV32I and RV64I.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include <memory>

static uint64_t extend(uint32_t word) {
    return (uint64_t)(int64_t)(int32_t)word;
}

// Result of an operation; false for what the ALU does not execute.
static bool expected(unsigned op, uint64_t a, uint64_t b, uint64_t *result) {
    uint32_t wa = (uint32_t)a, wb = (uint32_t)b;
    switch (op) {
    case INSN_LUI: *result = b; return true;
    case INSN_AUIPC:
    case INSN_ADD:
    case INSN_ADDI: *result = a + b; return true;
    case INSN_SUB: *result = a - b; return true;
    case INSN_SLT:
    case INSN_SLTI: *result = (int64_t)a < (int64_t)b; return true;
    case INSN_SLTU:
    case INSN_SLTIU: *result = a < b; return true;
    case INSN_XOR:
    case INSN_XORI: *result = a ^ b; return true;
    case INSN_OR:
    case INSN_ORI: *result = a | b; return true;
    case INSN_AND:
    case INSN_ANDI: *result = a & b; return true;
    case INSN_SLL:
    case INSN_SLLI: *result = a << (b & 63); return true;
    case INSN_SRL:
    case INSN_SRLI: *result = a >> (b & 63); return true;
    case INSN_SRA:
    case INSN_SRAI: *result = (uint64_t)((int64_t)a >> (b & 63)); return true;
    case INSN_ADDW:
    case INSN_ADDIW: *result = extend(wa + wb); return true;
    case INSN_SUBW: *result = extend(wa - wb); return true;
    case INSN_SLLW:
    case INSN_SLLIW: *result = extend(wa << (wb & 31)); return true;
    case INSN_SRLW:
    case INSN_SRLIW: *result = extend(wa >> (wb & 31)); return true;
    case INSN_SRAW:
    case INSN_SRAIW: *result = extend((uint32_t)((int32_t)wa >> (wb & 31))); return true;
    default: return false;
    }
}

static unsigned check(Vtop *top, uint64_t a, uint64_t b) {
    unsigned operations = 0;
    for (unsigned op = 0; op < INSN_COUNT; op++) {
        uint64_t want;
        if (!expected(op, a, b, &want)) continue;
        operations++;
        top->op_i = (CData)op;
        top->a_i = a;
        top->b_i = b;
        top->eval();
        bench_check(top->result_o == want, "op %u a %lx b %lx: got %lx, expected %lx", op, a, b, top->result_o, want);
    }
    return operations;
}

int main(int argc, char **argv) {
    static const uint64_t corners[] = {0,
                                       1,
                                       31,
                                       32,
                                       63,
                                       64,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffff80000000,
                                       0xfffffffffffff800,
                                       0xffffffffffffffff};
    bench_seed(argc, argv, 2);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    unsigned operations = 0;
    for (uint64_t a : corners)
        for (uint64_t b : corners) operations = check(top, a, b);
    for (unsigned amount = 0; amount < 64; amount++) check(top, bench_random() | 1ull << 63, amount);
    for (unsigned i = 0; i < 20000; i++) check(top, bench_random() >> bench_below(64), bench_random() >> bench_below(64));

    // None is left out: what the table gives to the ALU is known here.
    static const struct insn_info table[] = {INSN_INFO_ROWS};
    unsigned listed = 0;
    for (const struct insn_info &row : table) listed += row.unit == UNIT_ALU;
    bench_check(operations == listed, "%u operations tested, the table has %u", operations, listed);
    top->final();
    return bench_end();
}
