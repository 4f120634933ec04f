// The samples of a file in memory, in 5 to 10 bytes each: what many of them have in common is kept once, as their kind,
// and beside it a byte stream of when each was taken. So a file is read once, whatever its samples are needed for.
#ifndef TIPOFF_SAMPLES_SAMPLE_STORE_H
#define TIPOFF_SAMPLES_SAMPLE_STORE_H

#include "samples/samples.h"

struct sample_store;
struct sample_store *sample_store_create(void);    // NULL: no memory
void sample_store_destroy(struct sample_store *s); // NULL is fine
// As a reader delivers it: lanes that are not valid are 0. False: no memory.
bool sample_store_add(struct sample_store *s, const struct sample_record *record);
uint64_t sample_store_count(const struct sample_store *s);

// ---- kinds: samples that differ in nothing but their times ----
struct sample_kind { // all of it
    uint64_t count;
    uint64_t cycles,
        stalled_cycles; // sums, which wrap where those of the file do: a reader makes sure that they do not
    uint64_t periods;   // triggers (samples_periods)
};
uint32_t sample_store_kinds(const struct sample_store *s);
const struct sample_kind *sample_store_kind(const struct sample_store *s, uint32_t kind);
// What its samples have in common: the sample, hart, partial, and stacks; the times are 0.
void sample_store_common(const struct sample_store *s, uint32_t kind, struct sample_record *record);

// ---- samples, in the order in which they were added ----
struct sample_times {
    uint32_t kind;
    uint32_t repeats, stalled; // as in struct sample_record, as those below
    uint8_t data_of;
    uint64_t cycle, cycles, stalled_cycles, data;
};
struct sample_walk {
    const struct sample_store *store;
    size_t chunk, at;
    uint64_t left, cycle;
};
struct sample_walk sample_store_walk(const struct sample_store *s);
bool sample_walk_next(struct sample_walk *w, struct sample_times *times); // false: there is none left
void sample_store_record(const struct sample_store *s, const struct sample_times *times, struct sample_record *record);
// The samples as records. False: `take` has returned false.
bool sample_store_each(const struct sample_store *s, const struct samples_header *header, samples_take *take,
                       void *context);

#endif
