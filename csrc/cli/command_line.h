// A command line again, as a shell takes it.
#ifndef TIPOFF_CLI_COMMAND_LINE_H
#define TIPOFF_CLI_COMMAND_LINE_H

#include <stddef.h>

// The words, those quoted that need it, behind the path of this program.
void command_line(int argc, char **argv, char *out, size_t size);

#endif
