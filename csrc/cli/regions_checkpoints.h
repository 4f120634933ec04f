// A checkpoint for each region that was found: the program runs once more.
#ifndef TIPOFF_CLI_REGIONS_CHECKPOINTS_H
#define TIPOFF_CLI_REGIONS_CHECKPOINTS_H

#include "cli/iss_program.h"
#include "methods/regions/regions_file.h"

// Writes NAME.CLUSTER.ckpt, `warmup` steps before where the region begins or where the run begins, and notes it in the
// regions. The exit status; 128 and the signal's number where one came.
int regions_checkpoints(struct iss_program *program, struct regions_file *f, const char *name, uint64_t warmup,
                        struct error *err);

#endif
