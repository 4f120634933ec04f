// Blocks to vectors of few dimensions: pacsim_vector.h.
#include "methods/regions/pacsim_vector.h"
#include "methods/regions/random.h"
#include <math.h>

uint32_t pacsim_hash(struct place block, unsigned dimension) {
    const uint64_t context = block.context & ((UINT64_C(1) << PLACE_HART_SHIFT) - 1);
    return (uint32_t)(random_mix(random_mix(context ^ random_mix(block.pc)) + dimension) >> 40);
}

void pacsim_sum(uint64_t *sums, struct place block, uint64_t instructions) {
    for (unsigned d = 0; d < PACSIM_DIMS; d++)
        sums[d] += pacsim_hash(block, d) * instructions;
}

void pacsim_norm(double *vector, const uint64_t *sums, size_t harts) {
    for (size_t h = 0; h < harts; h++, sums += PACSIM_DIMS, vector += PACSIM_DIMS) {
        double squares = 0;
        for (unsigned d = 0; d < PACSIM_DIMS; d++)
            squares += (double)sums[d] * (double)sums[d];
        for (unsigned d = 0; d < PACSIM_DIMS; d++)
            vector[d] = squares > 0 ? (double)sums[d] / sqrt(squares) : 0;
    }
}
