// Stack frames by the instructions that made them: see frames.h.
//
//   addi sp, sp, -N     a frame of N bytes; or add or sub, of a constant that lui, addi and addiw have made
//   sd   ra, M(sp)      its return address, which has to follow a call
#include "cli/frames.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include <string.h>

// Constants that a function's beginning makes in registers, for a frame larger than an immediate.
struct constants {
    uint32_t known; // by register; zero is
    int64_t of[32];
};

static void follow(struct constants *c, uint32_t word) {
    enum { LUI = 0x37, ADDI = 0x13, ADDIW = 0x1b, STORE = 0x23, FP_STORE = 0x27, BRANCH = 0x63 };
    const unsigned opcode = word & 0x7f, rd = word >> 7 & 31, from = word >> 15 & 31;
    if (opcode == STORE || opcode == FP_STORE || opcode == BRANCH || rd == 0) return;
    const bool adds = (opcode == ADDI || opcode == ADDIW) && (word >> 12 & 7) == 0 && (c->known >> from & 1);
    const int64_t sum = c->of[from] + ((int32_t)word >> 20);
    c->known &= ~(1u << rd);
    if (opcode != LUI && !adds) return;
    c->known |= 1u << rd;
    c->of[rd] = opcode == LUI ? (int32_t)(word & 0xfffff000) : opcode == ADDI ? sum : (int32_t)sum;
}

// By how much the instruction moves the stack pointer down; 0: not at all, or up, as a function's end does.
static int64_t moves_down(const struct constants *c, uint32_t word) {
    const unsigned other = word >> 20 & 31, first = word >> 15 & 31;
    const int64_t constant = c->known >> other & 1 ? c->of[other] : 0;
    int64_t down = 0;
    if ((word & 0xfffff) == 0x10113) down = -((int32_t)word >> 20);   // addi sp, sp, -N
    if ((word & 0xfe0fffff) == 0x00010133) down = -constant;          // add sp, sp, rs2
    if ((word & 0xfe0fffff) == 0x40010133) down = constant;           // sub sp, sp, rs2
    if ((word & 0xfff07fff) == 0x00200133 && (c->known >> first & 1)) // add sp, rs1, sp
        down = -c->of[first];
    return down > 0 ? down : 0;
}

struct frame frames_at(const struct program *p, size_t at) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &count);
    struct frame frame = {0};
    struct constants constants = {.known = 1};
    for (size_t k = f[i[at].function].first; k < at; k++) {
        const uint32_t word = insn_word(i[k].insn);
        frame.bytes += moves_down(&constants, word);
        follow(&constants, word);
        if ((word & 0x1fff07f) != 0x113023) continue; // sd ra, M(sp)
        frame.keeps = true;
        frame.ra = ((int32_t)word >> 25) * 32 + (int32_t)(word >> 7 & 31) - frame.bytes;
    }
    return frame;
}

size_t frames_call_before(const struct program *p, uint64_t address) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    for (unsigned bytes = 2; bytes <= 4; bytes += 2) {
        const size_t at = program_find(p, address - bytes);
        if (at == PROGRAM_NONE || i[at].bytes != bytes || i[at].pc != address - bytes) continue;
        if (control_kind_of(i[at].insn) == CONTROL_CALL) return at;
    }
    return PROGRAM_NONE;
}

bool frames_in_main(const struct program *p, size_t at) {
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    return strcmp(program_functions(p, &count)[i[at].function].symbol, "main") == 0;
}
