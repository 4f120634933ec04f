// Disassembly by LLVM, with the targets of branches as addresses.
#include "isa/disasm.h"
#include "base/bytes.h"
#include "isa/control.h"
#include "isa/rvc.h"
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

void disasm_data(uint32_t value, unsigned bytes, char *text, size_t size) {
    snprintf(text, size, bytes == 4 ? ".word 0x%08x" : ".half 0x%04x", value);
}

size_t disasm_text(struct disasm *d, uint64_t pc, uint32_t insn, char *text, size_t size) {
    uint8_t bytes[4];
    char raw[128];
    bytes_put(bytes, insn, 4);
    size_t width = insn_bytes(insn);
    size_t length = LLVMDisasmInstruction(d->context, bytes, width, pc, raw, sizeof raw);
    if (length == 0) {
        disasm_data(insn, (unsigned)width, text, size);
        return 0;
    }
    uint64_t target;
    if (control_target(pc, insn, &target)) { // LLVM prints the distance only
        char *last = strrchr(raw, ',');
        char *operand = last ? last + 1 : strrchr(raw, '\t');
        if (operand)
            snprintf(operand, sizeof raw - (size_t)(operand - raw), "%s0x%llx", last ? " " : "\t",
                     (unsigned long long)target);
    }
    tidy(raw, text, size);
    return length;
}
