// Command lines: of a program in the simulator, and of this one again, as a shell takes it.
#ifndef TIPOFF_CLI_COMMAND_LINE_H
#define TIPOFF_CLI_COMMAND_LINE_H

#include "machine/host_files.h"
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The words, those quoted that need it, after the path of this program.
void command_line(int argc, char **argv, char *out, size_t size);

// One word of a command line for a shell, quoted where it needs it, after a blank.
void command_line_word(FILE *out, const char *word);

// Parses the command line of `tipoff NAME`, with -h, -? and --help; bad usage ends it with STATUS_BAD_INPUT.
void parse_command(const struct argp *argp, const char *name, int argc, char **argv, void *input);

// Index of the name that an option was given; another one ends the command with a line that has them all.
unsigned option_choice(const char *text, const char *const *names, unsigned count, const char *option,
                       struct argp_state *state);

// The number that an option was given, decimal or 0x...; one that is none, or not from low to high, ends the command
// with a line that names the range.
uint64_t option_number(const char *text, uint64_t low, uint64_t high, const char *option, struct argp_state *state);

// Frames of a call stack that are written out, for --max-stack: 2 at least, or 0, all.
uint32_t max_stack_argument(const char *text, struct argp_state *state);

// For a parser's ARGP_KEY_ARG, `PROGRAM [-- ARG...]`: true for the program, whose arguments, its name first, are *argv
// then, ended by NULL; false for one of those. Others are an error.
bool program_argument(struct argp_state *state, char *const **argv);

// A folder that --file-root names. Too many end the command.
void file_root_argument(struct host_roots *roots, const char *folder, struct argp_state *state);

// The size of memory that --memory gives.
uint64_t memory_argument(const char *text, struct argp_state *state);
// That --quantum has what it needs, where it is given (not 0).
void quantum_argument(uint64_t quantum, unsigned harts, const char *restore, struct argp_state *state);

#endif
