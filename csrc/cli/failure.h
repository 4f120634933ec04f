// What `tipoff run` says where a check fails: the command that goes on from the machine as it was shortly before.
#ifndef TIPOFF_CLI_FAILURE_H
#define TIPOFF_CLI_FAILURE_H

#include "harness/simulation.h"
#include <stddef.h>

enum { SETTINGS_MOST = 32 }; // of --set

// The command that goes on from o->failure_checkpoint, on the same core and with the same samples. A model other than
// the default one is named. Without waveforms: whoever prints it asks for them where the model can.
void failure_replay(const struct simulation_options *o, const char *config, char *out, size_t size);

#endif
