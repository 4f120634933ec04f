// Where tests run: a machine of several harts. One file and one line in the command's list for each.
#ifndef TIPOFF_LITMUS_MACHINE_H
#define TIPOFF_LITMUS_MACHINE_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct litmus_job {
    int file;           // the program, an ELF file; it stays the caller's
    const char *path;   // of the test, for messages alone
    const char *config; // a core's configuration; NULL: the machine's own choice
    unsigned harts;
    uint64_t seed;
    uint64_t most;    // instructions of all harts, after which they will not come to an end any more
    uint64_t address; // of what is copied from memory at the end: `bytes` of it, to `memory`
    void *memory;
    size_t bytes;
};

struct litmus_machine {
    const char *name, *text;
    // Runs the program to its end (machine/finisher.h), then copies. False with err, which does not name the test.
    bool (*run)(const struct litmus_job *job, struct error *err);
};
extern const struct litmus_machine litmus_machine_iss;

#endif
