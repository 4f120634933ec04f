// Checks of the ELF loader (elf.c). Each is false with err: one line that names the file, the fault and the remedy.
#ifndef TIPOFF_BASE_ELF_CHECK_H
#define TIPOFF_BASE_ELF_CHECK_H

#include "base/error.h"
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

bool elf_check_file(const char *path, int fd, struct error *err);                     // an ELF with a whole header
bool elf_check_foreign(const char *path, const GElf_Ehdr *header, struct error *err); // x86-64 and Arm64, too
bool elf_check_machine(const char *path, const GElf_Ehdr *header, struct error *err); // 64-bit RISC-V
bool elf_check_header(const char *path, Elf *elf, const GElf_Ehdr *header, struct error *err); // an executable, too
// Whether it is all in the file of that many bytes, and lies where a machine may have memory.
bool elf_check_segment(const char *path, uint64_t file_bytes, const GElf_Phdr *header, struct error *err);

#endif
