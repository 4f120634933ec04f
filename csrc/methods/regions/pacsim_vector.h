// Pac-Sim's vectors of regions (Sabu's thesis, 5.3.2): 16 dimensions for each hart, hashed from what was executed, so
// that none is known before. Where the thesis is silent it stands here.
//   hash: dimension d of a block is a number from 0 to below 1 of its address and d (24 bits of splitmix64's finalizer;
//         the thesis's drand48 of one address and the next differ by a constant);
//   sum:  hash times the instructions executed in the block, over all blocks of the hart. In integers: it does not
//         depend on the order, and what is projected is what was counted, at the region's end;
//   norm: each hart's sum is divided by its Euclidean length (the thesis names no norm; with the sum of its numbers no
//         two regions were farther from each other than a fifth, and its second threshold, 1, would say nothing).
//         A hart that executed nothing is the origin.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_VECTOR_H
#define TIPOFF_METHODS_REGIONS_PACSIM_VECTOR_H

#include "profile/place.h"
#include <stddef.h>
#include <stdint.h>

enum { PACSIM_DIMS = 16 };

// From 0 to 2^24 - 1: the hash of a block, by its address, mode and address space, whichever hart executes it.
uint32_t pacsim_hash(struct place block, unsigned dimension);
// Adds a block to its hart's sums: PACSIM_DIMS numbers. Up to 2^40 instructions a region.
void pacsim_sum(uint64_t *sums, struct place block, uint64_t instructions);
// The vector of a region: harts times PACSIM_DIMS numbers.
void pacsim_norm(double *vector, const uint64_t *sums, size_t harts);

#endif
