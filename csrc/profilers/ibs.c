// IBS (AMD instruction-based sampling): a tag at dispatch, with IBS's events as they stand at commit. An instruction
// that traps does not retire: its sample is dropped like a squashed one.
#include "events.h"
#include "profilers/tagging.h"

const struct profiler_ops profiler_ibs = {.name = "IBS",
                                          .state_size = sizeof(struct tagging),
                                          .events = EVENT_SET_IBS,
                                          .step = tagging_dispatch_step,
                                          .sample = tagging_dispatch_sample,
                                          .finish = tagging_finish};
