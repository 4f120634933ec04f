// Pipeline snippets: the way of a sampled instruction through the core, with some before and after it. Stages as in
// the pipeline view (docs/guide/profiling.md): F from `fetched`, Q from `dispatched`, X from `issued`, C from `done`,
// each up to the next one or to `left`. Numbers of cycles, from reset.
#ifndef TIPOFF_PROFILE_SNIPPET_H
#define TIPOFF_PROFILE_SNIPPET_H

#include "results.h"

#define SNIPPET_NEVER RESULT_NEVER

struct snippet_copy { // one with its rows
    struct snippet head;
    struct snippet_row rows[SNIPPET_ROWS];
};

#endif
