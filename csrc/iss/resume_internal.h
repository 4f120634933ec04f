// Between the files of the code that brings cores to a checkpoint's state: resume.h.
#ifndef TIPOFF_ISS_RESUME_INTERNAL_H
#define TIPOFF_ISS_RESUME_INTERNAL_H

#include "base/error.h"
#include "iss/iss.h"

// Whether each hart's state can be given to a core; else err names the state and the remedy.
bool resume_all_possible(const struct iss *from, struct error *err);
// Writes the ROM, of RESUME_BYTES, from offset *begin on: what stands before it is the device tree. Returns the address
// where all harts begin.
uint64_t resume_make(const struct iss *from, uint8_t *rom, size_t *begin);

#endif
