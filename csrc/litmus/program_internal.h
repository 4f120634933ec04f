// What the program's code and its rows share. Not for other files.
#ifndef TIPOFF_LITMUS_PROGRAM_INTERNAL_H
#define TIPOFF_LITMUS_PROGRAM_INTERNAL_H

#include "litmus/program.h"

// Of a row: words 0 to 31 are registers before, 32 to 63 after. READS and OWNS: addresses that the thread reads, and
// that it writes without changing them, before the barrier: so caches hold the locations in any state. Those that there
// are none for are the row's IDLE.
enum { ROW_AFTER = 32, ROW_NEXT = 64, ROW_BARRIER, ROW_DELAY, ROW_READS, ROW_PRIMES = 4 };
enum { ROW_OWNS = ROW_READS + ROW_PRIMES, ROW_IDLE = ROW_OWNS + ROW_PRIMES, ROW_WORDS = 80 };
enum { CODE_BYTES = 32768, ARRIVED = CODE_BYTES, ENDED = CODE_BYTES + 64, ROWS = CODE_BYTES + 4096 };

static inline uint64_t litmus_row_offset(const struct litmus_program *p, unsigned thread, unsigned iteration) {
    return ROWS + ((uint64_t)thread * p->iterations + iteration) * ROW_WORDS * 8;
}

// hart: of each thread.
void litmus_program_code(const struct litmus_program *p, const struct litmus_test *t,
                         const unsigned hart[LITMUS_THREADS]);
// Whether the thread leaves no register to the program around it.
bool litmus_program_full(const struct litmus_test *t, unsigned thread);

#endif
