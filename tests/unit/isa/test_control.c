// Where direct branches and jumps go: by hand, and for every 16-bit and many 32-bit encodings as LLVM prints them.
#include "isa/control.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

static void test_branches(void **state) {
    (void)state;
    static const struct {
        uint32_t insn;
        bool direct;
        int64_t distance;
    } cases[] = {
        {0x00000063, true, 0},        // beq x0, x0, .
        {0xfe051ee3, true, -4},       // bne a0, x0, -4
        {0x7e000fe3, true, 4094},     // beq, farthest forward: imm[11] (bit 7) is set
        {0x80000063, true, -4096},    // beq, farthest back
        {0x010000ef, true, 16},       // jal ra, +16
        {0x7ffff06f, true, 1048574},  // jal, farthest forward
        {0x8000006f, true, -1048576}, // jal, farthest back
        {0xa001, true, 0},            // c.j .
        {0xbfed, true, -6},           // c.j -6
        {0xc191, true, 4},            // c.beqz a1, +4
        {0xfdfd, true, -2},           // c.bnez a1, -2
        {0x00008067, false, 0},       // ret
        {0x8082, false, 0},           // c.jr ra
        {0x9082, false, 0},           // c.jalr ra
        {0x00000073, false, 0},       // ecall
        {0x00000013, false, 0},       // nop
        {0x0001, false, 0},           // c.nop
        {0x00003003, false, 0},       // ld
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t target = 0;
        assert_int_equal(control_target(0x80001000, cases[i].insn, &target), cases[i].direct);
        if (cases[i].direct) assert_int_equal(target, 0x80001000 + (uint64_t)cases[i].distance);
    }
}

// What LLVM says of it: the last operand of a branch or jump without a register after it. False: it is none of these.
static bool llvm_target(LLVMDisasmContextRef llvm, uint64_t pc, uint32_t insn, uint64_t *target) {
    uint8_t bytes[4] = {(uint8_t)insn, (uint8_t)(insn >> 8), (uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
    char text[128];
    if (!LLVMDisasmInstruction(llvm, bytes, (insn & 3) == 3 ? 4 : 2, pc, text, sizeof text)) return false;
    static const char *const names[] = {"beq",  "bne",  "blt",  "bge", "bltu", "bgeu", "beqz",   "bnez",  "blez",
                                        "bgez", "bltz", "bgtz", "j",   "jal",  "c.j",  "c.beqz", "c.bnez"};
    char name[16] = "";
    sscanf(text, " %15[a-z.]", name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        const char *last = strrchr(text, ' ');
        *target = pc + (uint64_t)strtoll((last ? last : strrchr(text, '\t')) + 1, NULL, 0);
        return true;
    }
    return false;
}

static void test_against_llvm(void **state) {
    (void)state;
    const uint64_t pc = 0x80001000;
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
    LLVMDisasmContextRef llvm = LLVMCreateDisasmCPUFeatures("riscv64", "", "+m,+a,+c,+f,+d", NULL, 0, NULL, NULL);
    unsigned direct = 0;
    srand(1);
    for (uint32_t i = 0; i < 0x10000 + 100000; i++) {
        const uint32_t major = rand() % 2 ? 0x63 : 0x6f;
        const uint32_t insn = i < 0x10000 ? i : ((uint32_t)rand() << 16 ^ (uint32_t)rand() << 7) | major;
        if (i < 0x10000 && (i & 3) == 3) continue;
        uint64_t theirs = 0, ours = 0;
        const bool is = llvm_target(llvm, pc, insn, &theirs);
        if (control_target(pc, insn, &ours) != is || ours != theirs)
            fail_msg("0x%08x: 0x%llx, LLVM 0x%llx", insn, (unsigned long long)ours, (unsigned long long)theirs);
        direct += is;
    }
    assert_true(direct > 50000);
    LLVMDisasmDispose(llvm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_against_llvm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
