// Whether a file is a program that the core can run, and that is all there.
#include "base/elf_check.h"
#include "base/memory_size.h"
#include "memory_map.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REMEDY_BUILD "build it with tipoff-cc, or for Linux with riscv64-linux-gnu-gcc"

// Whether a machine may have memory there; that of a run may be less (image_fits).
static bool in_memory(uint64_t address, uint64_t bytes) {
    return memory_size_for(address, bytes) != 0;
}

bool elf_check_file(const char *path, int fd, struct error *err) {
    unsigned char ident[EI_NIDENT] = {0};
    struct stat status;
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
        error_set(err, "%s: not a file: name a RISC-V program (ELF)", path);
        return false;
    }
    ssize_t got = pread(fd, ident, sizeof ident, 0);
    if (got >= 2 && memcmp(ident, "#!", 2) == 0) {
        error_set(err,
                  "%s: a script, not a program: run its interpreter under Linux, tipoff linux --file %s -- INTERPRETER",
                  path, path);
        return false;
    }
    if (got < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0) {
        error_set(err, "%s: not an ELF file: name a RISC-V program, such as build/workloads/interp.small.elf", path);
        return false;
    }
    size_t header = got > EI_CLASS && ident[EI_CLASS] == ELFCLASS32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
    if ((size_t)status.st_size >= header) return true;
    error_set(err, "%s: truncated: %lld bytes, shorter than an ELF header: copy or build it again", path,
              (long long)status.st_size);
    return false;
}

bool elf_check_machine(const char *path, const GElf_Ehdr *header, struct error *err) {
    const unsigned char *ident = header->e_ident;
    if (ident[EI_CLASS] != ELFCLASS64) {
        error_set(err, "%s: wrong class: a 32-bit ELF, the core runs 64-bit programs: " REMEDY_BUILD, path);
    } else if (ident[EI_DATA] != ELFDATA2LSB) {
        error_set(err, "%s: wrong endianness: a big-endian ELF, the core is little-endian: " REMEDY_BUILD, path);
    } else if (header->e_machine != EM_RISCV) {
        error_set(err, "%s: wrong machine: ELF machine %u, not RISC-V (%u): " REMEDY_BUILD, path, header->e_machine,
                  EM_RISCV);
    } else {
        return true;
    }
    return false;
}

bool elf_check_foreign(const char *path, const GElf_Ehdr *header, struct error *err) {
    const unsigned char *ident = header->e_ident;
    const bool other = header->e_machine == EM_X86_64 || header->e_machine == EM_AARCH64;
    return (other && ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == ELFDATA2LSB) ||
           elf_check_machine(path, header, err);
}

// Whether the program asks for Linux: it names an interpreter, or what a dynamic loader or libc is to do at its start.
static bool for_linux(Elf *elf) {
    size_t count;
    GElf_Phdr header;
    if (elf_getphdrnum(elf, &count) != 0) return false;
    for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
        if (header.p_type == PT_INTERP || header.p_type == PT_DYNAMIC || header.p_type == PT_GNU_RELRO) return true;
    }
    return false;
}

bool elf_check_header(const char *path, Elf *elf, const GElf_Ehdr *header, struct error *err) {
    if (!elf_check_machine(path, header, err)) return false;
    if ((header->e_type == ET_DYN || (header->e_type == ET_EXEC && !in_memory(header->e_entry, 2))) && for_linux(elf)) {
        error_set(err, "%s: a Linux program: run it under Linux, `tipoff linux -- %s`, or build it with tipoff-cc",
                  path, path);
    } else if (header->e_type != ET_EXEC) {
        error_set(err, "%s: not an executable (ELF type %u): link it, statically and at a fixed address", path,
                  header->e_type);
    } else {
        size_t count;
        if (elf_getphdrnum(elf, &count) != 0) {
            error_set(err, "%s: damaged program headers (%s): copy or build it again", path, elf_errmsg(-1));
        } else if (count == 0) {
            error_set(err, "%s: nothing to load: no program headers: link it as an executable", path);
        } else if (!in_memory(header->e_entry, 2)) {
            error_set(err,
                      "%s: entry outside memory: 0x%llx; memory is 0x%llx to 0x%llx at most: link it there, with "
                      "ENTRY(_start)",
                      path, (unsigned long long)header->e_entry, (unsigned long long)DRAM_BASE,
                      (unsigned long long)(DRAM_BASE + MEMORY_MOST - 1));
        } else if (header->e_entry % 2) {
            error_set(err, "%s: entry at an odd address: 0x%llx: copy or build it again, with ENTRY(_start)", path,
                      (unsigned long long)header->e_entry);
        } else {
            return true;
        }
    }
    return false;
}

bool elf_check_segment(const char *path, uint64_t file_bytes, const GElf_Phdr *header, struct error *err) {
    if (header->p_offset > file_bytes || header->p_filesz > file_bytes - header->p_offset) {
        error_set(err, "%s: truncated: a segment of %llu bytes at byte %llu, the file has %llu: copy or build it again",
                  path, (unsigned long long)header->p_filesz, (unsigned long long)header->p_offset,
                  (unsigned long long)file_bytes);
        return false;
    }
    if (header->p_filesz > header->p_memsz) {
        error_set(err,
                  "%s: damaged: a segment has 0x%llx bytes in the file and 0x%llx in memory: copy or build it again",
                  path, (unsigned long long)header->p_filesz, (unsigned long long)header->p_memsz);
        return false;
    }
    if (!in_memory(header->p_paddr, header->p_memsz)) {
        error_set(err,
                  "%s: segment outside memory: 0x%llx bytes at 0x%llx; memory is 0x%llx to 0x%llx at most: link it "
                  "there",
                  path, (unsigned long long)header->p_memsz, (unsigned long long)header->p_paddr,
                  (unsigned long long)DRAM_BASE, (unsigned long long)(DRAM_BASE + MEMORY_MOST - 1));
        return false;
    }
    return true;
}
