// The commands of tipoff: argv[0] is the command's name. Each returns the process's exit status.
#ifndef TIPOFF_CLI_CLI_H
#define TIPOFF_CLI_CLI_H

#include "base/error.h"
#include "base/notices.h"
#include <stdbool.h>
#include <stdint.h>

// Exit statuses besides the program's own, of all commands.
enum {
    STATUS_BAD_INPUT = 2, // usage, too
    STATUS_DIFFERENCE = 3,
    STATUS_OUTPUT = 4,         // an output could not be written
    STATUS_NO_PROGRESS = 5,    // watchdog
    STATUS_OUT_OF_BUDGET = 124 // --max-cycles, --max-insns, --sample-to, --around
};

int cmd_run(int argc, char **argv);
// What a command that runs another one's way asks of it.
struct run_for {
    const char *typed;                          // by the user: what files say
    bool samples;                               // a run that nothing is asked of does (cli/run_default.h)
    const char *program;                        // what its file is named after; NULL: the program that is named
    const char *machine;                        // where the file that --restore names can be read before it exists
    bool difference;                            // is set where a check has found one
    uint64_t note;                              // becomes what the program said of its end (machine/finisher.h)
    const struct simulation_platform *platform; // harness/simulation.h, or NULL
};
int run_as(int argc, char **argv, struct run_for *other);
// Whether `tipoff run` would take these words (argv[0] is none), of a run from a checkpoint: what it
// would not ends the process with STATUS_BAD_INPUT, as an error of `tipoff CALLED`.
void run_check_words(const char *called, int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_samples(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_profileme(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_iss(int argc, char **argv);
int cmd_gus(int argc, char **argv);
int cmd_mix(int argc, char **argv);
int cmd_bbv(int argc, char **argv);
int cmd_regions(int argc, char **argv);
int cmd_litmus(int argc, char **argv);
int cmd_linux(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_workloads(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_sensitivity(int argc, char **argv);
int cmd_results(int argc, char **argv);
int cmd_workers(int argc, char **argv);

// A line on stderr for each.
extern const struct notices cli_notices;
// Of a trace, once it is read: nothing where damage is "".
void cli_warn_damage(const struct error *damage);

// Whether all that went to stdout has been written; false with err. A reader that has closed its end of a pipe wants no
// more: that is no fault.
bool stdout_written(struct error *err);
// First of all, once a process: the locale's characters; standard streams that are closed are opened; a file that may
// not grow is an error of its write; and at a successful end stdout_written, or status STATUS_OUTPUT.
void cli_start(void);

#endif
