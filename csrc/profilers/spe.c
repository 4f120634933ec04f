// SPE (Arm Statistical Profiling Extension): a tag at dispatch, with SPE's events. An instruction that raises an
// exception completes its record, with that event (Arm Architecture Reference Manual, Events packet, E[0]).
#include "events.h"
#include "profilers/tagging.h"

const struct profiler_ops profiler_spe = {.name = "SPE",
                                          .state_size = sizeof(struct tagging),
                                          .events = EVENT_SET_SPE,
                                          .traps = true,
                                          .step = tagging_dispatch_step,
                                          .sample = tagging_dispatch_sample,
                                          .finish = tagging_finish};
