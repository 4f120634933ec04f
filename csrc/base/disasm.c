// Disassembly by LLVM, with the targets of branches as addresses.
#include "base/disasm.h"
#include "base/bytes.h"
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct disasm {
    LLVMDisasmContextRef context;
};

struct disasm *disasm_create(struct error *err) {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
    struct disasm *d = calloc(1, sizeof *d);
    if (d) d->context = LLVMCreateDisasmCPUFeatures("riscv64", "", "+m,+a,+f,+d,+c", NULL, 0, NULL, NULL);
    if (d && d->context) return d;
    error_set(err, "disassembly: LLVM has no RISC-V target: install llvm-14-dev");
    free(d);
    return NULL;
}

void disasm_destroy(struct disasm *d) {
    if (!d) return;
    LLVMDisasmDispose(d->context);
    free(d);
}

// LLVM's text is "\taddi\ta0, a0, 1": one space after the mnemonic instead, and none where nothing follows.
static void tidy(const char *raw, char *text, size_t size) {
    size_t n = 0;
    while (*raw == '\t' || *raw == ' ')
        raw++;
    for (; *raw && n + 1 < size; raw++)
        text[n++] = *raw == '\t' ? ' ' : *raw;
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
}

// Direct branches and jumps: where they go. LLVM prints the distance only.
static bool branch_offset(uint32_t i, int64_t *offset) {
    uint32_t opcode = i & 0x7f;
    if (opcode == 0x63) {
        uint32_t u = (i >> 31) << 12 | (i >> 7 & 1) << 11 | (i >> 25 & 0x3f) << 5 | (i >> 8 & 0xf) << 1;
        *offset = (int64_t)((int32_t)(u << 19) >> 19);
        return true;
    }
    if (opcode == 0x6f) {
        uint32_t u = (i >> 31) << 20 | (i >> 12 & 0xff) << 12 | (i >> 20 & 1) << 11 | (i >> 21 & 0x3ff) << 1;
        *offset = (int64_t)((int32_t)(u << 11) >> 11);
        return true;
    }
    uint32_t c = i & 0xe003;
    if ((i & 3) != 3 && c == 0xa001) { // c.j
        uint32_t u = (i >> 12 & 1) << 11 | (i >> 8 & 1) << 10 | (i >> 9 & 3) << 8 | (i >> 6 & 1) << 7 |
                     (i >> 7 & 1) << 6 | (i >> 2 & 1) << 5 | (i >> 11 & 1) << 4 | (i >> 3 & 7) << 1;
        *offset = (int64_t)((int32_t)(u << 20) >> 20);
        return true;
    }
    if ((i & 3) != 3 && (c == 0xc001 || c == 0xe001)) { // c.beqz, c.bnez
        uint32_t u =
            (i >> 12 & 1) << 8 | (i >> 5 & 3) << 6 | (i >> 2 & 1) << 5 | (i >> 10 & 3) << 3 | (i >> 3 & 3) << 1;
        *offset = (int64_t)((int32_t)(u << 23) >> 23);
        return true;
    }
    return false;
}

void disasm_data(uint32_t value, unsigned bytes, char *text, size_t size) {
    snprintf(text, size, bytes == 4 ? ".word 0x%08x" : ".half 0x%04x", value);
}

size_t disasm_text(struct disasm *d, uint64_t pc, uint32_t insn, char *text, size_t size) {
    uint8_t bytes[4];
    char raw[128];
    bytes_put(bytes, insn, 4);
    size_t width = (insn & 3) == 3 ? 4 : 2;
    size_t length = LLVMDisasmInstruction(d->context, bytes, width, pc, raw, sizeof raw);
    if (length == 0) {
        disasm_data(insn, (unsigned)width, text, size);
        return 0;
    }
    int64_t offset;
    if (branch_offset(insn, &offset)) {
        char *last = strrchr(raw, ',');
        char *operand = last ? last + 1 : strrchr(raw, '\t');
        if (operand)
            snprintf(operand, sizeof raw - (size_t)(operand - raw), "%s0x%llx", last ? " " : "\t",
                     (unsigned long long)(pc + (uint64_t)offset));
    }
    tidy(raw, text, size);
    return length;
}
