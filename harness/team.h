// Threads that do one job again and again together, in parts: what the harts of a run do between two looks at each
// other.
//
// A thread does its own parts, then those that nobody has begun: one that gets no processor keeps nobody waiting. Who
// has nothing to do looks for the next job for some microseconds, then sleeps: jobs that follow each other at once wake
// nobody.
#ifndef TIPOFF_HARNESS_TEAM_H
#define TIPOFF_HARNESS_TEAM_H

#include "base/error.h"
#include <stddef.h>

struct team;
// The job: part(context, i) for each i below count, in any thread and order.
typedef void team_part(void *context, size_t i);
// threads: the caller's and others, at least 1. Those that cannot be started are left out. NULL with err: no memory.
struct team *team_create(unsigned threads, team_part *part, void *context, size_t count, struct error *err);
void team_destroy(struct team *t); // NULL is fine

// Does the job once. All parts see what was written before it; what they have written is seen after it.
void team_do(struct team *t);

#endif
