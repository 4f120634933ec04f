// Stack frames of a function by the instructions that made them, because libraries of Debian's have no tables for it
// (.eh_frame).
#ifndef TIPOFF_CLI_FRAMES_H
#define TIPOFF_CLI_FRAMES_H

#include "analysis/analysis.h"

struct frame {
    int64_t bytes, ra; // of the stack; where the return address is, from the stack pointer at the function's entry
    bool keeps;        // ... it is saved
};
// What the function has made of it before its instruction `at`.
struct frame frames_at(const struct program *p, size_t at);
// The call that this address follows; or PROGRAM_NONE.
size_t frames_call_before(const struct program *p, uint64_t address);
bool frames_in_main(const struct program *p, size_t at);

#endif
