// The bodies that decoded instructions go to: one row each, from which the loop's tables and their indices are made.
//
// An instruction of 16 bits has the even index, one of 32 bits the odd one behind it: how far the next entry is from
// this one stands in the code. Kinds:
//   CONTROL: executes nothing; is not counted
//   ONE:     one function: of instructions that have but one length, or are rare
//   TWO:     one function for each length
//   MEMORY:  likewise, and one each for loads and stores that reach DRAM as they are, and for those that are translated
#ifndef TIPOFF_ISS_BODIES_H
#define TIPOFF_ISS_BODIES_H

// clang-format off
#define ISS_BODIES(CONTROL, ONE, TWO, MEMORY) \
    CONTROL(undecoded) CONTROL(page_end) CONTROL(straddle) \
    ONE(fetch_fault) ONE(illegal) ONE(marker) \
    ONE(ecall) ONE(ebreak) ONE(mret) ONE(sret) ONE(wfi) ONE(sfence_vma) ONE(fence_i) ONE(sctrclr) \
    ONE(csr) ONE(amo) ONE(branch_far) \
    ONE(fp) ONE(fadd_s) ONE(fsub_s) ONE(fmul_s) ONE(fdiv_s) ONE(fadd_d) ONE(fsub_d) ONE(fmul_d) ONE(fdiv_d) \
    ONE(fmadd_s) ONE(fmsub_s) ONE(fnmsub_s) ONE(fnmadd_s) ONE(fmadd_d) ONE(fmsub_d) ONE(fnmsub_d) ONE(fnmadd_d) \
    ONE(fsgnj_s) ONE(fsgnjn_s) ONE(fsgnjx_s) ONE(fsgnj_d) ONE(fsgnjn_d) ONE(fsgnjx_d) \
    ONE(feq_s) ONE(flt_s) ONE(fle_s) ONE(feq_d) ONE(flt_d) ONE(fle_d) \
    ONE(fmv_x_w) ONE(fmv_x_d) ONE(fmv_w_x) ONE(fmv_d_x) ONE(fcvt_d_w) ONE(fcvt_d_l) ONE(fcvt_s_w) ONE(fcvt_s_l) \
    ONE(fcvt_w_d) ONE(fcvt_l_d) ONE(fcvt_s_d) ONE(fcvt_d_s) \
    TWO(nop) TWO(li) TWO(mv) TWO(increment) TWO(accumulate) \
    TWO(auipc) TWO(jal) TWO(jal_far) TWO(j) TWO(jalr) TWO(jr) \
    TWO(beqz) TWO(bnez) TWO(beq) TWO(bne) TWO(blt) TWO(bge) TWO(bltu) TWO(bgeu) \
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
enum iss_body { ISS_BODIES(ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX) BODY_COUNT };
_Static_assert(BODY_undecoded == 0, "what a cleared entry goes to");

#endif
