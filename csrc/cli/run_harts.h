// A run of several harts: `tipoff run --harts N`.
#ifndef TIPOFF_CLI_RUN_HARTS_H
#define TIPOFF_CLI_RUN_HARTS_H

#include "harness/machine_config.h"
#include "harness/simulation.h"

enum { RUN_HARTS_MOST = 8 };

// Runs them. Files named by the options are each hart's: see run_harts_file. The exit status; where something went
// wrong, err has the line of the first hart that it befell.
int run_harts(const struct simulation_options *options, unsigned harts, struct error *err);
// Whether harts of this configuration can share memory; else err has the line.
bool run_harts_coherent(const struct machine_config *config, struct error *err);
// The name of a hart's file: DIR/NAME.hartN.EXTENSION.
void run_harts_file(char *out, size_t size, const char *path, unsigned hart);

#endif
