// What the command line of `tipoff run` says.
#ifndef TIPOFF_CLI_RUN_OPTIONS_H
#define TIPOFF_CLI_RUN_OPTIONS_H

#include "cli/failure.h"
#include "cli/run_harts.h"
#include "harness/simulation.h"
#include <argp.h>

struct run_options {
    struct simulation_options run;
    const char *config;
    unsigned harts;                                                    // 0: one
    const char *threads;                                               // as it was typed; NULL: not
    struct run_kinds kinds;                                            // of them
    const char *trace, *trace_format, *kanata, *trace_from, *trace_to; // short for workers, or NULL
    struct worker_requests *workers;
    struct event_counters count;
    struct instruction_settings profileme;
    const char *set[SETTINGS_MOST];
    struct memory_dumps dumps;
    bool unsampled;                                        // --period none
    bool jitter, fixed, jitter_kind, fractional, snippets; // fixed: --jitter=none
    char around[1024];                   // position that traces and waveforms are written around; "": they are not
    uint64_t around_cycles;              // before and after it
    char around_from[24], around_to[24]; // edges of that region, as options take them
};

extern const struct argp_option run_option_table[];
// The parser; its input is a struct run_options whose list of workers there is.
error_t run_options_parse(int key, char *arg, struct argp_state *state);
// No output is an input, or another output; false with err.
bool run_options_check_files(const struct run_options *a, struct error *err);

#endif
