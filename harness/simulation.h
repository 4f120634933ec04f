// A whole run: loads model and program, runs, checks, samples, and leaves the files.
#ifndef TIPOFF_HARNESS_SIMULATION_H
#define TIPOFF_HARNESS_SIMULATION_H

#include "base/error.h"
#include "harness/event_counters.h"
#include <stdbool.h>
#include <stdint.h>

enum { EXIT_USAGE = 2, EXIT_DIFFERENCE = 3, EXIT_OUTPUT = 4, EXIT_CYCLES = 124 }; // besides the program's own status

struct simulation_options {
    const char *config_path; // config.json
    const char *model_path;  // model.so
    const char *program;     // ELF file
    const char *const *set;  // KEY=VALUE, for this run alone
    size_t set_count;
    const char *input;   // file that the UART receives, or NULL
    const char *command; // command line, for the files and for "rerun with"
    uint64_t max_cycles; // UINT64_MAX: no limit
    uint64_t period;     // cycles between samples; 0: none
    unsigned jitter_bits;
    uint64_t seed;
    const char *samples, *stats, *profile, *trace, *trace_format; // output files, or NULL
    bool samples_temporary;                                       // for the report only: nobody asked for the file
    const char *kanata;                                           // pipeline view, or NULL
    const char *trace_from, *trace_to; // edges of trace and pipeline view (trace/window.h), or NULL
    bool cosim, oracle, quiet;
    const struct event_counters *count; // events to count, or NULL
    const char *fst;                    // waveforms, or NULL
    uint64_t fst_from, fst_to;          // cycles, both included
};

// The exit status of the run. Where it is EXIT_USAGE, EXIT_DIFFERENCE or EXIT_OUTPUT, err holds the message.
int simulation_run(const struct simulation_options *options, struct error *err);

#endif
