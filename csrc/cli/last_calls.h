// The calls that a Linux program was in when a signal killed it, found by running it again on the ISS.
#ifndef TIPOFF_CLI_LAST_CALLS_H
#define TIPOFF_CLI_LAST_CALLS_H

#include "analysis/analysis.h"
#include "iss/iss.h"

enum { LAST_CALLS = 16 };

// The machine at the program's first instruction, which prints nothing; NULL: it cannot be had. It is destroyed here.
typedef struct iss *last_calls_machine(void *context);
// note: where the signal came, as an address of the program's file. Puts the addresses of the calls, of the file, too,
// innermost first, up to that in main; returns how many. 0: not known: the program runs longer than a billion
// instructions, ends otherwise on the ISS, or its frames are of no kind that is known here.
size_t last_calls_find(last_calls_machine *again, void *context, const struct program *program, uint64_t note,
                       uint64_t calls[LAST_CALLS]);

#endif
