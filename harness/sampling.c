// Two kinds of samples, one way to the file.
#include "harness/sampling.h"
#include "harness/instruction_sampler.h"
#include <stdlib.h>

struct sampling {
    const struct instruction_settings *profileme;
    uint64_t seed;
    struct samples_writer *writer;
    struct sampler *sampler; // NULL: none in time
    enum sampling_stage stage;
    bool prepared;
    uint64_t end;            // of OVER: the first cycle that does not count
    bool announced;          // a sample of the unit
    uint32_t stacks_written; // numbers of call stacks that the file knows
    uint64_t instructions;
};

static struct sampler *create_sampler(const struct sampling_options *o, struct samples_writer *writer,
                                      struct error *err) {
    const struct machine_config *c = o->config;
    const struct sampler_options options = {*o->settings,    c->sample_counter, c->width,  c->tea != 0,
                                            c->address_bits, o->hart_id,        o->stacks, o->data};
    return sampler_create(&options, writer, err);
}

struct sampling *sampling_create(const struct sampling_options *o, struct samples_writer *writer, struct error *err) {
    struct sampling *s = error_calloc(sizeof *s, "sampling", err);
    if (!s) return NULL;
    s->profileme = o->profileme;
    s->seed = o->settings->seed;
    s->writer = writer;
    if (!sampling_settings_any(o->settings) || (s->sampler = create_sampler(o, writer, err))) return s;
    free(s);
    return NULL;
}

void sampling_destroy(struct sampling *s) {
    if (s) sampler_destroy(s->sampler);
    free(s);
}

enum sampling_stage sampling_stage(const struct sampling *s) {
    return s->stage;
}

bool sampling_in_time(const struct sampling *s) {
    return s->sampler != NULL;
}

int sampling_prepare(struct sampling *s, const struct model_api *api, struct model *model, struct error *err) {
    s->prepared = true;
    const int result = s->sampler ? sampler_prepare(s->sampler, api, model, err) : 0;
    return result == 0 && s->profileme ? instruction_sampler_prepare(s->profileme, s->seed, api, model, err) : result;
}

int sampling_start(struct sampling *s, const struct model_api *api, struct model *model, uint64_t begin,
                   struct error *err) {
    if (s->stage == SAMPLING_OFF) s->stage = SAMPLING_ON; // a region without a cycle is over before
    int result = s->sampler ? sampler_start(s->sampler, api, model, begin, err) : 0;
    if (result < 0 || !s->profileme) return result;
    if (!s->prepared) result = instruction_sampler_prepare(s->profileme, s->seed, api, model, err);
    return result == 0 ? instruction_sampler_start(s->profileme, api, model, err) : result;
}

void sampling_end(struct sampling *s, uint64_t cycle) {
    s->stage = SAMPLING_OVER;
    s->end = cycle;
    if (s->sampler) sampler_end(s->sampler, cycle);
}

bool sampling_owes(const struct sampling *s) {
    return s->sampler && sampler_owes(s->sampler);
}

bool sampling_waits(const struct sampling *s) {
    return s->sampler && sampler_waits(s->sampler);
}

void sampling_cycle(struct sampling *s, const struct trace_cycle *cycle) {
    sampler_cycle(s->sampler, cycle->cycle, &cycle->bundle);
}

int sampling_trigger(struct sampling *s, const struct trace_cycle *last, uint64_t cycle, bool taken,
                     struct error *err) {
    struct commit_bundle bundle = last->bundle;
    if (last->cycle != cycle) bundle.dispatch_valid = 0; // a cycle that was not emitted: quiet
    int result = sampler_trigger(s->sampler, cycle, taken, &last->select, &bundle, err);
    return result < 0 ? result : s->stage != SAMPLING_OVER || cycle < s->end;
}

void sampling_announce(struct sampling *s) {
    s->announced = true;
}

int sampling_instruction(struct sampling *s, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    if (s->stage == SAMPLING_OVER) return 0;
    s->instructions++;
    int result = s->writer ? samples_add_instruction(s->writer, s->profileme, words, err) : 0;
    return result < 0 ? result : 1;
}

int sampling_collect(struct sampling *s, const struct model_api *api, struct model *model, bool ended,
                     const struct sample_record **record, struct error *err) {
    *record = NULL;
    if (!s->announced) return 0;
    s->announced = false;
    int result = s->sampler ? sampler_collect(s->sampler, api, model, ended, err) : 0;
    if (result == 0 && s->sampler) *record = sampler_collected(s->sampler);
    return result;
}

// The file has a stack before the samples that have it.
int sampling_stacks(struct sampling *s, struct worker_stacks *stacks, struct error *err) {
    uint32_t count;
    int result = 0;
    const struct stack_node *nodes = stack_table_nodes(stacks->table, &count);
    if (!s->stacks_written) s->stacks_written = STACK_LOST + 1;
    for (; s->writer && result == 0 && s->stacks_written < count; s->stacks_written++)
        result = samples_add_stack(s->writer, &nodes[s->stacks_written], err);
    if (s->writer && result == 0)
        result =
            waiting_samples_stacks(sampler_waiting(s->sampler), stacks->samples, stacks->sample_count, s->writer, err);
    stacks->sample_count = 0;
    return result;
}

int sampling_data(struct sampling *s, struct worker_data *data, struct error *err) {
    struct waiting_samples *w = sampler_waiting(s->sampler);
    const int result = s->writer ? waiting_samples_data(w, data->samples, data->sample_count, s->writer, err) : 0;
    worker_data_taken(data);
    return result;
}

int sampling_drain(struct sampling *s, struct error *err) {
    return s->sampler && s->writer ? waiting_samples_file(sampler_waiting(s->sampler), s->writer, err) : 0;
}

int sampling_finish(struct sampling *s, const struct model_api *api, struct model *model, uint64_t cycles,
                    struct error *err) {
    return s->sampler ? sampler_finish(s->sampler, api, model, cycles, err) : 0;
}

struct sampler_counts sampling_counts(const struct sampling *s) {
    return s->sampler ? sampler_counts(s->sampler) : (struct sampler_counts){0};
}

uint64_t sampling_instructions(const struct sampling *s) {
    return s->instructions;
}
