// tipoff trace --format folded (cmd_trace.c).
#ifndef TIPOFF_CLI_TRACE_FOLDED_H
#define TIPOFF_CLI_TRACE_FOLDED_H

#include "trace/trace_file.h"

// The time of a trace as collapsed stacks; program NULL: the one that the trace names. output NULL: stdout. An exit
// status; not 0: err says why.
int trace_folded_copy(struct trace_file *t, const char *program, const char *output, struct error *err);

#endif
