// The bodies that decoded instructions go to: one row each, from which the loop's tables and their indices are made.
//
// An instruction of 16 bits has the even index, one of 32 bits the odd one behind it: how far the next entry is from
// this one stands in the code. Kinds:
//   CONTROL: executes nothing; is not counted
//   COLD:    one function for both lengths
//   WARM:    one function for each length
//   MEMORY:  likewise, and one each for loads and stores that reach DRAM as they are, and for those that are translated
#ifndef TIPOFF_ISS_BODIES_H
#define TIPOFF_ISS_BODIES_H

// clang-format off
#define ISS_BODIES(CONTROL, COLD, WARM, MEMORY) \
    CONTROL(undecoded) CONTROL(page_end) CONTROL(straddle) \
    COLD(fetch_fault) COLD(illegal) COLD(marker) \
    COLD(ecall) COLD(ebreak) COLD(mret) COLD(sret) COLD(wfi) COLD(sfence_vma) COLD(fence_i) COLD(sctrclr) \
    COLD(csr) COLD(amo) COLD(fp) COLD(branch_far) \
    WARM(nop) WARM(li) WARM(mv) WARM(increment) WARM(accumulate) \
    WARM(auipc) WARM(jal) WARM(jal_far) WARM(j) WARM(jalr) WARM(jr) \
    WARM(beqz) WARM(bnez) WARM(beq) WARM(bne) WARM(blt) WARM(bge) WARM(bltu) WARM(bgeu) \
    WARM(addi) WARM(slti) WARM(sltiu) WARM(xori) WARM(ori) WARM(andi) WARM(slli) WARM(srli) WARM(srai) \
    WARM(add) WARM(sub) WARM(sll) WARM(slt) WARM(sltu) WARM(xor) WARM(srl) WARM(sra) WARM(or) WARM(and) \
    WARM(addiw) WARM(slliw) WARM(srliw) WARM(sraiw) WARM(addw) WARM(subw) WARM(sllw) WARM(srlw) WARM(sraw) \
    WARM(mul) WARM(mulh) WARM(mulhsu) WARM(mulhu) WARM(div) WARM(divu) WARM(rem) WARM(remu) \
    WARM(mulw) WARM(divw) WARM(divuw) WARM(remw) WARM(remuw) \
    MEMORY(lb) MEMORY(lh) MEMORY(lw) MEMORY(ld) MEMORY(lbu) MEMORY(lhu) MEMORY(lwu) \
    MEMORY(sb) MEMORY(sh) MEMORY(sw) MEMORY(sd) \
    MEMORY(flw) MEMORY(fld) MEMORY(fsw) MEMORY(fsd)
// clang-format on

#define ISS_BODY_INDEX(name) BODY_##name, BODY_##name##_wide,
enum iss_body { ISS_BODIES(ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX, ISS_BODY_INDEX) BODY_COUNT };
_Static_assert(BODY_undecoded == 0, "what a cleared entry goes to");

#endif
