// The calls that a Linux program was in when a signal killed it, found by running it again on the ISS.
#ifndef TIPOFF_CLI_LAST_CALLS_H
#define TIPOFF_CLI_LAST_CALLS_H

#include "analysis/analysis.h"
#include "iss/iss.h"

enum { LAST_CALLS = 16 };

// Addresses of the program's file.
struct last_calls {
    uint64_t from;              // of the jump, call or return to where the signal came; 0: not asked for, or not known
    uint64_t calls[LAST_CALLS]; // innermost first, up to that in main
    size_t count;               // 0: not known
    bool more;                  // there are further ones
};

// The machine at the program's first instruction, which prints nothing; NULL: it cannot be made. It is destroyed here.
typedef struct iss *last_calls_machine(void *context);
// note: where the signal came, as an address of the program's file; 0: outside of it, where a jump went wild. Nothing
// is known where the program runs longer than a billion instructions or ends otherwise on the ISS; no calls, where its
// frames are of no kind that is known here, or the program was not left by a call.
struct last_calls last_calls_find(last_calls_machine *again, void *context, const char *path,
                                  const struct program *program, uint64_t note);

#endif
