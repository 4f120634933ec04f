// What a run leaves behind when it ends: the files, and the closing lines on the terminal.
#ifndef TIPOFF_HARNESS_SUMMARY_H
#define TIPOFF_HARNESS_SUMMARY_H

#include "harness/event_counters.h"
#include "harness/ideal.h"
#include "harness/memory.h"
#include "harness/sampler.h"
#include "harness/transfer_stacks.h"
#include "machine/harts.h"
#include "results.h"
#include "samples/samples.h"
#include "workers/workers.h"
#include <stdio.h>

struct summary {
    const struct machine_config *config;
    const char *program;
    uint32_t hart; // mhartid of the core
    uint64_t cycles, instructions;
    uint64_t from_cycle, from_instruction; // what was measured begins with these; 0: with reset
    uint64_t to_cycle;                     // ... and ends before this one; 0: with the run
    double seconds;                        // wall time of the run loop
    struct memory_counts memory;
    struct sampler_counts sampling;
    const struct event_counters *counters; // as read at the end
    const struct ideal *ideal;             // NULL: no part is
    const struct workers *workers;
    const struct transfer_stacks *transfers; // NULL: a collection keeps its own
    bool exited, interrupted, failed;
    uint64_t exit_code; // of the program
    const char *limit;  // the option that ended it, where nothing else did
    int status;         // of the run
};

// Statistics (JSON) to stats, the Oracle's profile (CSV) to profile, results and all profiles to the sample file, which
// its owner closes; NULLs are left out. False: err says what could not be written.
bool summary_write_files(const struct summary *summary, struct samples_writer *writer, const char *stats,
                         const char *profile, struct error *err);
// The statistics of several harts as those of one, by the rules of tables/results.tsv; but cycles are the run's.
struct together_part {
    uint64_t cycles, instructions;
};
struct together {
    struct results *results;             // so far; NULL: of none
    const struct machine_config *config; // the first one's
    unsigned count;
    uint64_t cycles, instructions; // sums
    struct together_part parts[MACHINE_MOST_HARTS];
};
void together_destroy(struct together *t);
// Harts in order, each once; then its file. False with err.
bool together_add(struct together *t, const struct summary *s, struct error *err);
bool together_write(const struct together *t, const struct summary *last, const char *path, struct error *err);
void summary_print(const struct summary *summary, FILE *out);

#endif
