// Compressed instructions (unprivileged manual, chapter "C"), and the 32-bit form of any.
#ifndef TIPOFF_ISA_RVC_H
#define TIPOFF_ISA_RVC_H

#include <stdint.h>

// The 32-bit instruction that a 16-bit one (bits 1:0 not 3) stands for; 0, which is illegal, for reserved
// encodings. HINTs become instructions that change nothing.
uint32_t rvc_expand(uint16_t insn);

// insn: as fetched; a 16-bit form zero-extended. The 32-bit instruction itself, or the one it expands to; 0: illegal.
static inline uint32_t insn_word(uint32_t insn) {
    return (insn & 3) == 3 ? insn : rvc_expand((uint16_t)insn);
}
static inline unsigned insn_bytes(uint32_t insn) {
    return (insn & 3) == 3 ? 4 : 2;
}
// Of a load, a store or an AMO, F and D included: the bytes of its access. They stand in funct3.
static inline unsigned insn_access_bytes(uint32_t insn) {
    return 1u << (insn_word(insn) >> 12 & 3);
}

#endif
