// ProfileMe by the harness: how it is asked for, and its registers set. Records come by themselves (trace/dpi.h).
#ifndef TIPOFF_HARNESS_INSTRUCTION_SAMPLER_H
#define TIPOFF_HARNESS_INSTRUCTION_SAMPLER_H

#include "base/error.h"
#include "harness/model.h"
#include "profile/instruction_settings.h"

// INTERVAL[,jitter=BITS][,pairs=WINDOW][,count=instructions|opportunities]; WINDOW: a power of two up to 1024.
// -EINVAL with err.
int instruction_sampler_parse(struct instruction_settings *settings, const char *text, struct error *err);
// Whether a core that follows that many instructions at a time can do it. -EINVAL with err.
int instruction_sampler_check(const struct instruction_settings *settings, unsigned tags, struct error *err);
// Sets the harness's own unit but for its control; takes a few cycles of the model. seed: of the bits that are drawn.
// 0, or -EINVAL with err: the model has no such unit. And sets the sampling going: a cycle.
int instruction_sampler_prepare(const struct instruction_settings *settings, uint64_t seed, const struct model_api *api,
                                struct model *model, struct error *err);
int instruction_sampler_start(const struct instruction_settings *settings, const struct model_api *api,
                              struct model *model, struct error *err);

#endif
