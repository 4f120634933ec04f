// Machine code of the instructions that tests and the program around them are made of.
#ifndef TIPOFF_LITMUS_ENCODE_H
#define TIPOFF_LITMUS_ENCODE_H

#include "litmus/test.h"

// imm as in the encoding; of a branch or jump: bytes from it to its target. A load or store has no .aq and .rl.
uint32_t litmus_encode(const struct litmus_instruction *insn);

#endif
