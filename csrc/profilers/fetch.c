// Fetch, as IBM RIS does it: tags the first instruction of the packet that is fetched in the sampled cycle, or of the
// next one, and reports it when it commits. tagging.c says how it is found again at dispatch. Time only, no events.
#include "profilers/tagging.h"

const struct profiler_ops profiler_fetch = {.name = "Fetch",
                                            .state_size = sizeof(struct tagging),
                                            .events = 0,
                                            .step = tagging_fetch_step,
                                            .sample = tagging_fetch_sample,
                                            .finish = tagging_finish};
