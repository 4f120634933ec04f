// RIS (IBM random instruction sampling): a tag at fetch, with RIS's events as they stand at commit.
#include "events.h"
#include "profilers/tagging.h"

const struct profiler_ops profiler_ris = {.name = "RIS",
                                          .state_size = sizeof(struct tagging),
                                          .events = EVENT_SET_RIS,
                                          .step = tagging_fetch_step,
                                          .sample = tagging_fetch_sample,
                                          .finish = tagging_finish};
