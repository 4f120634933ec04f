// Call stacks along a trace, from what commits and traps in it: a trace has no register, so that return addresses alone
// decide (callstack/callstack.h). What was called before it began is not known.
#ifndef TIPOFF_CLI_TRACE_STACKS_H
#define TIPOFF_CLI_TRACE_STACKS_H

#include "analysis/analysis.h"
#include "callstack/callstack.h"
#include "oracle/call_stacks.h"

struct trace_stacks;
struct trace_stacks *trace_stacks_create(const struct program *program); // NULL: no memory
void trace_stacks_destroy(struct trace_stacks *t);                       // NULL is fine
// The next cycle, before the Oracle's step with it.
void trace_stacks_cycle(struct trace_stacks *t, const struct commit_bundle *bundle);
const struct call_stacks *trace_stacks_now(const struct trace_stacks *t);
const struct stack_node *trace_stacks_nodes(const struct trace_stacks *t, uint32_t *count);

#endif
