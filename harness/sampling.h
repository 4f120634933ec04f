// The samples of a core: those in time, which the harness's unit takes (harness/sampler.h), and those of instructions,
// by ProfileMe; on their way to the sample file.
//
//   OFF    the units are not set going yet
//   ON     what they deliver counts
//   OVER   the measured region has ended: samples that were taken before are still collected, nothing else counts
#ifndef TIPOFF_HARNESS_SAMPLING_H
#define TIPOFF_HARNESS_SAMPLING_H

#include "harness/machine_config.h"
#include "harness/sampler.h"
#include "profile/instruction_settings.h"
#include "trace/cycle.h"

enum sampling_stage { SAMPLING_OFF, SAMPLING_ON, SAMPLING_OVER };
struct sampling_options {
    const struct sampling_settings *settings;
    const struct instruction_settings *profileme; // NULL: no instructions are sampled
    const struct machine_config *config;          // of the core
    unsigned hart_id;                             // mhartid, 0 to 255
    bool stacks, data; // call stacks come later, by sampling_stacks; addresses of data, by sampling_data
};

struct sampling;
// All that options point to, and the writer, live on; writer may be NULL: samples are checked only. NULL with err: no
// memory.
struct sampling *sampling_create(const struct sampling_options *options, struct samples_writer *writer,
                                 struct error *err);
void sampling_destroy(struct sampling *s); // NULL is fine

enum sampling_stage sampling_stage(const struct sampling *s);
bool sampling_in_time(const struct sampling *s); // samples in time are taken
// Between two cycles; takes some: all that sampling_start does but for what sets the units going, a cycle each.
int sampling_prepare(struct sampling *s, const struct model_api *api, struct model *model, struct error *err);
// ON. Between two cycles; takes some, and those of sampling_prepare where that was not called before. begin: the cycle
// behind which the time of the first sample begins. 0, or -EINVAL with err: the model has no such units.
int sampling_start(struct sampling *s, const struct model_api *api, struct model *model, uint64_t begin,
                   struct error *err);
// OVER: from this cycle on nothing counts. And: one that was taken before is not collected yet.
void sampling_end(struct sampling *s, uint64_t cycle);
bool sampling_owes(const struct sampling *s);

// ---- inside the model's clock edge ----
bool sampling_waits(const struct sampling *s); // for something of the cycles that follow
void sampling_cycle(struct sampling *s, const struct trace_cycle *cycle);
// A trigger of `cycle`; last: the cycle that was emitted last, that one or one before. 1: it counts; 0: it is behind
// the region; negative errno with err: it is not what was expected.
int sampling_trigger(struct sampling *s, const struct trace_cycle *last, uint64_t cycle, bool taken, struct error *err);
void sampling_announce(struct sampling *s); // a sample can be read
// A record of ProfileMe, for the file. 1: it counts; 0: it is after the region; negative errno with err.
int sampling_instruction(struct sampling *s, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err);

// ---- between two cycles ----
// Collects a sample that was announced. ended: the run is, no cycle may be spent on it. *record: it; NULL: there was
// none. 0, or negative errno with err: it is not what was expected, or cannot be filed.
int sampling_collect(struct sampling *s, const struct model_api *api, struct model *model, bool ended,
                     const struct sample_record **record, struct error *err);
// Call stacks that the workers have found since, which are taken from the list: to the file, and to samples that wait
// for them. 0, or negative errno with err.
int sampling_stacks(struct sampling *s, struct worker_stacks *stacks, struct error *err);
// Likewise addresses of data.
int sampling_data(struct sampling *s, struct worker_data *data, struct error *err);
// The end of a run of `cycles` cycles, once no more stacks come: what waits is filed; all triggers are accounted for.
int sampling_drain(struct sampling *s, struct error *err);
int sampling_finish(struct sampling *s, const struct model_api *api, struct model *model, uint64_t cycles,
                    struct error *err);
struct sampler_counts sampling_counts(const struct sampling *s);
uint64_t sampling_instructions(const struct sampling *s); // records of ProfileMe

#endif
