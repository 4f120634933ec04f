// Samples on their way to the file: the unit delivers one when its instruction has left, the call stacks of its cycle
// and the address of the data that it waited for come from the workers, which may see that cycle earlier or later.
#ifndef TIPOFF_HARNESS_WAITING_SAMPLES_H
#define TIPOFF_HARNESS_WAITING_SAMPLES_H

#include "samples/samples.h"
#include "workers/call_stacks.h"
#include "workers/data_addresses.h"

struct waiting_samples {
    struct sample_record *records; // in the order of their cycles, as all that is here
    size_t count, capacity;
    struct sample_stacks *stacks; // of cycles whose sample is not here yet, or that were further triggers of one
    size_t stack_count, stack_capacity;
    struct sample_data *data; // likewise
    size_t data_count, data_capacity;
    bool no_stacks, no_data; // none come
};

void waiting_samples_free(struct waiting_samples *w);
// 0 or -ENOMEM with err.
int waiting_samples_add(struct waiting_samples *w, const struct sample_record *record, struct error *err);
// Stacks of further cycles: what has its own now goes to the file. 0, or a negative errno with err.
int waiting_samples_stacks(struct waiting_samples *w, const struct sample_stacks *stacks, size_t count,
                           struct samples_writer *writer, struct error *err);
// Likewise addresses of data.
int waiting_samples_data(struct waiting_samples *w, const struct sample_data *data, size_t count,
                         struct samples_writer *writer, struct error *err);
// All that is left goes to the file, with what is known of it.
int waiting_samples_file(struct waiting_samples *w, struct samples_writer *writer, struct error *err);

#endif
