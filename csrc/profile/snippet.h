// Pipeline snippets: the way of a sampled instruction through the core, with some before and behind it.
#ifndef TIPOFF_PROFILE_SNIPPET_H
#define TIPOFF_PROFILE_SNIPPET_H

#include "profile/place.h"
#include <stddef.h>

#define SNIPPET_NEVER UINT64_MAX // cycle of what did not happen, or not before the run ended

// An instruction, or a micro-op of one. Stages as in the pipeline view (docs/guide/profiling.md): F from `fetched`, Q
// from `dispatched`, X from `issued`, C from `done`, each up to the next one or to `left`. Numbers of cycles, from
// reset.
struct snippet_row {
    uint64_t pc;
    uint32_t insn; // as fetched; 16-bit forms zero-extended
    uint16_t psv;  // its vector as it committed; 0 of one that was squashed
    bool squashed;
    uint64_t fetched, dispatched, issued, done;
    uint64_t left; // it committed, or was squashed
};

enum { SNIPPET_ROWS = 48 }; // at most
struct snippet {
    struct place place; // of the instruction that was sampled
    uint64_t cycle;     // of the trigger
    uint8_t state;      // that it was in, enum commit_state
    uint64_t triggers;  // of the run that sampled the instruction; the snippet is of one of them
    size_t count, row;  // rows, in program order; which of them it is
    struct snippet_row rows[SNIPPET_ROWS];
};

#endif
