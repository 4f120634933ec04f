// The software side of sampling: programs the counter, reads samples from the unit's CSRs, checks them, files them.
#ifndef TIPOFF_HARNESS_SAMPLER_H
#define TIPOFF_HARNESS_SAMPLER_H

#include "harness/model.h"
#include "samples/samples.h"

struct sampler;
struct sampler_options {
    uint64_t period;      // cycles
    unsigned jitter_bits; // 0: periodic
    uint64_t seed;
    unsigned counter; // mhpmcounter that counts the cycles
    unsigned width;
    bool tea; // the unit waits for the vector at commit
};

// writer may be NULL: samples are read and checked only. It stays the caller's.
struct sampler *sampler_create(const struct sampler_options *options, struct samples_writer *writer, struct error *err);
void sampler_destroy(struct sampler *s);
// Writes the CSRs; takes a few cycles of the model.
int sampler_start(struct sampler *s, const struct model_api *api, struct model *model, struct error *err);
// A sample of `cycle` is being taken: `select` is what the selection shows in it, `bundle` the core's bundle of it.
void sampler_trigger(struct sampler *s, uint64_t cycle, const struct sample *select,
                     const struct commit_bundle *bundle);
// A later cycle, while sampler_waits: a Drained sample takes its address from the first dispatch, TEA its vector from
// the cycle in which the instruction leaves the ROB.
bool sampler_waits(const struct sampler *s);
void sampler_cycle(struct sampler *s, const struct commit_bundle *bundle);
// The unit has a sample ready: reads it, acknowledges it, compares it with what was expected, adds it to the file.
// -EBADMSG: it is not the one that was expected; err says which field.
int sampler_collect(struct sampler *s, const struct model_api *api, struct model *model, struct error *err);
uint64_t sampler_count(const struct sampler *s);
uint64_t sampler_collisions(struct sampler *s, const struct model_api *api, struct model *model);

#endif
