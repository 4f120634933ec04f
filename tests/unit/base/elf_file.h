// A small RISC-V executable made by hand, byte by byte after the ELF specification, for tests to damage and to run.
//
// Layout: header, two program headers (a note, the code), code, build id, symbols, strings, section headers.
#ifndef TIPOFF_TESTS_ELF_FILE_H
#define TIPOFF_TESTS_ELF_FILE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ELF_CODE_MAX = 256, ELF_SECTIONS = 5 };
#define ELF_ADDRESS UINT64_C(0x80000000)
#define ELF_TOHOST UINT64_C(0x80001000)
#define ELF_BSS 64 // bytes after the code

struct elf_file {
    Elf64_Ehdr header;
    Elf64_Phdr programs[2];
    uint8_t code[ELF_CODE_MAX];
    struct {
        Elf64_Nhdr header;
        char name[4];
        uint8_t id[8];
    } note;
    Elf64_Sym symbols[3];
    char strings[32]; // "", "_start", "tohost"; from 16 on section names: ".x"
    Elf64_Shdr sections[ELF_SECTIONS];
};

static inline Elf64_Shdr elf_section(uint32_t type, uint64_t offset, uint64_t size, uint32_t link, uint64_t entry) {
    return (Elf64_Shdr){.sh_name = 16,
                        .sh_type = type,
                        .sh_offset = offset,
                        .sh_size = size,
                        .sh_link = link,
                        .sh_addralign = type == SHT_STRTAB ? 1 : 4,
                        .sh_entsize = entry};
}

static inline void elf_make(struct elf_file *f, const void *code, size_t bytes) {
    memset(f, 0, sizeof *f);
    memcpy(f->header.e_ident, ELFMAG, SELFMAG);
    f->header.e_ident[EI_CLASS] = ELFCLASS64;
    f->header.e_ident[EI_DATA] = ELFDATA2LSB;
    f->header.e_ident[EI_VERSION] = EV_CURRENT;
    f->header.e_type = ET_EXEC;
    f->header.e_machine = EM_RISCV;
    f->header.e_version = EV_CURRENT;
    f->header.e_entry = ELF_ADDRESS;
    f->header.e_phoff = offsetof(struct elf_file, programs);
    f->header.e_shoff = offsetof(struct elf_file, sections);
    f->header.e_ehsize = sizeof(Elf64_Ehdr);
    f->header.e_phentsize = sizeof(Elf64_Phdr);
    f->header.e_phnum = 2;
    f->header.e_shentsize = sizeof(Elf64_Shdr);
    f->header.e_shnum = ELF_SECTIONS;
    f->header.e_shstrndx = 4;
    f->programs[0] = (Elf64_Phdr){.p_type = PT_NOTE, .p_offset = offsetof(struct elf_file, note)};
    f->programs[1] = (Elf64_Phdr){.p_type = PT_LOAD,
                                  .p_flags = PF_R | PF_W | PF_X,
                                  .p_offset = offsetof(struct elf_file, code),
                                  .p_vaddr = ELF_ADDRESS,
                                  .p_paddr = ELF_ADDRESS,
                                  .p_filesz = bytes,
                                  .p_memsz = bytes + ELF_BSS};
    memcpy(f->code, code, bytes);
    f->note.header = (Elf64_Nhdr){.n_namesz = 4, .n_descsz = sizeof f->note.id, .n_type = NT_GNU_BUILD_ID};
    memcpy(f->note.name, "GNU", 4);
    for (size_t i = 0; i < sizeof f->note.id; i++)
        f->note.id[i] = (uint8_t)(0xa0 + i);
    memcpy(f->strings, "\0_start\0tohost", 15);
    memcpy(f->strings + 16, ".x", 3);
    f->symbols[1] = (Elf64_Sym){.st_name = 1, .st_shndx = SHN_ABS, .st_value = ELF_ADDRESS};
    f->symbols[2] = (Elf64_Sym){.st_name = 8, .st_shndx = SHN_ABS, .st_value = ELF_TOHOST, .st_size = 8};
    f->sections[1] = elf_section(SHT_PROGBITS, offsetof(struct elf_file, code), bytes, 0, 0);
    f->sections[2] = elf_section(SHT_NOTE, offsetof(struct elf_file, note), sizeof f->note, 0, 0);
    f->sections[3] =
        elf_section(SHT_SYMTAB, offsetof(struct elf_file, symbols), sizeof f->symbols, 4, sizeof(Elf64_Sym));
    f->sections[4] = elf_section(SHT_STRTAB, offsetof(struct elf_file, strings), sizeof f->strings, 0, 0);
}

// The first `bytes` bytes of it (or of any data) as a file.
static inline int elf_write(const char *path, const void *data, size_t bytes) {
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    size_t written = fwrite(data, 1, bytes, file);
    return fclose(file) == 0 && written == bytes ? 0 : -1;
}

#endif
