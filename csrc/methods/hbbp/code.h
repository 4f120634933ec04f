// The code of a run as plain numbers: each instruction of each image once for each mode that it may run in, basic
// blocks on top of them. What samples, branch records and exact counts are booked to.
//
// Blocks are those of the program (analysis.h), cut where an indirect jump was seen to arrive.
#ifndef TIPOFF_METHODS_HBBP_CODE_H
#define TIPOFF_METHODS_HBBP_CODE_H

#include "analysis/analysis.h"

#define CODE_NONE UINT32_MAX
struct code_instruction {
    uint64_t pc; // as the file has it
    uint32_t insn;
    uint32_t block; // CODE_NONE before code_make_blocks
    uint32_t image; // number in images
    uint8_t mode;   // enum place_mode
    bool leads;     // a block begins here
    bool follows;   // the one before it is the one before it in memory, too, and in the same section
};
struct code_block {
    uint32_t first, count; // its instructions
    uint32_t retiring;     // of them: those that retire when they are executed (an ecall traps instead)
    bool falls;            // control may go on behind its last instruction
    bool conditional;      // ... which is a conditional branch
};
struct code {
    const struct images *images;
    struct code_instruction *instructions;
    size_t count;
    struct code_block *blocks; // of code_make_blocks
    size_t block_count;
    size_t *bases; // by image and mode: number of its first instruction; SIZE_MAX: none
};

struct code *code_create(const struct images *images, struct error *err); // images must outlive it. NULL with err
void code_destroy(struct code *c);                                        // NULL is fine
uint32_t code_find(const struct code *c, struct place place);             // CODE_NONE: no image has it
void code_split(struct code *c, uint32_t instruction);                    // before code_make_blocks
bool code_make_blocks(struct code *c, struct error *err);
const struct program *code_program(const struct code *c, uint32_t instruction);
const struct program_function *code_function(const struct code *c, uint32_t instruction);

#endif
