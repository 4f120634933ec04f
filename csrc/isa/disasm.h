// Disassembly of RV64GC, by LLVM.
#ifndef TIPOFF_ISA_DISASM_H
#define TIPOFF_ISA_DISASM_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disasm;
struct disasm *disasm_create(struct error *err); // NULL with err
void disasm_destroy(struct disasm *d);           // NULL is fine
// Writes "addi a0, a0, 1" (branch targets as absolute addresses) and returns the instruction's length in bytes, 2 or 4;
// 0 if it is none, and writes its bits as ".word 0x..." or ".half 0x...". insn: as fetched.
size_t disasm_text(struct disasm *d, uint64_t pc, uint32_t insn, char *text, size_t size);
void disasm_data(uint32_t value, unsigned bytes, char *text, size_t size); // ".word 0x...", ".half 0x..."; 4 or 2 bytes

#endif
