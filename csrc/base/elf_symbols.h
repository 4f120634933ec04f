// Symbols of an ELF file by name: several may have one name, and which is meant depends on what it is named for.
#ifndef TIPOFF_BASE_ELF_SYMBOLS_H
#define TIPOFF_BASE_ELF_SYMBOLS_H

#include "base/error.h"
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SYMBOL_ANY: the one that the linker takes: global before weak before a file's own.
// SYMBOL_CODE: the same of those that may be code; a variable never.
// SYMBOL_DATA: a variable before a label before a function; then as the linker does.
enum symbol_use { SYMBOL_ANY, SYMBOL_CODE, SYMBOL_DATA };
enum symbol_answer { SYMBOL_FOUND, SYMBOL_UNKNOWN, SYMBOL_UNCLEAR }; // UNCLEAR: several are meant, or another kind

struct elf_symbols;
struct elf_symbols *elf_symbols_create(void);    // NULL: no memory
void elf_symbols_destroy(struct elf_symbols *s); // NULL is fine
// Adds those of a symbol table that are defined. False: no memory.
bool elf_symbols_add(struct elf_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header);
// name: of the symbol, or FILE:SYMBOL for a file's own, the file without its folders. why: of SYMBOL_UNCLEAR, what is
// wrong and what to write; otherwise left as it is.
enum symbol_answer elf_symbols_find(const struct elf_symbols *s, enum symbol_use use, const char *name, uint64_t *value,
                                    uint64_t *bytes, struct error *why);
// The function or label that code at this address belongs to, and the addresses that it has, *start to below *end;
// NULL: none, from *start to below *end alike. Looks at all symbols.
const char *elf_symbols_code_at(const struct elf_symbols *s, uint64_t address, uint64_t *start, uint64_t *end);

#endif
