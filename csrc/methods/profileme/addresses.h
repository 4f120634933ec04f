// Memory that misses most, by lines or pages: what a cache-miss look-aside buffer would show (ProfileMe, MICRO 1997,
// section 8), from the addresses of the loads, stores and AMOs among the records.
#ifndef TIPOFF_METHODS_PROFILEME_ADDRESSES_H
#define TIPOFF_METHODS_PROFILEME_ADDRESSES_H

#include "instruction_sample.h"
#include "profile/place.h"
#include <stddef.h>

enum { PROFILEME_LINE_BITS = 6, PROFILEME_PAGE_BITS = 12 };
struct profileme_block {
    uint64_t space;   // address space: satp's page number, 0 for none
    uint64_t address; // virtual, of its first byte
    uint64_t accesses, misses, last_level,
        tlb;            // records; that missed the L1 data cache, the last level, the L1 data TLB
    uint64_t cycles;    // from issue to retire ready, of those that missed the L1
    struct place worst; // the instruction with most of the misses
    uint64_t worst_misses;
};
// Blocks of 2^bits bytes, by misses, greatest first. free() it. NULL with *count 0: no record accessed memory; with
// *count 1: no memory.
struct profileme_block *profileme_blocks(const struct instruction_sample *records, size_t record_count, unsigned bits,
                                         size_t *count);

#endif
