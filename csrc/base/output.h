// Files that a command writes. A document (a report, statistics, a profile) appears under its name when it is whole, or
// not at all: a full disk, Ctrl-C or a crash leave the old file. A stream (samples, traces) grows in place, so
// that what a killed run has written can be read; one process at a time writes it. A path that names a descriptor of
// this process (/dev/stdout, /dev/fd/N; not one of a file without a name, base/unnamed.h) is written as that one is:
// behind what it has, and appended where it appends.
#ifndef TIPOFF_BASE_OUTPUT_H
#define TIPOFF_BASE_OUTPUT_H

#include "base/error.h"
#include <stdbool.h>
#include <stdio.h>

struct output;

// A document. path NULL: stdout. What is no regular file (a pipe, a terminal, /dev/null) is written as it is. NULL with
// err: it cannot be created.
struct output *output_open(const char *path, struct error *err);
FILE *output_file(struct output *output); // not to be closed
// For a writer that wants a path: one by which this process can open the document, until it is closed; and what that
// writer said of it in err, said of the document.
enum { OUTPUT_PATH = 32 };
void output_path(const struct output *output, char path[OUTPUT_PATH]);
void output_said(const struct output *output, struct error *err);
// Closes it and gives it its name; good false, or a write that has failed: the old file stays. 0, or a negative errno
// with err, -EIO where only `good` was false (err is then the caller's). Of stdout nothing is reported: stdout_written
// does.
int output_close(struct output *output, bool good, struct error *err);
// Why an earlier write to a file has failed, whose errno nobody has kept: the next one, of one byte, fails alike. An
// errno; 0: it does not.
int output_reason(FILE *file);

// A stream: a descriptor, or a negative errno with err, -EBUSY where another process writes the file. Its contents are
// gone only once it is certain that nobody does. The lock is held until the descriptor is closed.
int output_stream_fd(const char *path, struct error *err);
FILE *output_stream(const char *path, struct error *err); // likewise; NULL with err
// Closes it. 0, or a negative errno with err: not everything is written, also where an earlier write has failed.
int output_stream_close(FILE *file, const char *path, struct error *err);

#endif
