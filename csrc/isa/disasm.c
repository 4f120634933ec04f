// Disassembly by LLVM, with the targets of branches as addresses. Its library, whose loading takes longer than most
// commands, is loaded by the first disassembly of a process.
#include "isa/disasm.h"
#include "base/bytes.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include <dlfcn.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define LIBRARY_OF(version) "libLLVM-" TEXT_OF(version) ".so.1"
#define LIBRARY LIBRARY_OF(LLVM_VERSION_MAJOR)

// LLVM's functions that are called, with the types of its headers.
struct llvm {
    __typeof__(LLVMInitializeRISCVTargetInfo) *target_info;
    __typeof__(LLVMInitializeRISCVTargetMC) *target_mc;
    __typeof__(LLVMInitializeRISCVDisassembler) *disassembler;
    __typeof__(LLVMCreateDisasmCPUFeatures) *create;
    __typeof__(LLVMDisasmInstruction) *instruction;
    __typeof__(LLVMDisasmDispose) *dispose;
};

struct disasm {
    struct llvm llvm;
    LLVMDisasmContextRef context;
};

// The library stays in the process: the next disassembly finds it there.
static bool load(struct llvm *llvm, struct error *err) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        error_set(err, "disassembly: %s: install libllvm%d", dlerror(), LLVM_VERSION_MAJOR);
        return false;
    }
    llvm->target_info = dlsym(library, "LLVMInitializeRISCVTargetInfo");
    llvm->target_mc = dlsym(library, "LLVMInitializeRISCVTargetMC");
    llvm->disassembler = dlsym(library, "LLVMInitializeRISCVDisassembler");
    llvm->create = dlsym(library, "LLVMCreateDisasmCPUFeatures");
    llvm->instruction = dlsym(library, "LLVMDisasmInstruction");
    llvm->dispose = dlsym(library, "LLVMDisasmDispose");
    if (!llvm->target_info || !llvm->target_mc || !llvm->disassembler || !llvm->create || !llvm->instruction ||
        !llvm->dispose) {
        error_set(err, "disassembly: " LIBRARY " has no disassembler for RISC-V: install Debian's libllvm%d",
                  LLVM_VERSION_MAJOR);
        return false;
    }
    return true;
}

struct disasm *disasm_create(struct error *err) {
    struct llvm llvm;
    if (!load(&llvm, err)) return NULL;
    llvm.target_info();
    llvm.target_mc();
    llvm.disassembler();
    struct disasm *d = calloc(1, sizeof *d);
    if (d) {
        d->llvm = llvm;
        d->context = llvm.create("riscv64", "", "+m,+a,+f,+d,+c", NULL, 0, NULL, NULL);
    }
    if (d && d->context) return d;
    error_set(err, "disassembly: " LIBRARY " has no RISC-V target: install Debian's libllvm%d", LLVM_VERSION_MAJOR);
    free(d);
    return NULL;
}

void disasm_destroy(struct disasm *d) {
    if (!d) return;
    d->llvm.dispose(d->context);
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
    size_t length = d->llvm.instruction(d->context, bytes, width, pc, raw, sizeof raw);
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
