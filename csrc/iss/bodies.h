// The bodies that decoded instructions go to: one row each, from which the loop's tables and their indices are made.
//
// An instruction of 16 bits has the even index, one of 32 bits the next, odd one: how far the next entry is from
// this one stands in the code. Kinds:
//   CONTROL: executes nothing; is not counted
//   ONE:     one function: of instructions that have but one length, or are rare
//   FAR:     likewise, and it ends its block: control goes on elsewhere
//   TWO:     one function for each length
//   JUMP:    likewise, and it ends its block
//   MEMORY:  likewise, and one each for loads and stores that reach DRAM as they are, and for those that are translated
#ifndef TIPOFF_ISS_BODIES_H
#define TIPOFF_ISS_BODIES_H

// clang-format off
#define ISS_BODIES(CONTROL, ONE, FAR, TWO, JUMP, MEMORY) \
    CONTROL(undecoded) CONTROL(page_end) CONTROL(straddle) \
    ONE(fetch_fault) ONE(illegal) ONE(marker) \
    ONE(ecall) ONE(ebreak) ONE(mret) ONE(sret) ONE(wfi) ONE(sfence_vma) ONE(fence_i) ONE(sctrclr) \
    ONE(csr) ONE(amo) FAR(branch_far) \
    ONE(fp) ONE(fadd_s) ONE(fsub_s) ONE(fmul_s) ONE(fdiv_s) ONE(fadd_d) ONE(fsub_d) ONE(fmul_d) ONE(fdiv_d) \
    ONE(fmadd_s) ONE(fmsub_s) ONE(fnmsub_s) ONE(fnmadd_s) ONE(fmadd_d) ONE(fmsub_d) ONE(fnmsub_d) ONE(fnmadd_d) \
    ONE(fsgnj_s) ONE(fsgnjn_s) ONE(fsgnjx_s) ONE(fsgnj_d) ONE(fsgnjn_d) ONE(fsgnjx_d) \
    ONE(feq_s) ONE(flt_s) ONE(fle_s) ONE(feq_d) ONE(flt_d) ONE(fle_d) \
    ONE(fmv_x_w) ONE(fmv_x_d) ONE(fmv_w_x) ONE(fmv_d_x) ONE(fcvt_d_w) ONE(fcvt_d_l) ONE(fcvt_s_w) ONE(fcvt_s_l) \
    ONE(fcvt_w_d) ONE(fcvt_l_d) ONE(fcvt_s_d) ONE(fcvt_d_s) \
    TWO(nop) TWO(li) TWO(mv) TWO(increment) TWO(accumulate) \
    TWO(auipc) JUMP(jal) JUMP(jal_far) JUMP(j) JUMP(jalr) JUMP(jr) JUMP(ret) \
    JUMP(beqz) JUMP(bnez) JUMP(beq) JUMP(bne) JUMP(blt) JUMP(bge) JUMP(bltu) JUMP(bgeu) \
    TWO(addi) TWO(slti) TWO(sltiu) TWO(xori) TWO(ori) TWO(andi) TWO(slli) TWO(srli) TWO(srai) \
    TWO(add) TWO(sub) TWO(sll) TWO(slt) TWO(sltu) TWO(xor) TWO(srl) TWO(sra) TWO(or) TWO(and) \
    TWO(addiw) TWO(slliw) TWO(srliw) TWO(sraiw) TWO(addw) TWO(subw) TWO(sllw) TWO(srlw) TWO(sraw) \
    TWO(mul) TWO(mulh) TWO(mulhsu) TWO(mulhu) TWO(div) TWO(divu) TWO(rem) TWO(remu) \
    TWO(mulw) TWO(divw) TWO(divuw) TWO(remw) TWO(remuw) \
    MEMORY(lb) MEMORY(lh) MEMORY(lw) MEMORY(ld) MEMORY(lbu) MEMORY(lhu) MEMORY(lwu) \
    MEMORY(sb) MEMORY(sh) MEMORY(sw) MEMORY(sd) \
    MEMORY(flw) MEMORY(fld) MEMORY(fsw) MEMORY(fsd)
// clang-format on

#define ISS_BODY_INDEX(name) BODY_##name, BODY_##name##_wide,
enum iss_body {
    ISS_BODIES(ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX)
        BODY_COUNT
};
_Static_assert(BODY_undecoded == 0, "what a cleared entry goes to");

// Pairs of instructions that follow each other often, in a block: PAIR(kind, name, length in halfwords, and those of
// the second). kind: C computes or jumps, M has the kind MEMORY. All firsts go with all seconds.
// clang-format off
#define ISS_FIRSTS(FIRST, PAIR) \
    FIRST(PAIR, C, increment, 1) FIRST(PAIR, C, accumulate, 1) FIRST(PAIR, C, mv, 1) FIRST(PAIR, C, li, 1) \
    FIRST(PAIR, C, slli, 1) FIRST(PAIR, C, slli, 2) FIRST(PAIR, C, addiw, 1) FIRST(PAIR, C, add, 2) \
    FIRST(PAIR, C, addi, 2) FIRST(PAIR, M, ld, 1) FIRST(PAIR, M, ld, 2) FIRST(PAIR, M, lw, 1) \
    FIRST(PAIR, M, lw, 2) FIRST(PAIR, M, lbu, 2) FIRST(PAIR, M, lwu, 2) FIRST(PAIR, M, sd, 1) \
    FIRST(PAIR, M, sw, 1) FIRST(PAIR, M, sw, 2)
#define ISS_SECONDS(PAIR, kind, name, length) \
    PAIR(kind, name, length, C, increment, 1) PAIR(kind, name, length, C, accumulate, 1) \
    PAIR(kind, name, length, C, mv, 1) PAIR(kind, name, length, C, li, 1) PAIR(kind, name, length, C, slli, 1) \
    PAIR(kind, name, length, C, slli, 2) PAIR(kind, name, length, C, addiw, 1) \
    PAIR(kind, name, length, C, add, 2) PAIR(kind, name, length, C, addi, 2) PAIR(kind, name, length, M, ld, 1) \
    PAIR(kind, name, length, M, ld, 2) PAIR(kind, name, length, M, lw, 1) PAIR(kind, name, length, M, lw, 2) \
    PAIR(kind, name, length, M, lbu, 2) PAIR(kind, name, length, M, lwu, 2) PAIR(kind, name, length, M, sd, 1) \
    PAIR(kind, name, length, M, sw, 1) PAIR(kind, name, length, M, sw, 2) PAIR(kind, name, length, C, li, 2) \
    PAIR(kind, name, length, C, andi, 1) PAIR(kind, name, length, C, andi, 2) \
    PAIR(kind, name, length, C, srli, 2) PAIR(kind, name, length, C, beqz, 1) \
    PAIR(kind, name, length, C, bnez, 1) PAIR(kind, name, length, C, beqz, 2) \
    PAIR(kind, name, length, C, beq, 2) PAIR(kind, name, length, C, bne, 2) PAIR(kind, name, length, C, blt, 2) \
    PAIR(kind, name, length, C, bge, 2) PAIR(kind, name, length, C, bltu, 2) \
    PAIR(kind, name, length, C, bgeu, 2) PAIR(kind, name, length, C, j, 1) PAIR(kind, name, length, C, jal, 2) \
    PAIR(kind, name, length, C, jr, 1) PAIR(kind, name, length, C, ret, 1) PAIR(kind, name, length, M, lh, 2) PAIR(kind, name, length, M, lhu, 2) \
    PAIR(kind, name, length, M, sb, 2)
// clang-format on
#define ISS_PAIRS(PAIR) ISS_FIRSTS(ISS_PAIRS_OF, PAIR)
#define ISS_PAIRS_OF(PAIR, kind, name, length) ISS_SECONDS(PAIR, kind, name, length)
#define ISS_FIRST_INDEX(PAIR, kind, name, length) FIRST_##name##_##length,
#define ISS_SECOND_INDEX(kind, name, length, kind2, second, length2) SECOND_##second##_##length2,
enum { FIRST_NONE, ISS_FIRSTS(ISS_FIRST_INDEX, ) FIRST_END };
enum { SECOND_NONE, ISS_SECONDS(ISS_SECOND_INDEX, , , ) SECOND_END };
enum { SECOND_COUNT = SECOND_END - 1, PAIR_COUNT = (FIRST_END - 1) * SECOND_COUNT };
// Marked instructions (flow.h): the body of each is behind its own by so much.
enum { BODIES_MARKED = BODY_COUNT + PAIR_COUNT };

#endif
