// What `tipoff iss` prints: a line a step, and how the run ended.
#ifndef TIPOFF_CLI_ISS_PRINT_H
#define TIPOFF_CLI_ISS_PRINT_H

#include "iss/iss.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// several: the machine has more than one hart, and the line begins with this one's number.
void iss_print_step(FILE *out, const struct hart *hart, bool several, const struct iss_retire *r);
// On stderr: `done` instructions and traps in `seconds` seconds.
void iss_print_end(const struct iss *iss, const char *program, bool interrupted, uint64_t done, double seconds);

#endif
