// A whole run: loads model and program, runs, checks, samples, and leaves the files.
#ifndef TIPOFF_HARNESS_SIMULATION_H
#define TIPOFF_HARNESS_SIMULATION_H

#include "base/error.h"
#include "harness/event_counters.h"
#include "harness/memory_dump.h"
#include <stdbool.h>
#include <stdint.h>

enum { EXIT_USAGE = 2, EXIT_DIFFERENCE = 3, EXIT_CYCLES = 124 }; // besides the program's own status

struct simulation_options {
    const char *config_path; // config.json
    const char *model_path;  // model.so
    const char *program;     // ELF file
    const char *input;       // file that the UART receives, or NULL
    const char *command;     // command line, for the files and for "rerun with"
    uint64_t max_cycles;     // UINT64_MAX: no limit
    uint64_t period;         // cycles between samples; 0: none
    bool follow_program;     // sample whenever the program's own sampling counter overflows; period is 0 then
    unsigned jitter_bits;
    uint64_t seed;
    const char *samples, *stats, *profile, *trace, *trace_format; // output files, or NULL
    const char *kanata;                                           // pipeline view, or NULL
    const char *trace_from, *trace_to; // edges of trace and pipeline view (trace/window.h), or NULL
    bool cosim, oracle, quiet;
    const struct event_counters *count; // events to count, or NULL
    struct memory_dumps *dumps;         // parts of memory to write out at the end, or NULL
    const char *fst;                    // waveforms, or NULL
    uint64_t fst_from, fst_to;          // cycles, both included
};

// The exit status of the run (design/4 section 7). Where it is EXIT_USAGE or EXIT_DIFFERENCE, err holds the message.
int simulation_run(const struct simulation_options *options, struct error *err);

#endif
