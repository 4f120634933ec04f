// The workers of a run: which of them there are is decided once, then each is shown every cycle.
#ifndef TIPOFF_WORKERS_WORKERS_H
#define TIPOFF_WORKERS_WORKERS_H

#include "workers/history.h"
#include "workers/requests.h"

struct workers;
struct workers_options {
    struct worker_run run;
    const char *name;                       // before messages about its core, "core 1: "; NULL: there is no other
    const char *command;                    // that started the run: what a difference says how to repeat
    bool no_waves;                          // the model was named, and cannot write waveforms
    bool lockstep, oracle;                  // whether those run that run with them
    bool samples;                           // samples are taken
    const struct worker_requests *requests; // NULL: none
    const struct worker_ops *const *rows;   // NULL: those of the registry; else up to a NULL
};

// What is wrong with the requests for this program and these workers: before anything is touched. -EINVAL with err.
int workers_check(const struct workers_options *options, struct error *err);
// workers_check has been passed.
struct workers *workers_create(const struct workers_options *options, struct error *err); // NULL with err
void workers_destroy(struct workers *w);                                                  // NULL is fine
uint32_t workers_dpi_options(const struct workers *w);                                    // DPI_* that they need
bool workers_want_memory(const struct workers *w);
const struct iss *workers_iss(const struct workers *w); // lockstep's; NULL without it
// The machine some thousand instructions before the last one that was compared, once the run is over: of the worker
// that follows it. iss NULL: there is none.
struct worker_past workers_past(const struct workers *w);
// The call stacks, of the worker that keeps them; NULL: there is none. While nothing is shown to the workers.
struct worker_stacks *workers_stacks(const struct workers *w);
struct worker_data *workers_data(const struct workers *w); // likewise what data samples waited for
bool workers_have(const struct workers *w, const char *name);
// `count` equal cycles; more than one only where nothing happens in them. The first error of a worker: -EBADMSG a
// difference; -ETIMEDOUT no progress; else a file or memory. err: one line. Nothing is to be shown after it.
int workers_cycle(struct workers *w, const struct trace_cycle *cycle, uint64_t count, struct error *err);
// Of the cycles that were shown, the last HISTORY_BUNDLES at least, in order, before workers_explain: it prints them.
// To copy every one as it is shown would cost more than most checks. bundle NULL: as the one before.
void workers_remember(struct workers *w, uint64_t cycle, uint64_t count, const struct commit_bundle *bundle);
// A worker's check outside its calls has found something: as if it had returned `result`, which is not 0.
void workers_stop(struct workers *w, const char *name, int result);
int workers_begin(struct workers *w, uint64_t cycle, struct error *err); // time counts from this cycle on
int workers_end(struct workers *w, uint64_t cycle, struct error *err);   // and from this one on no more
int workers_memory(struct workers *w, const struct memory_event *event, struct error *err);
// A record of the harness's ProfileMe.
int workers_instruction(struct workers *w, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err);
// A counter of the harness's unit was set off, or is read.
int workers_counter(struct workers *w, const struct counter_event *event, struct error *err);
void workers_sample(struct workers *w, uint64_t cycle, bool taken); // a trigger in this cycle
// The details of a difference, or of what came before there was no progress; nothing where there was neither.
void workers_explain(const struct workers *w, FILE *out);
// Whether one of them has stopped the run; *cycle: the one that all were shown last.
bool workers_stopped(const struct workers *w, uint64_t *cycle);
int workers_finish(struct workers *w, uint64_t cycles, struct error *err);
// What they found. False: no memory.
bool workers_publish(const struct workers *w, struct results *results);
void workers_print(const struct workers *w, uint64_t cycles, FILE *out); // their lines of the summary
void workers_print_checked(const struct workers *w, FILE *out); // "12 cycles against the Oracle, ...": no line end
bool workers_check_anything(const struct workers *w);
// The i-th profile of all workers; false: there are no more.
bool workers_profile(const struct workers *w, size_t i, struct worker_profile *out);

#endif
