// Stacks of taken transfers as the core's own records have them: those of the harness's unit (Smctr,
// rtl/profile/ctr.sv), read whenever a period of transfers has been recorded. For worker collections:source=unit
// (docs/guide/mix.md).
#ifndef TIPOFF_HARNESS_TRANSFER_STACKS_H
#define TIPOFF_HARNESS_TRANSFER_STACKS_H

#include "base/error.h"
#include "harness/model.h"
#include "results.h"
#include <stdbool.h>

struct transfer_stacks;
// depth: transfers of a stack, 16 to 256 and a power of two, at most the core's `most`; period: taken transfers between
// two stacks. NULL with err.
struct transfer_stacks *transfer_stacks_create(unsigned depth, uint64_t period, unsigned most, struct error *err);
void transfer_stacks_destroy(struct transfer_stacks *t); // NULL is fine
// Switches recording on, for all modes; takes some cycles. What was collected is dropped. False with err: the core has
// no records, or fewer.
bool transfer_stacks_start(struct transfer_stacks *t, const struct model_api *api, struct model *model,
                           struct error *err);
// After each cycle. context: of the instructions of that cycle. False: no memory.
bool transfer_stacks_look(struct transfer_stacks *t, const struct model_api *api, struct model *model,
                          uint64_t context);
// Puts these stacks in the place of those that the worker has published. False: no memory.
bool transfer_stacks_publish(const struct transfer_stacks *t, struct results *results);

#endif
