// Programs of a real machine, of any ISA, by the addresses that were sampled. Functions, lines and inlined calls come
// from the file; its instructions are those addresses, without code and text (0 bytes).
#ifndef TIPOFF_ANALYSIS_PROGRAM_SAMPLED_H
#define TIPOFF_ANALYSIS_PROGRAM_SAMPLED_H

#include "analysis/analysis.h"

bool program_is_foreign(const char *path); // an ELF file of 64 bits, little-endian, and not of RISC-V
// Sorts the addresses, and drops those that come twice. NULL with err.
struct program *program_sampled(const char *path, const char *debug_dir, uint64_t *pcs, size_t count,
                                struct error *err);
// ... without a file: all are in one function of that name. `pcs` has room for one more. NULL: no memory.
struct program *program_bare(const char *name, uint64_t *pcs, size_t count);

#endif
