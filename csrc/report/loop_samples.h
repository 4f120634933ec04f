// The samples of a run by the loops that they are in, of their own code or by a call. Not for other libraries.
#ifndef TIPOFF_REPORT_LOOP_SAMPLES_H
#define TIPOFF_REPORT_LOOP_SAMPLES_H

#include "analysis/phases.h"
#include "report/function_flows.h"

struct loop_samples {
    struct function_flow *of;
    size_t loop;
    struct place header;
    struct phase_trigger *triggers;
    size_t trigger_count, trigger_capacity;
    uint64_t last; // number of its last sample, from 1; 0: none yet
    uint32_t visits;
    double cycles;
    bool tried, judged; // tried: whatever the granularity, once
    struct phases phases;
    double error; // of its instructions (loop_error); below 0: not worked out yet
};

struct gathering {
    const struct run *d;
    struct flows *flows;
    const struct stack_node *nodes;
    uint32_t node_count;
    struct loop_samples *loops;
    size_t loop_count, loop_capacity;
    struct loop_list { // of the samples of a kind: the loops that they are in
        size_t first, count;
        uint32_t unit;        // its oldest instruction's number
        bool found, left_out; // left_out: filter.h
    } * lists;
    uint32_t *in; // the loops of all lists
    size_t in_count, in_capacity;
    double all; // cycles of all samples
    bool failed;
};

// Once a run, whatever the granularity: the run's. NULL with err: no memory.
struct gathering *loop_samples_gather(const struct run *d, struct error *err);

#endif
