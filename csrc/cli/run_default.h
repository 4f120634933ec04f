// What `tipoff run PROGRAM` and `tipoff linux -- PROGRAM` do where nothing is asked of them: sample, as perf record
// does, and say how the samples become a report.
#ifndef TIPOFF_CLI_RUN_DEFAULT_H
#define TIPOFF_CLI_RUN_DEFAULT_H

#include "cli/run_options.h"
#include <limits.h>

struct run_default {
    bool on;             // the run samples of itself
    bool began;          // files are written
    bool hint;           // it does not, and its user may want to know how: at its end
    uint64_t taken;      // samples, of all harts
    unsigned harts;      // files: one, or as many as this where it is more than 1 (run_harts_file)
    char path[PATH_MAX]; // PROGRAM.tips in the current folder
    unsigned moved;      // bits: of the harts whose file of before is PROGRAM.tips.old now
};

// Decides, and makes a's options sample. program: what the file is named after; NULL: nothing is sampled of itself.
// False with err: a file of that name exists, and is no sample file. d lives as long as the run, which calls back
// when files of before are to make room.
bool run_default_choose(struct run_default *d, struct run_options *a, const char *program, struct error *err);
// After it: the last line, on stderr. good: it has left all that it was to leave. Where there is no sample file, the
// one of before is back.
void run_default_end(const struct run_default *d, bool good);

#endif
