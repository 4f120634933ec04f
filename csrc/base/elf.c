// ELF loader over libelf. Everything is copied, so that the file can change or go while the program runs.
#include "base/elf.h"
#include "base/elf_check.h"
#include "base/elf_digest.h"
#include "base/memory_size.h"
#include "memory_map.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    char *path;
    uint64_t entry;
    bool foreign;
    struct image_segment *segments;
    size_t segment_count;
    struct elf_symbols *symbols;
    char build_id[2 * 32 + 1], digest[ELF_DIGEST];
    struct image *program; // that lies in it, or NULL
    uint64_t bias;
};

static bool read_segment(struct image *image, int fd, uint64_t file_bytes, const GElf_Phdr *header, struct error *err) {
    if (!elf_check_segment(image->path, file_bytes, header, err)) return false;
    uint8_t *data = malloc(header->p_filesz + 1);
    if (!data) {
        error_nomem(err, image->path);
        return false;
    }
    struct image_segment *segment = &image->segments[image->segment_count++];
    *segment = (struct image_segment){header->p_paddr, header->p_memsz, header->p_filesz, data};
    errno = EIO; // of a read that is too short
    if (pread(fd, data, header->p_filesz, (off_t)header->p_offset) == (ssize_t)header->p_filesz) return true;
    error_set(err, "%s: cannot read: %s: check the disk and permissions", image->path, strerror(errno));
    return false;
}

static bool read_segments(struct image *image, int fd, Elf *elf, struct error *err) {
    size_t count;
    struct stat status;
    if (elf_getphdrnum(elf, &count) != 0 || fstat(fd, &status) != 0) {
        error_set(err, "%s: cannot read: %s: check the disk and permissions", image->path, strerror(errno));
        return false;
    }
    image->segments = calloc(count, sizeof *image->segments);
    if (!image->segments) {
        error_nomem(err, image->path);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header)) {
            error_set(err, "%s: truncated: its program headers are not all there: copy or build it again", image->path);
            return false;
        }
        if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
        if (!read_segment(image, fd, (uint64_t)status.st_size, &header, err)) return false;
    }
    if (image->segment_count > 0) return true;
    error_set(err, "%s: nothing to load: no loadable segment: link it as an executable", image->path);
    return false;
}

// Symbols and the build id are extras: a stripped program runs, too.
static bool read_sections(struct image *image, Elf *elf, struct error *err) {
    Elf_Scn *section = NULL;
    elf_build_id(elf, image->build_id, sizeof image->build_id);
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) continue;
        if (header.sh_type == SHT_SYMTAB && !elf_symbols_add(image->symbols, elf, section, &header)) {
            error_nomem(err, image->path);
            return false;
        }
    }
    return true;
}

static bool read_elf(struct image *image, int fd, Elf *elf, enum image_kind kind, struct error *err) {
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
        error_set(err, "%s: damaged ELF header: copy or build it again", image->path);
        return false;
    }
    image->entry = header.e_entry;
    image->foreign = header.e_machine != EM_RISCV;
    elf_digest(fd, elf, image->digest);
    if (kind == IMAGE_FOREIGN && !elf_check_foreign(image->path, &header, err)) return false;
    if (kind == IMAGE_SYMBOLS && !elf_check_machine(image->path, &header, err)) return false;
    if (kind != IMAGE_WHOLE) return read_sections(image, elf, err);
    if (!elf_check_header(image->path, elf, &header, err)) return false;
    return read_segments(image, fd, elf, err) && read_sections(image, elf, err);
}

int image_open(const char *path, struct error *err) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        error_set(err, "%s: cannot open: %s: %s", path, strerror(errno),
                  errno == EACCES ? "make it readable (chmod +r)"
                                  : "check the name; `make build` makes build/workloads/*.elf");
    return fd;
}

struct image *image_read(int fd, const char *path, enum image_kind kind, struct error *err) {
    struct image *image = NULL;
    if (elf_check_file(path, fd, err)) {
        image = calloc(1, sizeof *image);
        if (image) image->path = strdup(path);
        if (image) image->symbols = elf_symbols_create();
        if (!image || !image->path || !image->symbols) error_nomem(err, path);
    }
    bool good = false;
    if (image && image->path && image->symbols) {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        good = read_elf(image, fd, elf, kind, err);
        elf_end(elf);
    }
    if (good) return image;
    image_destroy(image);
    return NULL;
}

static struct image *load(const char *path, enum image_kind kind, struct error *err) {
    const int fd = image_open(path, err);
    struct image *image = fd >= 0 ? image_read(fd, path, kind, err) : NULL;
    if (fd >= 0) close(fd);
    return image;
}

struct image *image_load(const char *path, struct error *err) {
    return load(path, IMAGE_WHOLE, err);
}

struct image *image_load_symbols(const char *path, struct error *err) {
    return load(path, IMAGE_SYMBOLS, err);
}

struct image *image_load_foreign(const char *path, struct error *err) {
    return load(path, IMAGE_FOREIGN, err);
}

bool image_foreign(const struct image *image) {
    return image->foreign;
}

static void free_segments(struct image *image) {
    for (size_t i = 0; i < image->segment_count; i++)
        free((void *)image->segments[i].data);
    free(image->segments);
}

void image_replace(struct image *image, uint64_t entry, struct image_segment *segments, size_t count) {
    free_segments(image);
    image->entry = entry;
    image->segments = segments;
    image->segment_count = count;
}

void image_destroy(struct image *image) {
    if (!image) return;
    free_segments(image);
    elf_symbols_destroy(image->symbols);
    free(image->path);
    image_destroy(image->program);
    free(image);
}

static bool fits(const struct image *image, const char *what, uint64_t address, uint64_t bytes, uint64_t memory,
                 struct error *err) {
    char has[MEMORY_SIZE_TEXT], needs[MEMORY_SIZE_TEXT];
    const uint64_t least = memory_size_for(address, bytes);
    if (address < DRAM_BASE || (least && least <= memory)) return true;
    error_set(err, "%s: does not fit into memory of %s: %s 0x%llx to 0x%llx: run with --memory %s", image->path,
              memory_size_text(memory, has), what, (unsigned long long)address,
              (unsigned long long)(address + bytes - 1), memory_size_text(least ? least : MEMORY_MOST, needs));
    return false;
}

bool image_fits(const struct image *image, uint64_t memory, struct error *err) {
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        if (!fits(image, "it needs", s->address, s->bytes, memory, err)) return false;
    }
    return fits(image, "its entry is", image->entry, 2, memory, err);
}

uint64_t image_entry(const struct image *image) {
    return image->entry;
}
size_t image_segment_count(const struct image *image) {
    return image->segment_count;
}
const struct image_segment *image_segment(const struct image *image, size_t index) {
    return &image->segments[index];
}
const char *image_build_id(const struct image *image) {
    return image->build_id;
}
const char *image_digest(const struct image *image) {
    return image->digest;
}
const char *image_path(const struct image *image) {
    return image->path;
}

uint64_t image_symbol(const struct image *image, const char *name, uint64_t otherwise) {
    uint64_t value, bytes;
    return elf_symbols_find(image->symbols, SYMBOL_ANY, name, &value, &bytes, NULL) == SYMBOL_FOUND ? value : otherwise;
}

enum symbol_answer image_find_data(const struct image *image, const char *name, uint64_t *value, uint64_t *bytes,
                                   struct error *why) {
    return elf_symbols_find(image->symbols, SYMBOL_DATA, name, value, bytes, why);
}

void image_contain(struct image *image, struct image *program, uint64_t bias) {
    image_destroy(image->program);
    image->program = program;
    image->bias = bias;
}

enum symbol_answer image_find_code(const struct image *image, const char *name, uint64_t *address, struct error *why) {
    uint64_t bytes;
    if (image->program) {
        const enum symbol_answer in =
            elf_symbols_find(image->program->symbols, SYMBOL_CODE, name, address, &bytes, why);
        if (in == SYMBOL_FOUND) *address += image->bias;
        if (in != SYMBOL_UNKNOWN) return in;
    }
    return elf_symbols_find(image->symbols, SYMBOL_CODE, name, address, &bytes, why);
}

const char *image_code_at(const struct image *image, uint64_t address, uint64_t *start, uint64_t *end) {
    if (image->program) {
        const char *name = elf_symbols_code_at(image->program->symbols, address - image->bias, start, end);
        *start += image->bias;
        *end += image->bias;
        if (name) return name;
    }
    return elf_symbols_code_at(image->symbols, address, start, end);
}
