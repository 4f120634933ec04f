// A run, opened for reports: its samples, the programs that ran, one profile of it, its time by unit. Not for other
// libraries.
#ifndef TIPOFF_REPORT_RUN_H
#define TIPOFF_REPORT_RUN_H

#include "isa/disasm.h"
#include "report/report.h"
#include "samples/sample_store.h"

struct facts;
struct hart_facts {
    struct facts *of[SAMPLES_HARTS];
};

struct run {
    const char *path;
    const struct notices *notices;
    struct samples *samples;
    const struct samples_header *header;
    struct images *images;        // some, or all, cannot be read
    bool readable;                // one at least can; else addresses only
    struct disasm *disasm;        // NULL without one
    size_t contexts, spaces;      // different ones in the rows; 64 stands for that many or more
    size_t harts;                 // whose samples they are: 1, or several, which contexts distinguish
    const char *profiler;         // whose profile is reported
    struct sample_store *store;   // the samples, as they are booked: in a file that does not keep modes and address
                                  // spaces apart those of all are 0
    size_t sample_count;          // of them
    size_t partial;               // of those, whose vectors may lack events
    struct profile_table *booked; // what the samples say, and its rows
    const struct profile_row *sampled;
    size_t sampled_count;
    struct profile_table *pooled;   // report_use_pool: what is reported; else NULL
    bool by_samples;                // that is what is reported
    const struct profile_row *rows; // of that profiler, by address
    size_t row_count;
    uint64_t total;              // of the rows, in 1/U cycle
    struct report_filter filter; // what of the run is shown (filter.h); of all zeros: everything, else ...
    struct profile_row *shown;   // ... the rows that are,
    uint64_t whole;              // the total of all, in 1/U cycle,
    uint64_t lost;               // and that of rows whose callers are not known
    uint64_t cycles;
    uint64_t instructions; // 0: not known (the run did not end)
    struct facts *facts;   // what its statistics say of single instructions (facts.h), of all harts together ...
    struct hart_facts *hart_facts; // ... and of each of several (run_of); NULL: there is one
    struct run_memo *memo;         // what was worked out of it, and is kept
};

// False with err. Warnings (truncated file, no program) go to options->notices. Always to be closed.
bool run_open(struct run *d, const char *path, const struct report_options *options, struct error *err);
void run_close(struct run *d);

// The run as that place's hart had it: facts are that hart's. Not to be closed.
struct run run_of(const struct run *d, struct place place);

// The time of the profile, what is not shown included, in 1/U cycle.
static inline uint64_t run_whole(const struct run *d) {
    return d->shown ? d->whole : d->total;
}

int report_out_of_memory(const char *path, struct error *err); // -ENOMEM

// What a profile of the file is called, beside the samples.
const char *report_profile_label(const struct run *d, const struct samples_profile *profile);

// The time of one unit (analysis.h), and what it was.
struct unit_time {
    struct place place; // unit_of
    uint64_t weight;    // in 1/U cycle
    uint64_t states[STATE_COUNT + 1];
    uint64_t events[16]; // of it, under vectors that have the event
};
// The profile's rows by unit (analysis.h), by place; worked out once. NULL: no memory, or there is no time at all.
const struct profile_row *run_rows(const struct run *d, enum granularity g, size_t *count);
// By weight, greatest first; worked out once. NULL: as above (*count 0).
const struct unit_time *run_units(const struct run *d, enum granularity g, size_t *count);
// The same by mode and address space: addresses are 0.
const struct unit_time *run_contexts(const struct run *d, size_t *count);
void unit_add(struct unit_time *unit, const struct profile_row *row);
struct unit_time run_all(const struct run *d); // of the whole profile

// ---- what is worked out once of a run, and kept until it is closed or reports another profile ----
// key: an address of whoever works it out, beside whom no one has it; number: of several. NULL: not kept yet.
void *run_kept(const struct run *d, const void *key, unsigned number);
// The run owns the value, whether it keeps it or, false, there is no memory for that: then it is gone.
bool run_keep(const struct run *d, const void *key, unsigned number, void *value, void (*destroy)(void *value));
void run_forget(const struct run *d); // all of it: d->rows are others

#endif
