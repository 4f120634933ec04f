// ELF programs for the machine of tables/memory_map.tsv: read whole, checked, and independent of the file afterwards.
#ifndef TIPOFF_BASE_ELF_H
#define TIPOFF_BASE_ELF_H

#include "base/elf_symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;

// A loadable segment: `file_bytes` bytes of data, then zeros up to `bytes`. It lies in writable memory (DRAM), as much
// of it as a machine may have: base/memory_size.h.
struct image_segment {
    uint64_t address, bytes, file_bytes;
    const uint8_t *data; // owned by the image
};

// NULL with err (one line: file, fault, remedy) if the file cannot be read, is not an ELF, is not a 64-bit
// little-endian RISC-V executable, is truncated, or has a segment outside memory.
struct image *image_load(const char *path, struct error *err);
// Symbols, entry and build id alone, of a program for an operating system, a kernel or firmware: no segments, and any
// addresses.
struct image *image_load_symbols(const char *path, struct error *err);
// The same of a file that is open, and stays so, for what reads more of it: image_open, then image_read. -1 with err.
// ... of a RISC-V, x86-64 or Arm64 program: what other cores ran.
struct image *image_load_foreign(const char *path, struct error *err);
enum image_kind { IMAGE_WHOLE, IMAGE_SYMBOLS, IMAGE_FOREIGN };
int image_open(const char *path, struct error *err);
struct image *image_read(int file, const char *path, enum image_kind kind, struct error *err);
void image_destroy(struct image *image); // NULL is fine
// Whether it lies in `memory` bytes of DRAM, or in ROM. False with err, which names the size that it needs.
bool image_fits(const struct image *image, uint64_t memory, struct error *err);

bool image_foreign(const struct image *image); // not of RISC-V
uint64_t image_entry(const struct image *image);
size_t image_segment_count(const struct image *image);
const struct image_segment *image_segment(const struct image *image, size_t index);
// The same program with another content of memory and another place to begin: what a checkpoint makes of it. Takes the
// segments (from malloc, and their data), which may lie in ROM, too.
void image_replace(struct image *image, uint64_t entry, struct image_segment *segments, size_t count);
// Value of the symbol that the linker takes, or `otherwise` if no symbol has that name, or it is not clear which.
uint64_t image_symbol(const struct image *image, const char *name, uint64_t otherwise);
// Value of the variable or label, and the bytes that the symbol says it has: elf_symbols.h.
enum symbol_answer image_find_data(const struct image *image, const char *name, uint64_t *value, uint64_t *bytes,
                                   struct error *why);
// From now on `program`, which the image takes, is known to lie in it, moved by `bias`: a program of an operating
// system.
void image_contain(struct image *image, struct image *program, uint64_t bias);
// Address of the function or label in that program, where there is one, else in the image itself: elf_symbols.h.
enum symbol_answer image_find_code(const struct image *image, const char *name, uint64_t *address, struct error *why);
// elf_symbols_code_at, of the image itself or of the program in it, whichever has the address.
const char *image_code_at(const struct image *image, uint64_t address, uint64_t *start, uint64_t *end);
const char *image_build_id(const struct image *image); // lower-case hex, "" if there is none
const char *image_digest(const struct image *image);   // of the file that was loaded: elf_digest.h
const char *image_path(const struct image *image);

#endif
