// Bytes of segments, and notes: elf_digest.h.
#include "base/elf_digest.h"
#include "base/fnv.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

static uint64_t add_number(uint64_t digest, uint64_t n) {
    for (int i = 0; i < 64; i += 8)
        digest = fnv_byte(digest, (uint8_t)(n >> i));
    return digest;
}

// In the ELF header: fields that locate the section headers, which are not loaded.
static bool is_of_sections(uint64_t offset) {
    return (offset >= offsetof(Elf64_Ehdr, e_shoff) && offset < offsetof(Elf64_Ehdr, e_flags)) ||
           (offset >= offsetof(Elf64_Ehdr, e_shentsize) && offset < sizeof(Elf64_Ehdr));
}

// False: not all there.
static bool add_bytes(uint64_t *digest, int fd, uint64_t offset, uint64_t bytes) {
    uint8_t chunk[CHUNK];
    while (bytes) {
        const size_t wanted = bytes < CHUNK ? (size_t)bytes : CHUNK;
        const ssize_t got = pread(fd, chunk, wanted, (off_t)offset);
        if (got <= 0) return false;
        for (ssize_t i = 0; i < got; i++)
            *digest = fnv_byte(*digest, is_of_sections(offset + (uint64_t)i) ? 0 : chunk[i]);
        offset += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return true;
}

// A separate debug file: its sections of code have no bytes.
static bool is_debug_file(Elf *elf) {
    GElf_Shdr header;
    bool without = false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR)) continue;
        if (header.sh_type != SHT_NOBITS) return false;
        without = true;
    }
    return without;
}

void elf_digest(int fd, Elf *elf, char digest[ELF_DIGEST]) {
    uint64_t sum = FNV_START;
    size_t count;
    digest[0] = '\0';
    if (elf_getphdrnum(elf, &count) != 0 || is_debug_file(elf)) return;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header)) return;
        if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
        sum = add_number(sum, header.p_vaddr);
        sum = add_number(sum, header.p_memsz);
        sum = add_number(sum, header.p_filesz);
        if (!add_bytes(&sum, fd, header.p_offset, header.p_filesz)) return;
    }
    snprintf(digest, ELF_DIGEST, "%016llx", (unsigned long long)sum);
}

static void take_notes(Elf_Scn *section, char *text, size_t size) {
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Nhdr note;
    size_t name, description;
    for (size_t offset = 0, next; data && (next = gelf_getnote(data, offset, &note, &name, &description)) > 0;
         offset = next) {
        const uint8_t *const bytes = (const uint8_t *)data->d_buf + description;
        const bool is_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
                           memcmp((const char *)data->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
        for (size_t i = 0; is_id && 2 * (size_t)note.n_descsz < size && i < note.n_descsz; i++)
            snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}

void elf_build_id(Elf *elf, char *text, size_t size) {
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    text[0] = '\0';
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE) take_notes(section, text, size);
}
