// --around: a run ahead of the run, without checks and outputs, that finds the cycle of a position. Runs are
// deterministic: it is the same in the run that follows, which can so begin to write before it.
#ifndef TIPOFF_CLI_SCOUT_H
#define TIPOFF_CLI_SCOUT_H

#include "cli/run_options.h"

// Makes regions of the options of a run with --around; without it, nothing. Of several harts each counts for itself,
// and the first that comes to the position says when. folder: of what is built (cli/folder.h). 0, or the exit status
// with err: there is no such position, or the run does not come to it.
int scout(struct run_options *a, const char *folder, struct error *err);

#endif
