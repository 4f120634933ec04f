// The command line of `tipoff linux`: its own options, those that `tipoff run` gets, and the program.
#ifndef TIPOFF_CLI_LINUX_OPTIONS_H
#define TIPOFF_CLI_LINUX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { LINUX_FILES = 64 }; // --file at most, and --env

struct linux_options {
    bool iss;
    uint64_t most;   // with iss: end after this many instructions and traps; 0: never
    uint64_t memory; // bytes; 0: none was chosen
    uint64_t harts;
    const char *checkpoint;                            // write the machine at the program's first instruction, and end
    const char *files[LINUX_FILES], *env[LINUX_FILES]; // HOST[:GUEST]; NAME=VALUE
    int file_count, env_count;
    char **run; // options of run
    int run_count;
    char **program;    // and its arguments, then NULL
    const char *typed; // the whole command line
};

// -h, -?, --help or --usage, where one stands before the program; or NULL.
const char *linux_asks_for_help(char **argv);
// Ends the process.
void linux_print_help(const char *asked);
// run: room for argc options and NULL. False: a message is on stderr, for STATUS_BAD_INPUT.
bool linux_options_parse(int argc, char **argv, struct linux_options *o);
// Whether --perf is among the options, which it is then taken from.
bool linux_options_perf(int *argc, char **argv);
// The value of the option at argv[*i], --name=VALUE or --name VALUE, before `end`; *i is then its last word. NULL: it
// is another one.
const char *linux_option_value(const char *name, char **argv, int *i, int end);

#endif
