// A pipeline trace, read to its end, as a sample file: the Oracle's profile of every cycle, and of each profiler what
// it would have said, all sampled in the same cycles.
#ifndef TIPOFF_IMPORT_IMPORTED_H
#define TIPOFF_IMPORT_IMPORTED_H

#include "base/notices.h"
#include "import/import.h"
#include "profile/sampling_settings.h"

struct import_options {
    const char *file, *samples;         // read; written
    const struct import_format *format; // NULL: found by the file's first line
    const char *program;                // ELF file of RISC-V, x86-64 or Arm64; NULL: addresses alone
    const char *dispatch;               // of import_format.read
    uint64_t clock;                     // ticks of a cycle; 0: found
    const char *layout;                 // of records of fixed size: layout.h; else NULL
    unsigned width;                     // that retire in a cycle at most, 1..MAX_LANES; 0: MAX_LANES, or the layout's
    struct sampling_settings sampling;  // period 0: nobody samples
    const char *command;                // that is typed into the file
    const struct notices *notices;
};
struct import_summary {
    const struct import_format *format;
    uint64_t cycles, clock, folded, samples; // clock: ticks of a cycle; folded: parts of instructions
    uint64_t retired, squashed, mispredictions, traps, replays, flushes;
    unsigned shows;  // enum import_shows
    double share[4]; // of the cycles, by enum commit_state
    uint64_t bytes;  // read, as unpacked; 0: not known
    double seconds;  // of the host
};
// 0, or a negative errno with err: -EIO of the output. A trace that ends in the midst is read up to there, with a
// notice.
int import_file(const struct import_options *options, struct import_summary *summary, struct error *err);

#endif
