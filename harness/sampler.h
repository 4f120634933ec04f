// Samples by the harness's own unit: programs its counter, reads samples from its CSRs by the addresses that software
// uses, compares each with what the core showed, and files them. The program's unit is left alone.
#ifndef TIPOFF_HARNESS_SAMPLER_H
#define TIPOFF_HARNESS_SAMPLER_H

#include "harness/model.h"
#include "harness/waiting_samples.h"

struct sampler;
struct sampler_options {
    struct sampling_settings settings; // some are asked for
    unsigned counter;                  // mhpmcounter that counts the cycles
    unsigned width;
    bool tea;              // the unit waits for the vector at commit
    unsigned address_bits; // that samples keep of an address
    unsigned hart_id;      // mhartid, 0 to 255
    bool stacks, data;     // call stacks and addresses of data come later (sampler_waiting): samples wait for theirs
};
// All that a run ends with: samples + repeats + lost == triggers, but for a sample that still waits at the end.
struct sampler_counts {
    uint64_t triggers, samples, repeats, lost;
    uint64_t partial; // of the samples: their vectors may lack events
    uint64_t squares; // of the triggers that a sample stands for, summed: triggers of one wait are no independent draws
};

// writer may be NULL: samples are read and checked only. It stays the caller's.
struct sampler *sampler_create(const struct sampler_options *options, struct samples_writer *writer, struct error *err);
void sampler_destroy(struct sampler *s);
// Writes the CSRs but for the one that sets the counter off: three cycles of the model.
int sampler_prepare(struct sampler *s, const struct model_api *api, struct model *model, struct error *err);
// Sets it off: a cycle, and those of sampler_prepare where that was not called before.
// begin: the cycle behind which the time of the first sample begins.
int sampler_start(struct sampler *s, const struct model_api *api, struct model *model, uint64_t begin,
                  struct error *err);
// A trigger of `cycle`, that takes a sample or is one more of the one that the unit holds: `select` is what the
// selection shows in it, `bundle` the core's bundle of it. -EBADMSG: it is not due, or the unit does otherwise.
int sampler_trigger(struct sampler *s, uint64_t cycle, bool taken, const struct sample *select,
                    const struct commit_bundle *bundle, struct error *err);
// A cycle, while sampler_waits; before a trigger of the same cycle.
bool sampler_waits(const struct sampler *s);
void sampler_cycle(struct sampler *s, uint64_t cycle, const struct commit_bundle *bundle);
// The unit has a sample ready: reads it, compares it with what was expected, adds it to the file; and acknowledges it,
// for which the model runs a cycle, unless that is past the end of the run. -EBADMSG: it is not the one that was
// expected; err says which field.
int sampler_collect(struct sampler *s, const struct model_api *api, struct model *model, bool ended, struct error *err);
// The sample that was collected last; NULL: none.
const struct sample_record *sampler_collected(const struct sampler *s);
// Samples, and what they stand for, count up to this cycle, without it; the unit goes on.
void sampler_end(struct sampler *s, uint64_t cycle);
// A sample that was taken before it is not collected yet.
bool sampler_owes(const struct sampler *s);
// The end of a run of `cycles` cycles: all triggers that were due have come and are accounted for. -EBADMSG: err says
// which are not.
int sampler_finish(struct sampler *s, const struct model_api *api, struct model *model, uint64_t cycles,
                   struct error *err);
// Those that wait for what the workers find of them; the sampler's.
struct waiting_samples *sampler_waiting(struct sampler *s);
struct sampler_counts sampler_counts(const struct sampler *s);

#endif
