// The decoder against an independent one, LLVM's: each of the 49152 compressed encodings, and random 32-bit words.
#include "instructions.h"
#include "isa/rvc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

static const struct insn_info rows[] = {INSN_INFO_ROWS};
static LLVMDisasmContextRef llvm;

static int set_up(void **state) {
    (void)state;
    const char *const arguments[] = {"test_decode", "-riscv-no-aliases"};
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
    LLVMParseCommandLineOptions(2, arguments, "");
    llvm = LLVMCreateDisasmCPUFeatures("riscv64", "", "+m,+a,+c,+f,+d", NULL, 0, NULL, NULL);
    return llvm ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    LLVMDisasmDispose(llvm);
    return 0;
}

// "addi\ta0, a1, 5"; false: no such instruction.
static bool disassemble(uint32_t insn, unsigned bytes, char *text, size_t size) {
    uint8_t memory[4] = {(uint8_t)insn, (uint8_t)(insn >> 8), (uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
    char line[128];
    if (LLVMDisasmInstruction(llvm, memory, bytes, 0, line, sizeof line) != bytes) return false;
    for (size_t end = strlen(line); end > 0 && line[end - 1] == '\t'; end--) // after a name without operands
        line[end - 1] = '\0';
    snprintf(text, size, "%s", line + strspn(line, "\t "));
    return true;
}

// The manual's table: what each compressed form stands for. A and B are its first and second operand, M a whole
// "offset(base)".
static const struct form {
    const char *name, *means;
} forms[] = {
    {"c.addi4spn", "addi\tA, B, C"},
    {"c.lw", "lw\tA, B"},
    {"c.ld", "ld\tA, B"},
    {"c.sw", "sw\tA, B"},
    {"c.sd", "sd\tA, B"},
    {"c.lwsp", "lw\tA, B"},
    {"c.ldsp", "ld\tA, B"},
    {"c.swsp", "sw\tA, B"},
    {"c.sdsp", "sd\tA, B"},
    {"c.fld", "fld\tA, B"},
    {"c.fsd", "fsd\tA, B"},
    {"c.fldsp", "fld\tA, B"},
    {"c.fsdsp", "fsd\tA, B"},
    {"c.addi", "addi\tA, A, B"},
    {"c.addiw", "addiw\tA, A, B"},
    {"c.li", "addi\tA, zero, B"},
    {"c.addi16sp", "addi\tA, A, B"},
    {"c.lui", "lui\tA, B"},
    {"c.srli", "srli\tA, A, B"},
    {"c.srai", "srai\tA, A, B"},
    {"c.andi", "andi\tA, A, B"},
    {"c.slli", "slli\tA, A, B"},
    {"c.sub", "sub\tA, A, B"},
    {"c.xor", "xor\tA, A, B"},
    {"c.or", "or\tA, A, B"},
    {"c.and", "and\tA, A, B"},
    {"c.subw", "subw\tA, A, B"},
    {"c.addw", "addw\tA, A, B"},
    {"c.mv", "add\tA, zero, B"},
    {"c.add", "add\tA, A, B"},
    {"c.j", "jal\tzero, A"},
    {"c.beqz", "beq\tA, zero, B"},
    {"c.bnez", "bne\tA, zero, B"},
    {"c.jr", "jalr\tzero, 0(A)"},
    {"c.jalr", "jalr\tra, 0(A)"},
    {"c.ebreak", "ebreak"},
    // shifts by 0, which LLVM gives names of their own: HINTs
    {"c.srli64", "srli\tA, A, 0"},
    {"c.srai64", "srai\tA, A, 0"},
    {"c.slli64", "slli\tA, A, 0"},
};

static void expected_expansion(char *text, char *out) {
    char *operands[3] = {"", "", ""}, *rest = NULL;
    const char *name = strtok_r(text, "\t", &rest);
    for (int i = 0; i < 3; i++) {
        char *operand = strtok_r(NULL, ", ", &rest);
        if (operand) operands[i] = operand;
    }
    char upper[16]; // LLVM writes the immediate of lui's HINTs signed, else unsigned
    if (strcmp(name, "c.lui") == 0) {
        snprintf(upper, sizeof upper, "%ld", strtol(operands[1], NULL, 10) & 0xfffff);
        operands[1] = upper;
    }
    if (strcmp(name, "c.nop") == 0) { // with an operand: a HINT
        sprintf(out, "addi\tzero, zero, %s", *operands[0] ? operands[0] : "0");
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(name, forms[i].name) != 0) continue;
        for (const char *p = forms[i].means; *p; p++) {
            if (*p >= 'A' && *p <= 'C') {
                out = stpcpy(out, operands[*p - 'A']);
            } else {
                *out++ = *p;
            }
        }
        *out = '\0';
        return;
    }
    sprintf(out, "no form %s", name);
}

// c.lui with an immediate of 0 is reserved; LLVM takes it.
static bool is_lui_zero(uint32_t insn) {
    return (insn & 0xf07f) == 0x6001;
}

static void test_compressed(void **state) {
    (void)state;
    unsigned legal = 0, illegal = 0;
    for (uint32_t insn = 0; insn < 0x10000; insn++) {
        if ((insn & 3) == 3) continue;
        char theirs[128], expected[160], ours[128] = "";
        uint32_t expanded = rvc_expand((uint16_t)insn);
        bool known = disassemble(insn, 2, theirs, sizeof theirs);
        if (!known || strcmp(theirs, "c.unimp") == 0 || is_lui_zero(insn)) {
            if (expanded != 0) fail_msg("0x%04x: expands to 0x%08x, is reserved", insn, expanded);
            illegal++;
            continue;
        }
        expected_expansion(theirs, expected);
        disassemble(expanded, 4, ours, sizeof ours);
        if (strcmp(ours, expected) != 0) fail_msg("0x%04x: expands to '%s', should be '%s'", insn, ours, expected);
        legal++;
    }
    assert_int_equal(legal + illegal, 3 * 0x4000);
    assert_in_range(legal, 46000, 48000);
}

static uint32_t random_word(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

// What LLVM's assembler language has and the table has not.
static bool is_absent(const char *name) {
    static const char *const absent[] = {
        "uret",        "dret",        "sinval.vma",  "sfence.w.inval", "sfence.inval.ir",
        "hfence.vvma", "hfence.gvma", "hinval.vvma", "hinval.gvma"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        if (strcmp(name, absent[i]) == 0) return true;
    }
    return name[0] == 'h' && (name[1] == 'l' || name[1] == 's'); // hlv, hlvx, hsv
}

static void check_word(uint32_t insn) {
    enum insn_op op = insn_decode(insn);
    char theirs[128] = "";
    bool known = disassemble(insn, 4, theirs, sizeof theirs);
    theirs[strcspn(theirs, "\t ")] = '\0';
    if (known && is_absent(theirs)) known = false;
    if (strcmp(theirs, "fence.tso") == 0) strcpy(theirs, "fence");
    const char *ours = op == INSN_ILLEGAL ? "" : rows[op].name;
    if (!known) {
        // Reserved fields of fences are to be ignored; LLVM refuses them.
        bool fence = op == INSN_FENCE || op == INSN_FENCE_I;
        // Rounding modes 5 and 6 are found out when the instruction executes: test_fp_hart.
        // Exact conversions have one, too, as all; LLVM 14 takes 0 only.
        bool exact = op == INSN_FCVT_D_W || op == INSN_FCVT_D_WU || op == INSN_FCVT_D_S;
        bool no_mode = rows[op].rounds && (exact || (insn >> 12 & 7) == 5 || (insn >> 12 & 7) == 6);
        bool newer = op == INSN_SCTRCLR; // than LLVM 14
        if (op != INSN_ILLEGAL && !fence && !no_mode && !newer)
            fail_msg("0x%08x: is '%s', should be illegal", insn, ours);
        return;
    }
    theirs[strcspn(theirs, "\t ")] = '\0';
    size_t length = strlen(ours); // theirs may go on with .aq, .rl, .aqrl
    bool same = length && strncmp(theirs, ours, length) == 0 && (theirs[length] == '\0' || rows[op].unit == UNIT_AMO);
    if (!same) fail_msg("0x%08x: is '%s', should be '%s'", insn, ours, theirs);
}

static void test_words(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 400000; i++)
        check_word(random_word(&seed) | 3);
    // Around each row: a bit or two of the fixed ones is wrong, the others are random.
    for (unsigned op = 1; op < INSN_COUNT; op++) {
        for (int i = 0; i < 2000; i++) {
            uint32_t insn = rows[op].match | (random_word(&seed) & ~rows[op].mask);
            assert_int_equal(insn_decode(insn), rows[op].hint ? INSN_ORI : op); // to the ISS a prefetch is what it was
            check_word(insn);
            check_word((insn ^ 1u << (random_word(&seed) % 30 + 2)) | 3);
            check_word((insn ^ 1u << (random_word(&seed) % 30 + 2) ^ 1u << (random_word(&seed) % 30 + 2)) | 3);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
