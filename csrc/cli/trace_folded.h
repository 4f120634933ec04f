// tipoff trace --format folded (cmd_trace.c).
#ifndef TIPOFF_CLI_TRACE_FOLDED_H
#define TIPOFF_CLI_TRACE_FOLDED_H

#include "trace/trace_file.h"

// The time of a trace, and its path, as collapsed stacks; program NULL: the one that the trace names. max_stack: frames
// of a stack, 2 at least; 0: all. output NULL: stdout. An exit status; not 0: err says why.
int trace_folded_copy(struct trace_file *t, const char *path, const char *program, uint32_t max_stack,
                      const char *output, struct error *err);

#endif
