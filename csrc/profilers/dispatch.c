// Dispatch, as AMD IBS and Arm SPE do it: tags the instruction at dispatch in the sampled cycle, or the next one to
// dispatch, and reports it when it commits. Time only, no events.
#include "profilers/tagging.h"

const struct profiler_ops profiler_dispatch = {.name = "Dispatch",
                                               .state_size = sizeof(struct tagging),
                                               .events = 0,
                                               .step = tagging_dispatch_step,
                                               .sample = tagging_dispatch_sample,
                                               .finish = tagging_finish};
