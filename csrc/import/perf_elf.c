// The segments of ELF files that are executed.
#include "import/perf_elf.h"
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CODE_MOST = 64 << 20 };

static void read_code(struct perf_segment *s, int fd, uint64_t file_bytes) {
    if (s->offset > file_bytes || s->file_bytes > file_bytes - s->offset || s->file_bytes > CODE_MOST) return;
    s->code = malloc(s->file_bytes + 1);
    if (s->code && pread(fd, s->code, s->file_bytes, (off_t)s->offset) == (ssize_t)s->file_bytes) return;
    free(s->code);
    s->code = NULL;
}

static void read_segments(struct perf_elf *f, int fd, Elf *elf) {
    size_t count = 0;
    GElf_Phdr h;
    struct stat status;
    if (elf_getphdrnum(elf, &count) != 0 || fstat(fd, &status) != 0) return;
    f->low = UINT64_MAX;
    for (size_t i = 0; i < count && i < INT_MAX && gelf_getphdr(elf, (int)i, &h); i++) {
        if (h.p_type != PT_LOAD || h.p_memsz > UINT64_MAX - h.p_vaddr) continue;
        if (h.p_vaddr < f->low) f->low = h.p_vaddr;
        if (h.p_vaddr + h.p_memsz > f->high) f->high = h.p_vaddr + h.p_memsz;
        if (!(h.p_flags & PF_X) || f->segment_count == sizeof f->segments / sizeof *f->segments) continue;
        struct perf_segment *s = &f->segments[f->segment_count++];
        *s = (struct perf_segment){h.p_offset, h.p_vaddr, h.p_filesz, h.p_memsz, NULL};
        if (f->machine == EM_RISCV) read_code(s, fd, (uint64_t)status.st_size);
    }
    f->readable = f->segment_count;
}

void perf_elf_open(struct perf_elf *f, const char *path) {
    struct stat status;
    GElf_Ehdr header;
    if (f->opened) return;
    f->opened = true;
    f->path = strdup(path);
    const int fd = *path == '/' && f->path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) return;
    elf_version(EV_CURRENT);
    Elf *elf = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) && header.e_ident[EI_CLASS] == ELFCLASS64 &&
        header.e_ident[EI_DATA] == ELFDATA2LSB) {
        f->machine = header.e_machine;
        read_segments(f, fd, elf);
    }
    elf_end(elf);
    close(fd);
}

void perf_elf_free(struct perf_elf *f) {
    for (unsigned i = 0; i < f->segment_count; i++)
        free(f->segments[i].code);
    free(f->path);
}

// The pages that a segment is mapped in reach beyond it.
uint64_t perf_elf_address(const struct perf_elf *f, uint64_t offset) {
    const struct perf_segment *best = NULL;
    for (unsigned i = 0; i < f->segment_count; i++) {
        const struct perf_segment *s = &f->segments[i];
        if (offset - s->offset < s->file_bytes) return offset - s->offset + s->address;
        if (!best) best = s;
    }
    return best ? offset - best->offset + best->address : offset;
}

static bool calls(const uint8_t *code) {
    enum { JAL = 0x6f, JALR = 0x67, OPCODE = 0x7f };
    return (code[0] & OPCODE) == JAL || (code[0] & OPCODE) == JALR;
}

// RISC-V: jal and jalr have four bytes, c.jalr has two.
uint64_t perf_elf_call(const struct perf_elf *f, uint64_t address) {
    enum { LONG = 4, SHORT = 2 };
    if (f->machine == EM_AARCH64) return address - LONG;
    if (f->machine != EM_RISCV) return address - 1;
    for (unsigned i = 0; i < f->segment_count; i++) {
        const struct perf_segment *s = &f->segments[i];
        const uint64_t at = address - s->address;
        if (s->code && at >= LONG && at <= s->file_bytes && calls(s->code + at - LONG)) return address - LONG;
    }
    return address - SHORT;
}
