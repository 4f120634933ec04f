// The observers of a run: everything that is fed the bundle of each cycle. Which of them are there is decided once.
#ifndef TIPOFF_HARNESS_CHECKS_H
#define TIPOFF_HARNESS_CHECKS_H

#include "base/elf.h"
#include "harness/machine_config.h"
#include "oracle/stalls.h"
#include "samples/samples.h"
#include "trace/cycle.h"

struct checks;
struct iss;
struct checks_options {
    const struct machine_config *config;
    const struct image *image;
    const char *program, *command;
    bool cosim, oracle;
    const char *trace, *trace_format;  // trace NULL: none
    const char *kanata;                // NULL: no pipeline view
    const char *trace_from, *trace_to; // edges of both (trace/window.h), or NULL
};
struct checks_counts {
    uint64_t cycles;       // cross-checked against the Oracle
    uint64_t instructions; // compared with the ISS
    uint64_t traps;
    uint64_t states[STATE_COUNT]; // in 1/U cycles, by the Oracle
    uint64_t events[EVENT_COUNT]; // instructions that left the ROB with that bit
};

struct checks *checks_create(const struct checks_options *options, struct error *err);
void checks_destroy(struct checks *checks);
uint32_t checks_dpi_options(const struct checks *checks); // DPI_* that they need
// `count` equal cycles; more than one only where nothing happens in them. -EBADMSG: a difference; the details are on
// stderr, err holds the line that sums them up.
int checks_cycle(struct checks *checks, const struct trace_cycle *cycle, uint64_t count, struct error *err);
void checks_sample(struct checks *checks, uint64_t cycle); // a sample is taken of this cycle
// End of a run of `cycles` cycles: closes the Oracle's books and asserts that none is lost.
int checks_finish(struct checks *checks, uint64_t cycles, struct error *err);
const struct iss *checks_iss(const struct checks *checks); // NULL without lockstep
struct checks_counts checks_counts(const struct checks *checks);
struct stalls *checks_stalls(const struct checks *checks); // NULL where the Oracle did not run
// The Oracle's profile, or NULL where it did not run; and all profiles into a sample file.
const struct profile_row *checks_oracle_rows(const struct checks *checks, size_t *count);
int checks_add_profiles(const struct checks *checks, struct samples_writer *writer, struct error *err);

#endif
