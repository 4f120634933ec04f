// Where a signal has killed a Linux program, said on stderr.
#ifndef TIPOFF_CLI_LINUX_KILLED_H
#define TIPOFF_CLI_LINUX_KILLED_H

#include "cli/last_calls.h"
#include <stdint.h>

// path: the program; note: where it was killed, an address of its file, or 0; status: as a shell says it. again: what
// finds the calls before (last_calls.h). What cannot be said, the guest's init has.
void linux_killed_print(const char *path, uint64_t note, int status, last_calls_machine *again, void *context);

#endif
