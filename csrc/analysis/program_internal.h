// What the files of the program model share; not for other libraries.
#ifndef TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H
#define TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H

#include "analysis/analysis.h"
#include <elfutils/libdwfl.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- the file and its separate debug file (elf_module.c) ----
struct elf_module;
// Of the ELF file at `path`, at the addresses that the file itself has. debug_dir: a folder of separate debug files in
// front of the usual ones, or NULL. NULL: no memory.
struct elf_module *elf_module_open(const char *path, const char *debug_dir);
void elf_module_close(struct elf_module *m);              // NULL is fine
Dwfl_Module *elf_module_dwfl(const struct elf_module *m); // NULL: libdwfl cannot read the file

// ---- symbols (symbols.c) ----
struct code_symbol {
    uint64_t start, bytes; // 0 bytes: up to the next one
    char *name;            // as the symbol table has it
    int rank;              // of several at one address the greatest names the function
};
struct code_symbols {
    struct code_symbol *list; // by start, one an address
    size_t count, capacity;
};
// Those that name code, of the file or of its separate debug file; where neither has symbols, the dynamic ones; in
// sections of calls to other libraries ("func@plt"), which function each calls. False: no memory. Always to be freed.
bool code_symbols_find(Elf *elf, Dwfl_Module *module, struct code_symbols *symbols);
void code_symbols_free(struct code_symbols *symbols);
char *name_demangled(const char *name); // of C++ and Rust; others as they are. free() it. NULL: no memory (demangle.c)

// ---- source lines and inlined calls (debug_info.c) ----
struct debug_info;
// What it says of a compilation unit is read when the first address of it is asked for. `module` must outlive it, and
// may be NULL. NULL: no memory. No debug information: it knows nothing.
struct debug_info *debug_info_create(Dwfl_Module *module);
void debug_info_destroy(struct debug_info *d); // NULL is fine
const char *debug_info_line(struct debug_info *d, uint64_t pc, unsigned *line);
size_t debug_info_inlines(struct debug_info *d, uint64_t pc, struct program_inline *calls, size_t size);

// ---- the calls that a compiler put in the place of calls (inline_tree.c) ----
struct inline_tree;
struct inline_tree *inline_tree_create(Dwarf_Die *unit, uint64_t bias); // of a compilation unit. NULL: no memory
void inline_tree_destroy(struct inline_tree *t);                        // NULL is fine
size_t inline_tree_find(const struct inline_tree *t, uint64_t pc, struct program_inline *calls, size_t size);

// ---- branches (branch.c) ----
bool branch_ends_block(uint32_t insn); // may transfer control, traps on purpose included

#endif
