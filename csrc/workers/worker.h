// What a worker is: anything that watches a run (a check, a profiler, a tracer, a count). One file and one row of
// registry.c each; its options and its results come with it.
//
// A worker sees what its `needs` name and nothing else: the other pointers of its view are NULL, so that a profiler
// cannot read the hardware's answer.
#ifndef TIPOFF_WORKERS_WORKER_H
#define TIPOFF_WORKERS_WORKER_H

#include "base/elf.h"
#include "cosim/cosim.h"
#include "iss/resume.h"
#include "profile/instruction_settings.h"
#include "profile/profile_table.h"
#include "trace/dpi.h"
#include "workers/call_stacks.h"
#include "workers/counter_event.h"
#include "workers/memory_event.h"
#include "workers/shadow.h"
#include <stdio.h>

struct harts;
struct results;
struct worker_data;

// Beside DPI_BUNDLE, DPI_RETIRE, DPI_SELECT, DPI_STAGES, DPI_SIGNALS: what does not come from the core's own records.
enum {
    WORKER_GOLDEN = 1 << 16,
    WORKER_MEMORY = 1 << 17,
    WORKER_SHADOW = 1 << 18,
    WORKER_STACKS = 1 << 19 // if the run has them: optional
};

struct worker_run { // the run, as passed to every worker; lives as long as the workers
    const char *config, *model,
        *model_digest; // the core's configuration; the file of its model, and what it is made of
    unsigned width, rob_entries;
    unsigned counters, sample_counter; // programmable ones: mhpmcounter3 and so on; which of them triggers samples
    bool counts;                       // events are counted by the harness (--count)
    bool vectors;                      // instructions carry signature vectors
    unsigned event_count;              // bits of one: the first events of tables/events.tsv
    bool gated;                        // ... which are kept only while somebody reads them
    bool fcsr_flush;                   // a write of fflags, frm or fcsr flushes the pipeline
    unsigned fetch_width;              // parcels of 16 bits
    unsigned load_queue, store_queue;  // entries
    const struct instruction_settings *profileme; // NULL: no instructions are sampled
    bool ideal_l1i, ideal_tlb;                    // every access hits: ideal parts of the simulated core
    struct cosim_core core;
    const struct image *image;
    const struct resume_devices *devices; // the checkpoint's that the run begins with; NULL: as reset makes them
    const char *input;                    // what the console receives; NULL: nothing
    struct harts *harts;                  // workers/harts.h; NULL: no other hart stores to its memory
    unsigned hart;                        // of them
    const struct hart_line *held;         // lines that its coherent data cache begins with (hart_order.h)
    size_t held_count;
};

struct worker_view { // `count` equal cycles from `cycle` on; more than one only where nothing happens
    uint64_t cycle, count;
    const struct commit_bundle *bundle; // DPI_BUNDLE
    const struct trace_left *left;      // DPI_RETIRE
    const struct sample *select;        // DPI_SELECT, with oir
    const struct oir *oir;
    const struct trace_stages *stages;     // DPI_STAGES
    const struct trace_signals *signals;   // DPI_SIGNALS
    const struct trace_life *life;         // DPI_LIFE
    const struct trace_accesses *accesses; // DPI_ACCESSES
    uint8_t privilege;                     // DPI_RETIRE: of the instructions of this cycle
    const struct golden *golden;      // WORKER_GOLDEN: the ISS; rows above lockstep see it as it is before the cycle
    const struct shadow_view *shadow; // WORKER_SHADOW: what leaves the ROB, for rows below shadow-rob
    const struct call_stacks *stacks; // WORKER_STACKS: as they are after the cycle, for rows below call-stacks;
                                      // NULL: there are none
};

enum worker_key_kind {
    WORKER_NUMBER,
    WORKER_PRIME, // a number that is one
    WORKER_FILE,
    WORKER_EDGE,  // of POSITIONS_SEEN (base/position.h)
    WORKER_INPUT, // a file that is read; NULL where none is named
    WORKER_CHOICE // one of those that the key's text lists
};
struct worker_key {
    const char *name;
    enum worker_key_kind kind;
    const char *text, *standard; // standard NULL: a file and a choice must be named, others are left open
    uint64_t low, high;          // of numbers
};
enum { WORKER_KEYS = 6 };
struct worker_value {
    const char *text; // NULL: not given and no standard
    uint64_t number;
};

enum worker_default {
    WORKER_ON_DEMAND,
    WORKER_WITH_LOCKSTEP,
    WORKER_WITH_ORACLE,
    WORKER_WITH_PROFILEME
}; // when it runs without being named

struct worker_profile { // time by instruction, state and vector; owned by the worker, until its next cycle
    const char *name;
    uint16_t events; // that its rows distinguish, as a vector
    const struct profile_row *rows;
    size_t count;
};

struct worker_past { // the machine as it was some time ago; the worker's, which is of no more use then
    struct iss *iss; // NULL: none that a core can begin with. Its time is not the core's
    uint64_t cycle;  // after this one
    uint64_t cycles; // that mcycle has to count on by
    uint64_t steps;  // instructions and traps since then
};

struct worker_ops {
    const char *name, *text; // text: one line
    uint32_t needs;
    enum worker_default standard;
    bool check;        // it can stop the run with a difference
    bool leaving_only; // wants only cycles in which an instruction commits, traps or is replayed, or the host writes
    bool samples_only; // what it sees in a cycle is of use in a run that takes samples alone: no cycle is shown in
                       // others
    bool alone;        // knows one hart's stores: not with several harts of one memory
    struct worker_key keys[WORKER_KEYS]; // up to the first without a name
    void *(*create)(const struct worker_run *run, const struct worker_value *values,
                    struct error *err); // NULL with err
    // All below but destroy may be NULL.
    bool (*check_config)(const struct worker_run *run, const struct worker_value *values,
                         struct error *err); // checks what was asked for, and what the worker needs besides the run,
                                             // before any file is made; false with err
    uint32_t (*groups)(void *state);         // those of DPI_SIGNALS that it wants; NULL: none
    // 0; -EBADMSG: a difference, err holds the line; -ETIMEDOUT: no progress; else
    // a negative errno (a file that cannot be written, no memory).
    int (*cycle)(void *state, const struct worker_view *view, struct error *err);
    int (*begin)(void *state, uint64_t cycle, struct error *err); // time counts from this cycle on, which comes next
    int (*end)(void *state, uint64_t cycle,
               struct error *err); // and from this one on no more; the run goes on a little
    int (*memory)(void *state, const struct memory_event *event, struct error *err); // WORKER_MEMORY
    // A trigger in this cycle; taken: it begins a sample, else it is one more of the one that waits.
    void (*sample)(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken);
    // A record of the harness's ProfileMe, some cycles after its instruction has left. -EBADMSG: it is wrong.
    int (*instruction)(void *state, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err);
    // A counter of the harness's unit, after the last cycle before the one that it names. -EBADMSG: it is wrong.
    int (*counter)(void *state, const struct counter_event *event, struct error *err);
    int (*finish)(void *state, uint64_t cycles, struct error *err); // once, at the end of the run
    void (*explain)(void *state, FILE *out);                        // after a difference, instead of the last bundles
    void (*print)(void *state, uint64_t cycles, FILE *out);         // a line of the summary
    void (*checked)(void *state, char *text,
                    size_t size); // "12 cycles against the Oracle": what agreed; "": nothing was compared
    const struct golden *(*golden)(void *state);                        // the ISS that it runs, for the others
    const struct shadow_view *(*shadow)(void *state);                   // the ROB that it keeps, likewise
    struct worker_stacks *(*stacks)(void *state);                       // the call stacks that it keeps, likewise
    struct worker_data *(*data)(void *state);                           // the data of samples, for the file
    bool (*profile)(void *state, size_t i, struct worker_profile *out); // its i-th profile; false: no more
    // Adds its results (tables/results.tsv), once the run is over. False: no memory.
    bool (*publish)(void *state, struct results *results);
    struct worker_past (*past)(void *state); // see workers_past
    void (*destroy)(void *state);
};

// What is seldom called, if at all: kept out of the functions that are called in every cycle.
#define WORKER_RARE __attribute__((noinline, cold))

extern const struct worker_ops *const worker_registry[]; // in the order in which they see a cycle
extern const size_t worker_registry_count;

struct worker_alias { // a former name of a worker, and its name
    const char *former, *name;
};
extern const struct worker_alias worker_aliases[];
extern const size_t worker_alias_count;

#endif
