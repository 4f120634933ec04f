// Pipeline snippets of the instructions that are sampled most: for each of one of its samples, any with equal chance
// (a reservoir of one; the same in every run of the same program and period).
//
// Of a snippet are kept the 8 instructions that committed before the sampled one, the 16 that commit after it, and of
// those on a wrong path in between the first 8.
#ifndef TIPOFF_TRACE_SNIPPETS_H
#define TIPOFF_TRACE_SNIPPETS_H

#include "profile/snippet.h"
#include "trace/cycle.h"

struct snippets;
struct snippets *snippets_create(unsigned width); // NULL: no memory
void snippets_destroy(struct snippets *s);
// Every cycle. 0 or -ENOMEM.
int snippets_cycle(struct snippets *s, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages);
// A trigger in the cycle that was shown last.
void snippets_sample(struct snippets *s, uint64_t cycle, const struct commit_bundle *bundle);
// The end of the run, after the last cycle: what waits for more gets no more.
void snippets_finish(struct snippets *s);
// After that, of the i-th instruction, those with the most samples first; NULL: there are no more. It lives as long as
// s.
const struct snippet_copy *snippets_hottest(const struct snippets *s, size_t i);

#endif
