// tipoff trace, of signals (cmd_trace.c).
#ifndef TIPOFF_CLI_TRACE_SIGNALS_H
#define TIPOFF_CLI_TRACE_SIGNALS_H

#include "base/error.h"

// format: text, csv or json; output NULL: stdout. An exit status; not 0: err says why.
int trace_signals_copy(const char *path, const char *format, const char *output, struct error *err);

#endif
