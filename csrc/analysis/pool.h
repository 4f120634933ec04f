// A profile with less chance in it than its samples have one by one, from what is known beside them.
//
// Where instructions commit, a sample is a draw of a cycle, and of each instruction that commits in it one execution:
// the sampled commits of an instruction estimate how often it was executed, and its time in Computing is that number of
// executions, each with its share of the cycle in which it commits. Shares differ little from one execution to the
// next; that so few of the executions are sampled is what makes chance. So how often is taken from elsewhere:
//
//     time in Computing = executions x (time sampled in Computing + c x usual share) / (sampled commits + c)
//
//   POOL_BLOCKS  executions: the mean of the sampled commits over the instructions of the basic block, which all run
//                equally often. Wrong where they do not: in a block that is entered in its middle by an indirect jump
//                (program.c does not know those), or left by a trap, time moves between its own instructions.
//   POOL_COUNTS  executions: counted exactly by the run (the worker `exec-counts`). The idea is that of HBBP (Yasin et
//   al.,
//                ISPASS 2014; Nowak et al., USENIX ATC 2015), which takes executions from branch records. An
//                instruction's executions are parted among its contexts as its block's sampled commits are.
//
// c is half a sample: of an instruction that was never sampled the share is the usual one, that of all commits. The
// whole is scaled to the time that the samples have in Computing, which loses no cycle. Stalled, Flushed and
// Drained are as sampled: how long the sampled wait was is not in a sample.
#ifndef TIPOFF_ANALYSIS_POOL_H
#define TIPOFF_ANALYSIS_POOL_H

#include "analysis/analysis.h"

enum pool_kind { POOL_NONE, POOL_BLOCKS, POOL_COUNTS, POOL_KINDS };
#define POOL_NAMES "none", "blocks", "counts"

struct pool;
struct pool *pool_create(enum pool_kind kind); // NULL: no memory
void pool_destroy(struct pool *p);             // NULL is fine
// Of every sample: its commits. False: no memory.
bool pool_add(struct pool *p, uint32_t units, const struct sample *s, uint64_t draws, uint64_t cycles);

// How often the instruction was executed, in all contexts; of POOL_COUNTS.
typedef uint64_t pool_executions(void *context, const struct program *program, uint64_t pc);
// The rows of these samples, pooled: as much time in all and in each state. Instructions outside of all images stay as
// they are. NULL: no memory.
struct profile_table *pool_rows(struct pool *p, const struct profile_row *rows, size_t count,
                                const struct images *images, pool_executions *executions, void *context);

#endif
