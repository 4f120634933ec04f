// Where tests run: a machine of several harts. One file and one line in the list for each.
#ifndef TIPOFF_LITMUS_MACHINE_H
#define TIPOFF_LITMUS_MACHINE_H

#include "base/elf.h"
#include "base/error.h"

struct litmus_machine {
    const char *name, *text;
    // Runs the program to its end (machine/finisher.h), or for at most `most` instructions of all harts, and then
    // copies `bytes` of memory from `address` on. False with err, which does not name the test.
    bool (*run)(const struct image *image, unsigned harts, uint64_t most, uint64_t address, void *memory, size_t bytes,
                struct error *err);
};
extern const struct litmus_machine litmus_machine_iss;

#endif
