// Files without a name: nothing of them is left, however the process ends, and no other process can have put something
// there.
#ifndef TIPOFF_BASE_UNNAMED_H
#define TIPOFF_BASE_UNNAMED_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

// Where temporary files go: $TMPDIR, or /tmp where that is unset or empty. The environment's, until it changes.
const char *unnamed_folder(void);

// An empty file in that folder, and a path by which this process can open it as often as it likes, for as long as
// the descriptor, which is returned, is open. -errno with err: there is none.
int unnamed_open(char *path, size_t size, struct error *err);

// A random number for an unpredictable name.
unsigned unnamed_number(void);

// An unpredictable name in that folder: PREFIX-, 8 digits, SUFFIX; "" where it does not fit. Makes nothing.
void unnamed_choose(char *path, size_t size, const char *prefix, const char *suffix);

// ... in the folder of `path`, which the file of that name is to replace; false: it does not fit. Not that name and
// more: names may be as long as they can be.
bool unnamed_beside(const char *path, char *name, size_t size);

// Copies all of one file to where another one is. 0, or -errno.
int unnamed_copy(int from, int to);

// Copies what is in the file to a new one of that name, which only its owner can read. An existing file, or
// a link, is no place for it. 0, or -errno.
int unnamed_keep(int fd, const char *path);

#endif
