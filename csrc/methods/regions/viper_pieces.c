// Pieces of a run and their vectors: viper_pieces.h.
#include "methods/regions/viper_pieces.h"
#include "base/array.h"
#include "iss/accesses.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

static void accessed(void *context, unsigned hart, const iss_data_access *accesses, size_t count) {
    const struct viper_pieces *p = context;
    uint64_t *const buckets = p->at[p->count - 1].distances + (size_t)hart * STACK_DISTANCE_BUCKETS;
    for (size_t i = 0; i < count; i++)
        buckets[stack_distance_bucket(
            stack_distance_access(p->stacks[hart], iss_access_address(accesses[i]) / LINE))]++;
}

// One more, without parts.
static bool add(struct viper_pieces *p, uint64_t begin) {
    const size_t buckets = iss_harts(p->iss) * (size_t)STACK_DISTANCE_BUCKETS;
    if (!array_reserve(&p->at, &p->capacity, p->count, sizeof *p->at)) return false;
    uint64_t *distances = calloc(buckets, sizeof *distances);
    if (!distances) return false;
    p->at[p->count++] = (struct viper_piece){.begin = begin, .distances = distances};
    p->next++;
    return true;
}

bool viper_pieces_begin(struct viper_pieces *p, struct iss *iss, struct error *err) {
    const unsigned harts = iss_harts(iss);
    *p = (struct viper_pieces){.iss = iss, .counted_before = iss_flow_counted(iss)};
    p->stacks = (struct stack_distance **)calloc(harts, sizeof(struct stack_distance *));
    bool good = p->stacks && add(p, 0);
    for (unsigned i = 0; good && i < harts; i++)
        good = (p->stacks[i] = stack_distance_create()) != NULL;
    if (good) return iss_watch_accesses(iss, accessed, p, err);
    error_nomem(err, "slices of a run");
    return false;
}

static void drop(struct viper_piece *piece) {
    free(piece->parts);
    free(piece->distances);
}

void viper_pieces_free(struct viper_pieces *p) {
    if (p->iss) iss_watch_accesses(p->iss, NULL, NULL, NULL);
    for (size_t i = 0; i < p->count; i++)
        drop(&p->at[i]);
    for (unsigned i = 0; p->stacks && i < iss_harts(p->iss); i++)
        stack_distance_destroy(p->stacks[i]);
    free((void *)p->stacks);
    free(p->at);
    free(p->parts);
    free(p->sums);
    *p = (struct viper_pieces){.iss = NULL};
}

static void put(struct viper_pieces *p, uint64_t dimension, uint64_t count) {
    if (!array_reserve(&p->parts, &p->part_capacity, p->part_count, sizeof *p->parts)) {
        p->lacks = true;
        return;
    }
    p->parts[p->part_count++] = (struct points_part){dimension, count};
}

static void seen(void *context, size_t number, uint64_t instructions) {
    struct viper_pieces *p = context;
    p->at[p->count - 1].instructions += instructions;
    if (iss_flow_is_counted(p->iss, number)) put(p, number, instructions);
}

bool viper_pieces_cut(struct viper_pieces *p, struct hart *hart, uint64_t steps) {
    struct viper_piece *const piece = &p->at[p->count - 1];
    p->part_count = 0;
    if (hart) iss_accesses_hand_over(hart);
    iss_flow_take(p->iss, seen, p);
    piece->parts = malloc((p->part_count + 1) * sizeof *p->parts);
    if (!piece->parts || p->lacks) return false;
    if (p->part_count) memcpy(piece->parts, p->parts, p->part_count * sizeof *p->parts);
    piece->count = p->part_count;
    return add(p, steps);
}

// Sums up the blocks of the first pieces: `parts` has each once, in the order in which they were met.
static void join_blocks(struct viper_pieces *p, size_t pieces) {
    for (size_t i = 0; i < pieces; i++)
        for (size_t k = 0; k < p->at[i].count; k++) {
            uint64_t *const sum = &p->sums[p->at[i].parts[k].dimension];
            if (!*sum) put(p, p->at[i].parts[k].dimension, 0);
            *sum += p->at[i].parts[k].count;
        }
    for (size_t i = 0; i < p->part_count; i++) {
        p->parts[i].count = p->sums[p->parts[i].dimension];
        p->sums[p->parts[i].dimension] = 0;
    }
}

static void join_distances(struct viper_pieces *p, size_t pieces) {
    for (size_t hart = 0; hart < iss_harts(p->iss); hart++)
        for (size_t b = 0; b < STACK_DISTANCE_BUCKETS; b++) {
            uint64_t sum = 0;
            for (size_t i = 0; i < pieces; i++)
                sum += p->at[i].distances[hart * STACK_DISTANCE_BUCKETS + b];
            if (sum) put(p, VIPER_DISTANCES + hart * 64 + b, sum);
        }
}

// To a sum of VIPER_HALF.
static void scale(struct points_part *parts, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)parts[i].count;
    for (size_t i = 0; i < count; i++)
        parts[i].count = (uint64_t)((double)parts[i].count / sum * (double)VIPER_HALF + 0.5);
}

static bool reserve_sums(struct viper_pieces *p) {
    const size_t most = iss_flow_count(p->iss) + 1, before = p->sum_capacity;
    if (!array_reserve_all(&p->sums, &p->sum_capacity, most, sizeof *p->sums)) return false;
    memset(p->sums + before, 0, (p->sum_capacity - before) * sizeof *p->sums);
    return true;
}

bool viper_pieces_join(struct viper_pieces *p, size_t end, struct regions_slice *slice) {
    const size_t pieces = end - (p->next - p->count);
    if (!reserve_sums(p)) return false;
    p->part_count = 0;
    join_blocks(p, pieces);
    const size_t blocks = p->part_count;
    join_distances(p, pieces);
    scale(p->parts, blocks);
    scale(p->parts + blocks, p->part_count - blocks);
    slice->begin = p->at[0].begin;
    slice->steps = p->at[pieces].begin - slice->begin;
    slice->instructions = 0;
    for (size_t i = 0; i < pieces; i++) {
        slice->instructions += p->at[i].instructions;
        drop(&p->at[i]);
    }
    slice->parts = p->parts;
    slice->count = p->part_count;
    p->count -= pieces;
    memmove(p->at, p->at + pieces, p->count * sizeof *p->at);
    return !p->lacks;
}

bool viper_pieces_whole(const struct viper_pieces *p) {
    bool whole = !p->lacks && iss_flow_whole(p->iss);
    for (unsigned i = 0; i < iss_harts(p->iss); i++)
        whole = whole && stack_distance_whole(p->stacks[i]);
    return whole;
}
