// How many instructions a run will have, for the time that it will take: the simulator executes them in a moment.
#ifndef TIPOFF_CLI_RUN_LENGTH_H
#define TIPOFF_CLI_RUN_LENGTH_H

#include "harness/simulation.h"

// Of a run of one hart with these options, at most 200 million, which is about a second; *more: it goes on then. 0:
// unknown, since it ends elsewhere, takes input that can be read once only, or needs what the simulator alone has not.
uint64_t run_length(void *options, bool *more); // struct simulation_options *

#endif
