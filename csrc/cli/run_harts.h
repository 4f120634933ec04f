// A run of several harts: `tipoff run --harts N`.
#ifndef TIPOFF_CLI_RUN_HARTS_H
#define TIPOFF_CLI_RUN_HARTS_H

#include "harness/machine_config.h"
#include "harness/simulation.h"

enum { RUN_HARTS_MOST = 8, RUN_KIND_NAME = 64 };

// The configuration of each hart, where each has its own.
struct run_kinds {
    unsigned count; // 0: all have that of the options
    char names[RUN_HARTS_MOST][RUN_KIND_NAME];
};
// text: NAME,NAME..., of hart 0 first. False with err.
bool run_kinds_parse(struct run_kinds *kinds, const char *text, struct error *err);
// Each is built, in `folder`; false with err.
bool run_kinds_check(const struct run_kinds *kinds, const char *folder, struct error *err);

// Runs them; kinds: NULL, or as many as there are harts, built in `folder`. Files named by the options are each hart's:
// see run_harts_file. The exit status; where something went wrong, err has the line of the first hart that it befell.
int run_harts(const struct simulation_options *options, unsigned harts, const struct run_kinds *kinds,
              const char *folder, struct error *err);
// Whether harts of this configuration can share memory; else err has the line.
bool run_harts_coherent(const struct machine_config *config, struct error *err);
// The name of a hart's file: DIR/NAME.hartN.EXTENSION; of what is no file that can be, as /dev/null: itself.
void run_harts_file(char *out, size_t size, const char *path, unsigned hart);

#endif
