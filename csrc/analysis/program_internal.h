// What the files of the program model share; not for other libraries.
#ifndef TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H
#define TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- source lines (source_lines.c) ----
struct source_lines;
// Of the open ELF file; fd stays the caller's and must outlive the result. NULL: no memory. No debug information: none.
struct source_lines *source_lines_create(int fd);
void source_lines_destroy(struct source_lines *s); // NULL is fine
const char *source_lines_find(const struct source_lines *s, uint64_t pc, unsigned *line);

// ---- branches (branch.c) ----
bool branch_ends_block(uint32_t insn); // may transfer control, traps on purpose included

#endif
