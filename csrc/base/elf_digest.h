// Digest of what an ELF file loads: two files that differ in code or data have different ones, a file and its stripped
// copy the same. Not for other libraries.
#ifndef TIPOFF_BASE_ELF_DIGEST_H
#define TIPOFF_BASE_ELF_DIGEST_H

#include <gelf.h>

enum { ELF_DIGEST = 17 }; // 16 digits and the end

// FNV-1a (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/) of each loadable segment, in the order of the program
// headers: address, bytes in memory and bytes in the file, 8 bytes each, little-endian, then its bytes in the file;
// what the ELF header says of sections counts as 0. Lower-case hex. "" where a segment cannot be read, and of a
// separate debug file, which has no code.
void elf_digest(int fd, Elf *elf, char digest[ELF_DIGEST]);

#endif
