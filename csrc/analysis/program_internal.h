// What the files of the program model share; not for other libraries.
#ifndef TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H
#define TIPOFF_ANALYSIS_PROGRAM_INTERNAL_H

#include "analysis/analysis.h"
#include <elfutils/libdwfl.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- the program itself (program.c) ----
enum { PROGRAM_LACK = 512 }; // bytes of a line
struct program {
    char build_id[65], digest[32], lack[PROGRAM_LACK];
    bool foreign; // of another machine: nothing is decoded
    struct elf_module *module;
    struct debug_info *debug;
    struct data_symbols *data; // NULL: of an operating system, whose physical addresses are not the file's
    struct program_instruction *instructions;
    size_t count, capacity;
    struct program_function *functions;
    size_t function_count, function_capacity;
};
// One more function, without instructions yet: the next ones are its. Takes the symbol, from malloc, over; NULL is no
// memory. entry: where the function of the bytes from `start` to `end` begins. NULL: no memory.
struct program_function *program_add_function(struct program *p, char *symbol, const char *file, uint64_t entry,
                                              uint64_t start, uint64_t end);
// Sections come in any order: sorts, and renumbers functions and their instructions.
void program_sort(struct program *p);

// ---- the file and its separate debug file (elf_module.c) ----
struct elf_module;
// Of the ELF file, which is open, and at `path`; at the addresses that the file itself has. debug_dir: a folder of
// separate debug files in front of the usual ones, or NULL. NULL: no memory.
struct elf_module *elf_module_open(int file, const char *path, const char *debug_dir);
void elf_module_close(struct elf_module *m);              // NULL is fine
Dwfl_Module *elf_module_dwfl(const struct elf_module *m); // NULL: libdwfl cannot read the file
// The first section of debug information that cannot be decompressed, of the file or of its debug file; NULL: none.
const char *elf_module_lack(const struct elf_module *m);

// ---- compressed sections (debug_sections.c) ----
// libelf decompresses zlib alone. A copy of the file in memory, whose sections that zstd compressed are decompressed:
// an open file; -1 where there are none, or no memory. *lack: the name of the first that is compressed in another way,
// is damaged or is too long, from malloc, where *lack is NULL before.
int debug_sections_unpack(int fd, char **lack);

// ---- symbols (symbols.c) ----
struct code_symbol {
    uint64_t start, bytes; // 0 bytes: up to the next one
    char *name;            // as the symbol table has it
    const char *file;      // of a file's own symbol, the file (the module's), else NULL
    int rank;              // of several at one address the greatest names the function
    bool label;            // without a type and a size: inside a function it is a place
};
struct code_mark { // from here on there are instructions, or data amid them
    uint64_t address;
    size_t order; // of two at one address the later one counts
    bool data;
};
struct code_symbols {
    struct code_symbol *list; // by start, one an address
    struct code_mark *marks;  // by address
    size_t count, capacity, mark_count, mark_capacity;
};
// Those that name code, of the file or of its separate debug file; where neither has symbols, the dynamic ones; in
// sections of calls to other libraries ("func@plt"), which function each calls. False: no memory. Always to be freed.
bool code_symbols_find(Elf *elf, Dwfl_Module *module, struct code_symbols *symbols);
void code_symbols_free(struct code_symbols *symbols);
// The first mark after the address, by number. Before the first mark of a section there are instructions.
size_t code_symbols_mark_behind(const struct code_symbols *symbols, uint64_t address);
// Of C++ and Rust; others as they are; made plain (base/plain_text.h). free() it. NULL: no memory (demangle.c)
char *name_demangled(const char *name);
char *name_without_parameters(const char *name); // the same, and without the result
char *name_with_hash(const char *name);          // ... of Rust's older kind: many functions have one name
// Gives functions that are called alike, and are not the same one, their hashes where they have one. False: no memory
// (function_names.c)
bool function_names_tell_apart(struct program_function *list, size_t length);

// ---- data (data_symbols.c) ----
struct data_symbols;
struct data_symbols *data_symbols_create(Dwfl_Module *module); // must outlive it, and may be NULL. NULL: no memory
void data_symbols_destroy(struct data_symbols *s);             // NULL is fine
// As program_data.
bool data_symbols_name(const struct data_symbols *s, uint64_t address, char *text, size_t size);

// ---- whose the bytes of a section are (function_extents.c) ----
struct function_extent {
    uint64_t start, end;
    const struct code_symbol *symbol; // several extents have it where others lie inside; NULL: no symbol covers it
};
struct function_extents {
    struct function_extent *list; // by address, without gaps; free() it
    size_t count, capacity;
};
// Of the section's bytes from `base` to `limit`. False: no memory; the list is to be freed all the same.
bool function_extents_find(struct function_extents *extents, const struct code_symbols *symbols, uint64_t base,
                           uint64_t limit);

// ---- source lines and inlined calls (debug_info.c) ----
struct debug_info;
// What it says of a compilation unit is read when the first address of it is asked for. `module` must outlive it, and
// may be NULL. NULL: no memory. No debug information: it knows nothing.
struct debug_info *debug_info_create(Dwfl_Module *module);
void debug_info_destroy(struct debug_info *d); // NULL is fine
struct debug_lack {
    size_t units;     // compilation units without their .dwo file
    const char *file; // the first of these files
    size_t lengths;   // units whose .dwo file does not say how long code is
};
struct debug_lack debug_info_lack(const struct debug_info *d);
const char *debug_info_line(struct debug_info *d, uint64_t pc, unsigned *line);
size_t debug_info_inlines(struct debug_info *d, uint64_t pc, struct program_inline *calls, size_t size);

// ---- instructions that a trace lists (listed.c) ----
struct listed_into {
    struct program_instruction **list;
    size_t *count, *capacity;
    uint32_t function;
};
// Those from `start` to `end`; each is as long as it is to the next, and its `block` says whether one begins there,
// until blocks are found. False: no memory.
bool listed_add(const struct listed_into *into, const struct program_kind *kind, uint64_t start, uint64_t end);

// ---- what cannot be read of it (lack.c) ----
// One line, or "".
void program_lack_find(const struct elf_module *module, const struct debug_info *debug, const char *path,
                       char *lack_text, size_t size);

// ---- the calls that a compiler put in the place of calls (inline_tree.c) ----
struct inline_tree;
struct inline_tree *inline_tree_create(Dwarf_Die *unit, uint64_t bias); // of a compilation unit. NULL: no memory
void inline_tree_destroy(struct inline_tree *t);                        // NULL is fine
size_t inline_tree_find(const struct inline_tree *t, uint64_t pc, struct program_inline *calls, size_t size);

#endif
