// Debug sections that zstd compressed: libelf of Debian 12 (elfutils 0.188) decompresses zlib alone. The file is copied
// into memory, the sections' bytes are put after its end, and their headers are set. Nothing of a file is believed:
// whatever does not fit stays as it is.
#include "analysis/program_internal.h"
#include "base/array.h"
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { COMPRESS_ZLIB = 1, COMPRESS_ZSTD = 2 }; // ch_type; elf.h of glibc 2.36 does not name the second
#define MOST_BYTES ((uint64_t)1 << 30)         // of a section, decompressed

struct copy {
    int fd; // -1: not made yet
    const uint8_t *file;
    uint64_t bytes;
    uint64_t end; // of the copy
};

static bool write_at(int fd, const void *data, uint64_t bytes, uint64_t at) {
    for (const uint8_t *from = data; bytes;) {
        const ssize_t did = pwrite(fd, from, bytes, (off_t)at);
        if (did <= 0) return false;
        from += did;
        at += (uint64_t)did;
        bytes -= (uint64_t)did;
    }
    return true;
}

static bool begin(struct copy *c) {
    if (c->fd >= 0) return true;
    c->fd = memfd_create("tipoff-debug", MFD_CLOEXEC);
    c->end = c->bytes;
    return c->fd >= 0 && write_at(c->fd, c->file, c->bytes, 0);
}

// Puts the section's bytes, decompressed, after the end of the copy.
static bool unpack(struct copy *c, uint64_t header_at, Elf64_Shdr header, const Elf64_Chdr *how) {
    const uint8_t *from = c->file + header.sh_offset + sizeof *how;
    uint8_t *to = how->ch_size && how->ch_size <= MOST_BYTES ? malloc(how->ch_size) : NULL;
    bool good = to && ZSTD_decompress(to, how->ch_size, from, header.sh_size - sizeof *how) == how->ch_size &&
                begin(c) && write_at(c->fd, to, how->ch_size, c->end);
    free(to);
    header.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
    header.sh_offset = c->end;
    header.sh_size = how->ch_size;
    header.sh_addralign = how->ch_addralign;
    good = good && write_at(c->fd, &header, sizeof header, header_at);
    if (good) c->end += (how->ch_size + 7) & ~UINT64_C(7);
    return good;
}

static bool inside(const struct copy *c, uint64_t at, uint64_t bytes) {
    return at <= c->bytes && bytes <= c->bytes - at;
}

// The name in the table of sections' names, or "?".
static char *name_of(const struct copy *c, const Elf64_Ehdr *elf, uint32_t name) {
    Elf64_Shdr table;
    const uint64_t at = elf->e_shoff + (uint64_t)elf->e_shstrndx * sizeof table;
    if (elf->e_shstrndx >= elf->e_shnum || !inside(c, at, sizeof table)) return strdup("?");
    memcpy(&table, c->file + at, sizeof table);
    if (!inside(c, table.sh_offset, table.sh_size) || name >= table.sh_size) return strdup("?");
    return strndup((const char *)c->file + table.sh_offset + name, table.sh_size - name);
}

static void look(struct copy *c, char **lack) {
    Elf64_Ehdr elf;
    Elf64_Shdr header;
    Elf64_Chdr how;
    if (c->bytes < sizeof elf) return;
    memcpy(&elf, c->file, sizeof elf);
    if (memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf.e_ident[EI_DATA] != ELFDATA2LSB || elf.e_shentsize != sizeof header ||
        !inside(c, elf.e_shoff, (uint64_t)elf.e_shnum * sizeof header))
        return;
    for (unsigned i = 0; i < elf.e_shnum; i++) {
        const uint64_t at = elf.e_shoff + (uint64_t)i * sizeof header;
        memcpy(&header, c->file + at, sizeof header);
        if (!(header.sh_flags & SHF_COMPRESSED) || header.sh_type == SHT_NOBITS) continue;
        const bool whole = inside(c, header.sh_offset, header.sh_size) && header.sh_size >= sizeof how;
        if (whole) memcpy(&how, c->file + header.sh_offset, sizeof how);
        if (whole && how.ch_type == COMPRESS_ZLIB) continue;
        if (whole && how.ch_type == COMPRESS_ZSTD && unpack(c, at, header, &how)) continue;
        if (!*lack) *lack = name_of(c, &elf, header.sh_name);
    }
}

int debug_sections_unpack(int fd, char **lack) {
    struct stat status;
    struct copy c = {.fd = -1};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return -1;
    c.bytes = (uint64_t)status.st_size;
    void *file = mmap(NULL, c.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED) return -1;
    c.file = file;
    look(&c, lack);
    munmap(file, c.bytes);
    if (c.fd >= 0) lseek(c.fd, 0, SEEK_SET);
    return c.fd;
}
