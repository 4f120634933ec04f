// The instructions, and the loop that runs them: threaded dispatch over decoded pages.
//
// e walks the entries of one page; the pc is implied by it (page_pc + 2 * index) and made only where it is needed. The
// loop counts `left` down and gives up control at 0 and at events: whatever can raise an interrupt, change the
// privilege or end the program. The caller looks for interrupts between two calls.
//
// Compiled twice: here, and by execute_counted.c with COUNTING, as a loop that counts what it executes (counts.h).
#include "iss/arith.h"
#include "iss/execute_statements.h"
#include "iss/iss_internal.h"
#include <stddef.h>

#ifndef ISS_EXECUTE
#define ISS_EXECUTE iss_execute_plain
#endif

uint64_t ISS_EXECUTE(struct hart *h, uint64_t limit, struct page *page, struct entry *entry) {
    // One line an instruction that the table knows; a row without a body does not compile into this array, and
    // tests/unit/iss checks that no entry is empty.
    // clang-format off
    static const void *const labels[OP_COUNT] = {
        [OP_UNDECODED] = &&decode,  [OP_ILLEGAL] = &&illegal,
        [OP_PAGE_END] = &&page_end, [OP_FETCH_FAULT] = &&fetch_fault,
        [OP_STRADDLE] = &&straddle, [INSN_SRET] = &&sret,
        [INSN_SFENCE_VMA] = &&sfence_vma, [OP_MARKER] = &&marker,
        [INSN_LUI] = &&lui,         [INSN_AUIPC] = &&auipc,
        [INSN_JAL] = &&jal,         [INSN_JALR] = &&jalr,
        [INSN_BEQ] = &&beq,         [INSN_BNE] = &&bne,
        [INSN_BLT] = &&blt,         [INSN_BGE] = &&bge,
        [INSN_BLTU] = &&bltu,       [INSN_BGEU] = &&bgeu,
        [INSN_LB] = &&lb,           [INSN_LH] = &&lh,
        [INSN_LW] = &&lw,           [INSN_LD] = &&ld,
        [INSN_LBU] = &&lbu,         [INSN_LHU] = &&lhu,
        [INSN_LWU] = &&lwu,         [INSN_SB] = &&sb,
        [INSN_SH] = &&sh,           [INSN_SW] = &&sw,
        [INSN_SD] = &&sd,           [INSN_ADDI] = &&addi,
        [INSN_SLTI] = &&slti,       [INSN_SLTIU] = &&sltiu,
        [INSN_XORI] = &&xori,       [INSN_ORI] = &&ori,
        [INSN_ANDI] = &&andi,       [INSN_SLLI] = &&slli,
        [INSN_SRLI] = &&srli,       [INSN_SRAI] = &&srai,
        [INSN_ADD] = &&add,         [INSN_SUB] = &&sub,
        [INSN_SLL] = &&sll,         [INSN_SLT] = &&slt,
        [INSN_SLTU] = &&sltu,       [INSN_XOR] = &&xor,
        [INSN_SRL] = &&srl,         [INSN_SRA] = &&sra,
        [INSN_OR] = && or,          [INSN_AND] = &&and,
        [INSN_ADDIW] = &&addiw,     [INSN_SLLIW] = &&slliw,
        [INSN_SRLIW] = &&srliw,     [INSN_SRAIW] = &&sraiw,
        [INSN_ADDW] = &&addw,       [INSN_SUBW] = &&subw,
        [INSN_SLLW] = &&sllw,       [INSN_SRLW] = &&srlw,
        [INSN_SRAW] = &&sraw,       [INSN_FENCE] = &&fence,
        [INSN_FENCE_I] = &&fence_i, [INSN_ECALL] = &&ecall,
        [INSN_EBREAK] = &&ebreak,   [INSN_MRET] = &&mret,
        [INSN_SCTRCLR] = &&sctrclr, [INSN_WFI] = &&wfi,       [INSN_CSRRW... INSN_CSRRCI] = &&csr,
        [INSN_MUL] = &&mul,         [INSN_MULH] = &&mulh,
        [INSN_MULHSU] = &&mulhsu,   [INSN_MULHU] = &&mulhu,
        [INSN_DIV] = &&div,         [INSN_DIVU] = &&divu,
        [INSN_REM] = &&rem,         [INSN_REMU] = &&remu,
        [INSN_MULW] = &&mulw,       [INSN_DIVW] = &&divw,
        [INSN_DIVUW] = &&divuw,     [INSN_REMW] = &&remw,
        [INSN_REMUW] = &&remuw,     [INSN_LR_W... INSN_AMOMAXU_D] = &&amo,
        [INSN_FLW] = &&flw, [INSN_FSW] = &&fsw, [INSN_FLD] = &&fld, [INSN_FSD] = &&fsd, [INSN_FMADD_S... INSN_FCVT_D_S] = &&fp,
    };
    // clang-format on
    uint8_t *const dram = h->machine->dram;
    uint64_t data_limit = h->data_limit; // of the mode: whatever changes it is an event, or a CSR instruction
    const struct iss_quick *quick_data = h->quick_data; // likewise
    const uint64_t tohost = h->machine->tohost;
    uint64_t asked = limit;
    uint64_t left = limit, pc = h->pc, page_pc, tval;
    struct entry *e = entry;
    unsigned cause;
    ptrdiff_t distance;

    COUNTS_DECLARE;
    page_pc = pc & ~(uint64_t)(PAGE_BYTES - 1);
    if (page) {
        COUNTS_ENTER;
        DISPATCH;
    }

enter_page:
    page_pc = pc & ~(uint64_t)(PAGE_BYTES - 1);
    page = iss_page_at(h, pc, &cause);
    if (!page) {
        tval = pc;
        goto trap_at_pc;
    }
    COUNTS_ENTER;
    e = &page->entries[(pc - page_pc) / 2];
    DISPATCH;

decode: // not decoded yet, or its body is too far from here for its entry to say where
    if (e->op == OP_UNDECODED) iss_decode(h, page->physical + PC % PAGE_BYTES, e);
    distance = (const uint8_t *)labels[e->op] - (const uint8_t *)&&decode;
    if (distance == (int16_t)distance) e->code = (int16_t)distance;
    goto *labels[e->op];
straddle: // a page of its own: its first entry is the instruction, all others lead out of it
    pc = PC;
    e = iss_decode_straddle(h, pc, page->physical + pc % PAGE_BYTES);
    page = &h->straddle;
    COUNTS_STRADDLE;
    page_pc = pc;
    DISPATCH;
page_end:
    pc = PC;
    goto enter_page;
fetch_fault:
    TRAP(e->rs1, PC + IMM);
marker:
    h->machine->marker = (unsigned)e->imm;
    EVENT;
illegal:
    TRAP(CAUSE_ILLEGAL, e->insn);

lui:
    RD = IMM;
    NEXT;
auipc:
    RD = PC + IMM;
    NEXT;
jal:
    RD = NEXT_PC;
    JUMP_BY_IMM;
jalr : {
    uint64_t target = (RS1 + IMM) & ~UINT64_C(1);
    RD = NEXT_PC;
    JUMP(target);
}
beq:
    BRANCH(RS1 == RS2);
bne:
    BRANCH(RS1 != RS2);
blt:
    BRANCH(SIGNED(RS1) < SIGNED(RS2));
bge:
    BRANCH(SIGNED(RS1) >= SIGNED(RS2));
bltu:
    BRANCH(RS1 < RS2);
bgeu:
    BRANCH(RS1 >= RS2);
lb:
    LOAD(int8_t);
lh:
    LOAD(int16_t);
lw:
    LOAD(int32_t);
ld:
    LOAD(uint64_t);
lbu:
    LOAD(uint8_t);
lhu:
    LOAD(uint16_t);
lwu:
    LOAD(uint32_t);
sb:
    STORE(uint8_t);
sh:
    STORE(uint16_t);
sw:
    STORE(uint32_t);
sd:
    STORE(uint64_t);
addi:
    RD = RS1 + IMM;
    NEXT;
slti:
    RD = SIGNED(RS1) < SIGNED(IMM);
    NEXT;
sltiu:
    RD = RS1 < IMM;
    NEXT;
xori:
    RD = RS1 ^ IMM;
    NEXT;
ori:
    RD = RS1 | IMM;
    NEXT;
andi:
    RD = RS1 & IMM;
    NEXT;
slli:
    RD = RS1 << e->imm;
    NEXT;
srli:
    RD = RS1 >> e->imm;
    NEXT;
srai:
    RD = (uint64_t)(SIGNED(RS1) >> e->imm);
    NEXT;
add:
    RD = RS1 + RS2;
    NEXT;
sub:
    RD = RS1 - RS2;
    NEXT;
sll:
    RD = RS1 << (RS2 & 63);
    NEXT;
slt:
    RD = SIGNED(RS1) < SIGNED(RS2);
    NEXT;
sltu:
    RD = RS1 < RS2;
    NEXT;
    xor : RD = RS1 ^ RS2;
    NEXT;
srl:
    RD = RS1 >> (RS2 & 63);
    NEXT;
sra:
    RD = (uint64_t)(SIGNED(RS1) >> (RS2 & 63));
    NEXT;
    or : RD = RS1 | RS2;
    NEXT;
    and : RD = RS1 & RS2;
    NEXT;
addiw:
    RD = sext32(RS1 + IMM);
    NEXT;
slliw:
    RD = sext32(RS1 << e->imm);
    NEXT;
srliw:
    RD = sext32((uint32_t)RS1 >> e->imm);
    NEXT;
sraiw:
    RD = (uint64_t)((int32_t)RS1 >> e->imm);
    NEXT;
addw:
    RD = sext32(RS1 + RS2);
    NEXT;
subw:
    RD = sext32(RS1 - RS2);
    NEXT;
sllw:
    RD = sext32(RS1 << (RS2 & 31));
    NEXT;
srlw:
    RD = sext32((uint32_t)RS1 >> (RS2 & 31));
    NEXT;
sraw:
    RD = (uint64_t)((int32_t)RS1 >> (RS2 & 31));
    NEXT;
mul:
    RD = RS1 * RS2;
    NEXT;
mulh:
    RD = (uint64_t)((int128)SIGNED(RS1) * (int128)SIGNED(RS2) >> 64);
    NEXT;
mulhsu:
    RD = (uint64_t)((int128)SIGNED(RS1) * (int128)RS2 >> 64);
    NEXT;
mulhu:
    RD = (uint64_t)((uint128)RS1 * RS2 >> 64);
    NEXT;
div:
    RD = divide(SIGNED(RS1), SIGNED(RS2));
    NEXT;
divu:
    RD = RS2 ? RS1 / RS2 : UINT64_MAX;
    NEXT;
rem:
    RD = remainder_of(SIGNED(RS1), SIGNED(RS2));
    NEXT;
remu:
    RD = RS2 ? RS1 % RS2 : RS1;
    NEXT;
mulw:
    RD = sext32(RS1 * RS2);
    NEXT;
divw:
    RD = sext32(divide((int32_t)RS1, (int32_t)RS2));
    NEXT;
divuw:
    RD = (uint32_t)RS2 ? sext32((uint32_t)RS1 / (uint32_t)RS2) : UINT64_MAX;
    NEXT;
remw:
    RD = sext32(remainder_of((int32_t)RS1, (int32_t)RS2));
    NEXT;
remuw:
    RD = sext32((uint32_t)RS2 ? (uint32_t)RS1 % (uint32_t)RS2 : RS1);
    NEXT;
flw:
    FP_LOAD(uint32_t, UINT64_C(0xffffffff00000000));
fld:
    FP_LOAD(uint64_t, UINT64_C(0));
fsw:
    FP_STORE(uint32_t);
fsd:
    FP_STORE(uint64_t);
fp:
    if (!iss_fp_execute(h, e)) goto illegal;
    NEXT;
amo:
    if (!iss_amo(h, e, &cause)) TRAP(cause, RS1);
    if (__builtin_expect(h->machine->host_acts, 0)) LAST;
    NEXT;
fence: // one hart, in order: nothing to wait for
    NEXT;
wfi:
    SYNC;
    if (!iss_wfi(h)) goto illegal;
    EVENT;
sctrclr: // the records are the core's
    if (h->privilege == ISS_PRIVILEGE_U || h->ctr_depth == 0) goto illegal;
    NEXT;
sfence_vma:
    if (h->privilege == ISS_PRIVILEGE_U || (h->privilege == ISS_PRIVILEGE_S && h->csr[CSR_MSTATUS] & MSTATUS_TVM)) {
        goto illegal;
    }
    iss_tlb_flush(h);
    EVENT;
fence_i:
    e += e->halfwords;
    iss_drop_decoded(h);
    left--;
    goto out;
csr:
    SYNC;
    h->csr_written = false;
    if (!iss_csr_execute(h, e)) goto illegal;
    if (h->csr_written && iss_csr_is_event(h, (unsigned)e->imm)) EVENT;
    data_limit = h->data_limit;
    quick_data = h->quick_data;
    NEXT;
mret:
    if (!iss_mret(h)) goto illegal;
    pc = h->csr[CSR_MEPC];
    left--;
    goto out_at_pc;
sret:
    if (!iss_sret(h)) goto illegal;
    pc = h->csr[CSR_SEPC];
    left--;
    goto out_at_pc;
ecall:
    TRAP(CAUSE_ECALL_U + h->privilege, 0);
ebreak:
    TRAP(CAUSE_BREAKPOINT, PC);

trap:
    COUNTS_TRAP;
    pc = PC;
trap_at_pc:
    SYNC;
    iss_trap(h, pc, cause, false, tval);
    return asked - left + 1;
out:
    pc = PC;
out_at_pc:
    SYNC;
    h->pc = pc;
    return asked - left;
}
