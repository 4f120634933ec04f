// What an ELF file is known by: a digest of what it loads (two files that differ in code or data have different ones, a
// file and its stripped copy the same), and the id that its linker gave it.
#ifndef TIPOFF_BASE_ELF_DIGEST_H
#define TIPOFF_BASE_ELF_DIGEST_H

#include <gelf.h>

enum { ELF_DIGEST = 17 }; // 16 digits and the end

// FNV-1a (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/) of each loadable segment, in the order of the program
// headers: address, bytes in memory and bytes in the file, 8 bytes each, little-endian, then its bytes in the file;
// what the ELF header says of sections counts as 0. Lower-case hex. "" where a segment cannot be read, and of a
// separate debug file, which has no code.
void elf_digest(int fd, Elf *elf, char digest[ELF_DIGEST]);
// The GNU build id in lower-case hex, of its sections of notes. "": it has none, or one that does not fit in `size`.
void elf_build_id(Elf *elf, char *text, size_t size);

#endif
