// A job that is done again and again beside what its owner does: in a thread of its own, or at once where there is
// none.
#ifndef TIPOFF_WORKERS_ASIDE_H
#define TIPOFF_WORKERS_ASIDE_H

#include "base/error.h"
#include <stdbool.h>

struct aside;
typedef void aside_job(void *context);
// thread: with one, if it can be started. NULL with err: no memory.
struct aside *aside_create(aside_job *job, void *context, bool thread, struct error *err);
void aside_destroy(struct aside *a); // as aside_end; NULL is fine

// Once more. The one before is done (aside_wait): the job sees all that was written before, and what it works with is
// its alone.
void aside_give(struct aside *a);
void aside_wait(struct aside *a); // until that is done, and its writes are seen
void aside_end(struct aside *a);  // waits, and ends the thread: what is given later is done at once

#endif
