// What the sampling unit must deliver, worked out from the commit bundles and the cycles of its triggers alone: a
// second telling of tip_unit, tea_unit and sample_delivery, as facts instead of states.
//
// A sample that waits for its instruction (Drained until it dispatches; where samples have their final vector, Drained
// and Stalled until it leaves the ROB) takes in every trigger that comes meanwhile.
#ifndef TIPOFF_HARNESS_EXPECTED_SAMPLES_H
#define TIPOFF_HARNESS_EXPECTED_SAMPLES_H

#include "records.h"
#include <stdbool.h>
#include <stdint.h>

struct expected_sample {
    struct sample sample;
    uint64_t cycle;            // of the first trigger
    uint64_t last;             // of the last one so far
    uint32_t repeats, stalled; // further triggers in its own state; in Stalled behind Drained
    uint64_t stalled_cycles;   // from trigger to trigger, of those
    bool partial;              // as the hardware says: its vectors may lack events (sim/vector_rules.sv checks when)
    enum {
        SAMPLE_COMPLETE,
        SAMPLE_UNNAMED,
        SAMPLE_UNFINISHED
    } wants; // the first dispatch; that its instruction leaves
};

enum { EXPECTED_SAMPLES = 4 }; // that are not collected yet: one waits, two are complete
struct expected_samples {
    bool tea;                                      // samples wait for the vector at commit
    unsigned address_bits;                         // that samples keep of an address, 1 to 64
    struct expected_sample list[EXPECTED_SAMPLES]; // a ring, oldest first
    unsigned first, count;
    uint64_t ended;      // cycle in which the youngest became complete ...
    bool ended_with_its; // ... that still belongs to its instruction: a dispatch, or an exception
};

void expected_samples_init(struct expected_samples *e, bool tea, unsigned address_bits);
// Whether a cycle with a dispatch, a commit, an exception or an empty ROB matters.
bool expected_samples_wait(const struct expected_samples *e);
// A cycle while expected_samples_wait; before the trigger of the same cycle.
void expected_samples_cycle(struct expected_samples *e, uint64_t cycle, const struct commit_bundle *bundle);
// A trigger of `cycle`: `select` is what the selection shows in it, `bundle` the core's bundle of it. False: there is
// no room.
bool expected_samples_trigger(struct expected_samples *e, uint64_t cycle, const struct sample *select,
                              const struct commit_bundle *bundle, bool *taken);
// The oldest sample, if it is complete; else NULL.
const struct expected_sample *expected_samples_oldest(const struct expected_samples *e);
void expected_samples_forget(struct expected_samples *e); // that one

#endif
