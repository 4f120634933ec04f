// What a program is typed: bytes of a file, a pipe or a terminal.
#ifndef TIPOFF_MACHINE_CONSOLE_H
#define TIPOFF_MACHINE_CONSOLE_H

#include "base/error.h"
#include <stdint.h>
#include <stdio.h>

// Opens a program's input; the caller closes it. NULL with err if it cannot be opened or is a folder.
FILE *console_open(const char *path, struct error *err);

// The next byte, or EOF: at the end, or when a signal came while none was available (poll(2) is never restarted,
// read(2) is where SA_RESTART is set). in is console_open's or a regular file, or NULL: EOF.
int console_byte(FILE *in);
void console_skip(FILE *in, uint64_t bytes); // passes over `bytes`, or up to the end

#endif
