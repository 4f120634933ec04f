// What the files of the program model share; not for other libraries.
#ifndef TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H
#define TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- symbols (symbols.c) ----
struct code_symbol {
    uint64_t start, bytes; // 0 bytes: up to the next one
    char *name;
    int rank; // of several at one address the greatest names the function
};
struct code_symbols {
    struct code_symbol *list; // by start, one an address
    size_t count, capacity;
};
// Those that name code of section `index`; where the file has no symbols, the dynamic ones; in a section of calls to
// other libraries ("func@plt"), whom each calls. False: no memory. Always to be freed.
bool code_symbols_find(Elf *elf, size_t index, struct code_symbols *symbols);
void code_symbols_free(struct code_symbols *symbols);

// ---- source lines (source_lines.c) ----
struct source_lines;
// Of the open ELF file; fd stays the caller's and must outlive the result. NULL: no memory. No debug information: none.
struct source_lines *source_lines_create(int fd);
void source_lines_destroy(struct source_lines *s); // NULL is fine
const char *source_lines_find(const struct source_lines *s, uint64_t pc, unsigned *line);

// ---- branches (branch.c) ----
bool branch_ends_block(uint32_t insn); // may transfer control, traps on purpose included

#endif
