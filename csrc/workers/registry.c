// All workers, in the order in which they see a cycle. Those above lockstep see the ISS as it is before the cycle,
// those below it as it is after it.
#include "workers/worker.h"

extern const struct worker_ops worker_head, worker_interrupts, worker_lockstep, worker_shadow_rob, worker_counters,
    worker_call_stacks, worker_fflags, worker_memory, worker_vectors, worker_watchdog, worker_oracle, worker_stalls,
    worker_profilers, worker_events, worker_edges, worker_refills, worker_waits, worker_autocounter, worker_trail,
    worker_bin, worker_csv, worker_signals, worker_kanata, worker_snippets, worker_rivals, worker_topdown, worker_lives,
    worker_ctr, worker_collections, worker_routes, worker_devices, worker_fetch;

const struct worker_ops *const worker_registry[] = {
    &worker_watchdog,    //
    &worker_interrupts,  //
    &worker_fflags,      //
    &worker_head,        //
    &worker_lockstep,    //
    &worker_shadow_rob,  //
    &worker_fetch,       //
    &worker_vectors,     //
    &worker_counters,    //
    &worker_ctr,         //
    &worker_memory,      //
    &worker_devices,     //
    &worker_trail,       //
    &worker_call_stacks, //
    &worker_oracle,      //
    &worker_stalls,      //
    &worker_profilers,   //
    &worker_rivals,      //
    &worker_events,      //
    &worker_edges,       //
    &worker_refills,     //
    &worker_waits,       //
    &worker_topdown,     //
    &worker_lives,       //
    &worker_collections, //
    &worker_routes,      //
    &worker_kanata,      //
    &worker_snippets,    //
    &worker_autocounter, //
    &worker_bin,         //
    &worker_csv,         //
    &worker_signals,     //
};
const size_t worker_registry_count = sizeof(worker_registry) / sizeof(worker_registry[0]);
