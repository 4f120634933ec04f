// Pipeline traces of other cores: from what their models write to what the Oracle and the profilers are fed.
//
// A format has of each instruction when it was fetched, dispatched, finished and left (struct import_life). Put into
// the order of fetch, with times in cycles, and with the cause of every squash (fates.h), these become commit bundles
// (bundles.h), as a core of ours shows them. Another format is one file and one line in registry.c.
#ifndef TIPOFF_IMPORT_IMPORT_H
#define TIPOFF_IMPORT_IMPORT_H

#include "base/error.h"
#include "import/lines.h"
#include <stdbool.h>
#include <stdint.h>

#define IMPORT_NEVER UINT64_MAX // it did not come to that, or the format does not say

struct import_life { // of one instruction, or of a part of one
    uint64_t number; // in the order of fetch; the writer's, given once
    uint64_t pc;     // IMPORT_NEVER: not known, of one that was squashed before it was dispatched
    unsigned part;   // 0: an instruction, or its first part; above: a further part of the one before
    uint64_t fetched, dispatched, done,
        left;           // in the writer's ticks; dispatched: it is in the ROB from the next cycle on
    bool retired;       // it left so; else it was squashed, and `left` may be IMPORT_NEVER
    const char *text;   // as its writer shows it, until it is taken; NULL: not at all
    bool control, load; // by its text, a branch or jump, something that reads memory; without text it may be both
};

// What a trace can distinguish.
enum import_shows {
    IMPORT_FLUSHED = 1,  // time after a squash from other time with an empty ROB
    IMPORT_DRAINED = 2,  // an empty ROB from a head that waits
    IMPORT_DISPATCH = 4, // what is dispatched: for Dispatch, IBS and SPE
    IMPORT_FETCH = 8,    // ... fetched: for Fetch and RIS
    IMPORT_EVENTS = 16,  // the events of an instruction
    IMPORT_MODES = 32,   // mode and address space
};

// Called with each life, as the format has it; false with err ends the reading.
typedef bool import_take(void *context, const struct import_life *life, struct error *err);

struct import_format {
    const char *name, *text; // text: who writes it, in one line
    unsigned shows;          // enum import_shows
    const char *begins;      // how a file's first line begins, by which it is known; NULL: it is to be named
    bool cycles;             // its ticks are cycles
    // Reads to the end. 0, or a negative errno with err, which names the line. A file that ends in the midst of a line
    // or of an instruction is read up to there.
    // dispatch: the stage that an instruction begins as it enters the ROB, in formats that leave the names of stages to
    // the writer; NULL: as those of known writers are called.
    // read is NULL of a format that has cycles, and not lives (fields.h).
    int (*read)(struct lines *lines, const char *dispatch, import_take *take, void *context, struct error *err);
};

extern const struct import_format *const import_registry[];
extern const unsigned import_registry_count;
// By its name; NULL: no such format.
const struct import_format *import_format_named(const char *name);
// By the first line of a file; NULL: it is of none.
const struct import_format *import_format_of(const char *line);

#endif
