// Where the files that processes had mapped would lie in one address space, and what of them the import reads.
#ifndef TIPOFF_IMPORT_PERF_ELF_H
#define TIPOFF_IMPORT_PERF_ELF_H

#include "import/perf_maps.h"

struct perf_elf {
    char *path;
    bool opened, readable; // an ELF file of 64 bits, which can be read
    uint16_t machine;      // of its ELF header
    struct perf_segment {  // that is executed
        uint64_t offset, address, file_bytes, bytes;
        uint8_t *code; // of RISC-V; NULL: not read
    } segments[8];
    unsigned segment_count;
    uint64_t low, high; // what it takes, by its own addresses
    bool placed;
    uint64_t bias;   // address in a row less its own
    uint64_t weight; // of the samples in it
};

// What the file has at an offset, by its own address; where it cannot be read that is the offset.
uint64_t perf_elf_address(const struct perf_elf *f, uint64_t offset);
// Opens it, once.
void perf_elf_open(struct perf_elf *f, const char *path);
void perf_elf_free(struct perf_elf *f);
// Of the address after a call that of the call, or one in it.
uint64_t perf_elf_call(const struct perf_elf *f, uint64_t address);

#endif
