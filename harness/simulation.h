// A whole run: loads model and program, runs, checks, samples, and leaves the files.
#ifndef TIPOFF_HARNESS_SIMULATION_H
#define TIPOFF_HARNESS_SIMULATION_H

#include "base/error.h"
#include "base/notices.h"
#include "harness/event_counters.h"
#include "harness/instruction_sampler.h"
#include "harness/memory_dump.h"
#include "harness/model.h"
#include "harness/progress.h"
#include "harness/schedule.h"
#include "harness/search.h"
#include "machine/host_files.h"
#include "trace/dpi.h"
#include "workers/requests.h"
#include <stdbool.h>
#include <stdint.h>

enum { // besides the program's own status
    EXIT_USAGE = 2,
    EXIT_DIFFERENCE = 3,
    EXIT_OUTPUT = 4,
    EXIT_NO_PROGRESS = 5,
    EXIT_CYCLES = 124
};

// What stands between the harness and its model, of a simulation that is not the harness's alone (harness/systemc):
// once, before the model is made, it may put functions of its own in the place of the model's and of those that the
// model calls. Those passed to it stay good to call until the run is over.
struct simulation_platform {
    void *context;
    void (*connect)(void *context, uint32_t clock_mhz, struct model_api *api, struct dpi_client *client);
};

struct simulation_options {
    const char *config_path; // config.json
    const char *model_path;  // model.so; with fst: one with waveforms
    bool model_named;        // by the user: another one than the configuration's
    const char *program;     // ELF file
    char *const *argv;       // its arguments, its name first, ended by NULL
    const char *restore;     // checkpoint to go on from, or NULL; then program may be NULL: the checkpoint names it
    bool warm, warm_l1;      // then: caches are filled by the accesses that it has recorded, the L1 caches among them
    bool from_reset;         // then: the code that loads its state counts, too
    // What is measured begins with the cycle of the first position, and ends before that of the second one, where the
    // run ends; POSITIONS_COMMITTED, or NULL: reset, the end.
    const char *sample_from, *sample_to;
    uint64_t warmup;        // number of instructions that run, with every check, before anything is measured
    const char *const *set; // KEY=VALUE, for this run alone
    size_t set_count;
    struct host_roots file_roots;          // what files of the host the program may read
    const char *input;                     // file that the UART receives, or NULL
    uint64_t memory;                       // bytes of DRAM; 0: a checkpoint's with restore, or DRAM_BYTES
    unsigned hart_id;                      // what mhartid reads, 0 to 255; a checkpoint's with restore
    const char *command;                   // command line, for the files and for "rerun with"
    const char *typed;                     // what the user typed, for the files, where that is something else; or NULL
    uint64_t max_cycles;                   // UINT64_MAX: no limit
    uint64_t max_insns;                    // likewise, of what is measured
    struct sampling_settings sampling;     // its seed is that of ProfileMe's intervals and of memories, too
    const char *samples, *stats, *profile; // output files, or NULL
    const char *stats_together;            // of several harts: the statistics of all, or NULL
    bool samples_temporary;                // for the report only: not requested by the user
    bool samples_unasked;                  // kept, but not requested: to have none is no error
    uint64_t *taken;                       // becomes more by the samples that were taken; or NULL
    bool cosim, oracle, quiet;
    int skip; // MODEL_SKIP_* (harness/model.h): cycles in which the core is idle
    // 1, 2: the workers have one of their own; of several harts, in how many they run; 0: where there is a CPU for it
    unsigned threads;
    const struct worker_requests *workers;        // that run beside those of cosim and oracle
    const struct event_counters *count;           // events to count, or NULL
    const struct instruction_settings *profileme; // sample instructions, too; or NULL
    struct memory_dumps *dumps;                   // parts of memory to write out at the end, or NULL
    // Where the machine goes as it was shortly before a check failed, and the command that goes on from there; NULL:
    // nowhere.
    const char *failure_checkpoint, *replay;
    void (*writes)(void *context); // all has been read, and now files are written; or NULL
    void *writes_context;
    progress_length *length;                    // of the run of these options, for its progress; or NULL
    bool failure_asked;                         // it was asked for, however short the run is
    const struct simulation_platform *platform; // or NULL
    const char *fst;                            // waveforms, or NULL
    const char *fst_from, *fst_to;              // POSITIONS_SEEN (base/position.h), or NULL
    uint64_t *note;                   // becomes what the program said of its end (machine/finisher.h); or NULL
    const struct notices *notices;    // who gets the warnings; NULL: nobody
    struct simulation_search *search; // NULL: none. Else the run is for this alone, and ends when it is found
};

// The exit status of the run. Where it is EXIT_USAGE, EXIT_DIFFERENCE or EXIT_OUTPUT, err holds the message.
int simulation_run(const struct simulation_options *options, struct error *err);

// Several cores in one process, by turns, each as simulation_run has it: with a program, memory, devices, checks and
// files of its own. They end one by one. Where one cannot be set up, none runs, and that one's end alone has a message.
enum { SIMULATION_CORES = 16 }; // at most
struct simulation_end {
    int status;       // as of simulation_run
    struct error err; // with several cores it names the core: "core 1: "
};
// options and ends: `count` of them, 1 to SIMULATION_CORES. latency: of the links between them, in cycles, from 1 on:
// no core runs so far ahead of another that something sent by that one would come too late (harness/schedule.h);
// SCHEDULE_NO_LINKS: there are none. Progress is shown unless the first one is quiet.
void simulation_run_cores(const struct simulation_options *options, size_t count, uint64_t latency,
                          struct simulation_end *ends);
// Likewise, but they are the harts of one machine, with mhartid 0 to count - 1, one memory and one set of devices, and
// end together (harness/board.h). All have the same program.
void simulation_run_harts(const struct simulation_options *options, size_t count, struct simulation_end *ends);

#endif
