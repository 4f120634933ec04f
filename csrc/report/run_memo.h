// The list of what is kept of a run, for who opens and closes it. Not for other libraries.
#ifndef TIPOFF_REPORT_RUN_MEMO_H
#define TIPOFF_REPORT_RUN_MEMO_H

#include "report/run.h"

struct run_memo *run_memo_create(void);     // NULL: no memory
void run_memo_destroy(const struct run *d); // its own; none is fine

#endif
