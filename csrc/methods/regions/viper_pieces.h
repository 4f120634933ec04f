// What a run executed and accessed, piece by piece, and several pieces put together as one vector of Viper's (viper.h).
#ifndef TIPOFF_METHODS_REGIONS_VIPER_PIECES_H
#define TIPOFF_METHODS_REGIONS_VIPER_PIECES_H

#include "methods/regions/regions.h"
#include "methods/regions/stack_distance.h"

// Of a vector: from VIPER_DISTANCES on the buckets of stack distances, 64 a hart; below, blocks. A half is as many
// counts, up to rounding.
#define VIPER_DISTANCES (UINT64_C(1) << 48)
#define VIPER_HALF (UINT64_C(1) << 40)

struct viper_piece {
    uint64_t begin; // instructions and traps of the run before it
    uint64_t instructions;
    struct points_part *parts; // of blocks that count; NULL: none
    size_t count;
    uint64_t *distances; // STACK_DISTANCE_BUCKETS of each hart, of its accesses
};
struct viper_pieces { // viper_pieces_begin, viper_pieces_free; numbers of pieces: from 0 on, in the whole run
    struct iss *iss;
    uint64_t counted_before; // iss_flow_counted, before the run
    size_t next;             // number of the piece after the one that goes on
    struct viper_piece *at;  // the last one goes on
    size_t count, capacity;
    struct points_part *parts; // of the piece that ends, and of what is put together
    size_t part_count, part_capacity;
    uint64_t *sums; // by number of the block, zeros
    size_t sum_capacity;
    struct stack_distance **stacks; // of each hart
    bool lacks;                     // memory, on the way
};

// The first piece begins. From now on accesses are watched. The pieces stay where they are until they are freed. False
// with err: no memory.
bool viper_pieces_begin(struct viper_pieces *p, struct iss *iss, struct error *err);
void viper_pieces_free(struct viper_pieces *p);
// At a mark of this hart, or between two runs (NULL): the piece ends, after `steps` of the run, and the next one goes
// on. False: no memory.
bool viper_pieces_cut(struct viper_pieces *p, struct hart *hart, uint64_t steps);
// All pieces before that of number `end`, which are dropped: begin, steps, instructions and the vector of `slice`,
// which hold until the next call. False: no memory.
bool viper_pieces_join(struct viper_pieces *p, size_t end, struct regions_slice *slice);
bool viper_pieces_whole(const struct viper_pieces *p); // no memory was missing on the way

#endif
