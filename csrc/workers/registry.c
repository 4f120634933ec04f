// All workers, in the order in which they see a cycle. Those above lockstep see the ISS as it is before the cycle,
// those below it as it is after it.
#include "workers/worker.h"

extern const struct worker_ops worker_rob_head, worker_interrupts, worker_lockstep, worker_shadow_rob, worker_counters,
    worker_call_stacks, worker_fflags, worker_memory, worker_event_vectors, worker_watchdog, worker_oracle,
    worker_stalls, worker_profilers, worker_events, worker_exec_counts, worker_mispredict_cost, worker_stall_causes,
    worker_autocounter, worker_replay_checkpoint, worker_bin, worker_csv, worker_signals, worker_kanata,
    worker_o3pipeview, worker_snippets, worker_rivals, worker_topdown, worker_inst_lifetimes, worker_ctr,
    worker_collections, worker_branch_history, worker_devices, worker_fetch, worker_memory_order, worker_data_addresses,
    worker_slices;

const struct worker_ops *const worker_registry[] = {
    &worker_watchdog,          //
    &worker_interrupts,        //
    &worker_fflags,            //
    &worker_rob_head,          //
    &worker_lockstep,          //
    &worker_shadow_rob,        //
    &worker_fetch,             //
    &worker_event_vectors,     //
    &worker_counters,          //
    &worker_ctr,               //
    &worker_memory,            //
    &worker_memory_order,      //
    &worker_devices,           //
    &worker_replay_checkpoint, //
    &worker_call_stacks,       //
    &worker_data_addresses,    //
    &worker_oracle,            //
    &worker_stalls,            //
    &worker_profilers,         //
    &worker_rivals,            //
    &worker_events,            //
    &worker_exec_counts,       //
    &worker_mispredict_cost,   //
    &worker_stall_causes,      //
    &worker_topdown,           //
    &worker_inst_lifetimes,    //
    &worker_collections,       //
    &worker_branch_history,    //
    &worker_kanata,            //
    &worker_o3pipeview,        //
    &worker_snippets,          //
    &worker_autocounter,       //
    &worker_slices,            //
    &worker_bin,               //
    &worker_csv,               //
    &worker_signals,           //
};
const size_t worker_registry_count = sizeof(worker_registry) / sizeof(worker_registry[0]);

// Accepted until version 2 of the command line.
const struct worker_alias worker_aliases[] = {
    {"head", "rob-head"},         {"trail", "replay-checkpoint"}, {"lives", "inst-lifetimes"},
    {"routes", "branch-history"}, {"waits", "stall-causes"},      {"refills", "mispredict-cost"},
    {"vectors", "event-vectors"}, {"edges", "exec-counts"},
};
const size_t worker_alias_count = sizeof(worker_aliases) / sizeof(worker_aliases[0]);
