// Compressed instructions. Not for other libraries.
#ifndef TIPOFF_ISS_RVC_H
#define TIPOFF_ISS_RVC_H

#include <stdint.h>

// The 32-bit instruction that a 16-bit one (bits 1:0 not 3) stands for; 0, which is illegal, for reserved
// encodings. HINTs become instructions that change nothing.
uint32_t rvc_expand(uint16_t insn);

#endif
