// A whole run: loads model and program, runs, checks, samples, and leaves the files.
#ifndef TIPOFF_HARNESS_SIMULATION_H
#define TIPOFF_HARNESS_SIMULATION_H

#include "base/error.h"
#include "harness/event_counters.h"
#include "workers/requests.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    EXIT_USAGE = 2,
    EXIT_DIFFERENCE = 3,
    EXIT_NO_PROGRESS = 5,
    EXIT_CYCLES = 124
}; // besides the program's own status

struct simulation_options {
    const char *config_path; // config.json
    const char *model_path;  // model.so
    const char *program;     // ELF file
    const char *input;       // file that the UART receives, or NULL
    const char *command;     // command line, for the files and for "rerun with"
    uint64_t max_cycles;     // UINT64_MAX: no limit
    uint64_t period;         // cycles between samples; 0: none
    unsigned jitter_bits;
    uint64_t seed;
    const char *samples, *stats, *profile; // output files, or NULL
    bool cosim, oracle, quiet;
    const struct worker_requests *workers; // that run beside those of cosim and oracle
    const struct event_counters *count;    // events to count, or NULL
    const char *fst;                       // waveforms, or NULL
    uint64_t fst_from, fst_to;             // cycles, both included
};

// The exit status of the run (design/4 section 7). Where it is EXIT_USAGE or EXIT_DIFFERENCE, err holds the message.
int simulation_run(const struct simulation_options *options, struct error *err);

#endif
