// The formulas: one sample, one stack at a time.
#include "methods/hbbp/hbbp.h"
#include <math.h>

enum { BIAS_RATIO = 2, BIAS_DEVIATIONS = 4 };

void hbbp_add_ebs(const struct code *c, const uint32_t *samples, size_t count, uint64_t period,
                  struct hbbp_block *blocks) {
    for (size_t i = 0; i < count; i++) {
        if (samples[i] == CODE_NONE) continue;
        const uint32_t b = c->instructions[samples[i]].block;
        blocks[b].samples++;
        if (c->blocks[b].retiring) blocks[b].ebs += (double)period / c->blocks[b].retiring;
    }
}

// Whether control can have gone from one instruction to a later one without a jump.
static bool runs_through(const struct code *c, uint32_t first, uint32_t last) {
    if (last < first) return false;
    for (uint32_t b = c->instructions[first].block; b < c->instructions[last].block; b++)
        if (!c->blocks[b].falls || !c->instructions[c->blocks[b + 1].first].follows) return false;
    return true;
}

// Blocks count where they are entered: a stream that begins in the middle of one is the end of an earlier stream's.
static void add_stream(const struct code *c, uint32_t first, uint32_t last, double weight, struct hbbp_block *blocks) {
    uint32_t b = c->instructions[first].block;
    if (c->blocks[b].first != first) b++;
    for (; b <= c->instructions[last].block; b++) {
        blocks[b].streams++;
        blocks[b].lbr += weight;
    }
}

static void add_stack(const struct code *c, const struct hbbp_stack *s, uint64_t period, struct hbbp_block *blocks,
                      struct hbbp_quality *quality) {
    const double weight = (double)period / (s->count - 1);
    for (unsigned i = 0; i < s->count; i++) {
        const uint32_t source = s->entries[i].source;
        if (source == CODE_NONE) continue;
        blocks[c->instructions[source].block].all++;
        blocks[c->instructions[source].block].first += i == 0;
    }
    for (unsigned i = 1; i < s->count; i++) {
        const uint32_t target = s->entries[i - 1].target;
        uint32_t source = s->entries[i].source;
        quality->streams++;
        if (target == CODE_NONE || source == CODE_NONE) {
            quality->outside++;
            continue;
        }
        if (!s->entries[i].executed) {
            if (source == target) continue; // interrupted before its first instruction
            source--;
        }
        if (!runs_through(c, target, source)) {
            quality->broken++;
            continue;
        }
        add_stream(c, target, source, weight, blocks);
    }
}

bool hbbp_is_biased(uint64_t first, uint64_t all, unsigned depth) {
    const double expected = (double)all / depth;
    return (double)first >= BIAS_RATIO * expected && (double)first > expected + BIAS_DEVIATIONS * sqrt(expected);
}

void hbbp_add_lbr(const struct code *c, const struct hbbp_stack *stacks, size_t count, uint64_t period,
                  struct hbbp_block *blocks, struct hbbp_quality *quality) {
    unsigned depth = 0;
    for (size_t i = 0; i < count; i++) {
        if (stacks[i].count >= 2) add_stack(c, &stacks[i], period, blocks, quality);
        depth = stacks[i].count > depth ? stacks[i].count : depth;
    }
    for (size_t b = 0; b < c->block_count && depth; b++)
        blocks[b].biased = hbbp_is_biased(blocks[b].first, blocks[b].all, depth);
}

double hbbp_error(const double *reference, const double *measured, size_t count) {
    double difference = 0, total = 0;
    for (size_t i = 0; i < count; i++) {
        difference += fabs(reference[i] - measured[i]);
        total += reference[i];
    }
    return total > 0 ? difference / total : 0;
}
