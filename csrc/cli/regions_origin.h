// What a file of regions says of the run that they were found in.
#ifndef TIPOFF_CLI_REGIONS_ORIGIN_H
#define TIPOFF_CLI_REGIONS_ORIGIN_H

#include "cli/iss_program.h"
#include "methods/regions/regions_file.h"

// The program, its arguments and input, the checkpoint that it began with, and the machine. digest: image_digest of the
// program, or "". f has none of this yet, and owns what it gets; NULL in it: no memory, as regions_file_write says.
void regions_origin(struct regions_file *f, const struct iss_program *p, const char *method, const char *digest);

#endif
