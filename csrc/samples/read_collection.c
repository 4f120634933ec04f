// Collections of a sample file: samples of retired instructions, and stacks of taken transfers.
#include "base/array.h"
#include "base/bytes.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <stdlib.h>

static bool read_head(struct read_collection *c, const uint8_t *p, size_t bytes) {
    if (bytes < COLLECTION_BYTES || bytes_get(&p, 2) < COLLECTION_BYTES || c->known) return false;
    c->view.ebs_period = bytes_get(&p, 8);
    c->view.lbr_period = bytes_get(&p, 8);
    c->view.depth = (uint32_t)bytes_get(&p, 4);
    c->view.source = bytes_get(&p, 1) == COLLECTION_UNIT ? COLLECTION_UNIT : COLLECTION_MODEL;
    c->view.retired = bytes_get(&p, 8);
    c->view.transfers_taken = bytes_get(&p, 8);
    c->known = c->view.ebs_period && c->view.lbr_period && c->view.depth;
    return c->known;
}

static bool read_retired(struct read_collection *c, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t record = bytes >= 2 ? bytes_get(&p, 2) : 0;
    if (record < RETIRED_BYTES || (size_t)(end - p) % record) return false;
    for (; p < end; p += record - RETIRED_BYTES) {
        if (!array_reserve(&c->samples, &c->sample_capacity, c->view.sample_count, sizeof *c->samples)) return false;
        struct retired_sample *s = &c->samples[c->view.sample_count++];
        s->cycle = bytes_get(&p, 8);
        s->place.pc = bytes_get(&p, 8);
        s->place.context = bytes_get(&p, 8);
        s->skid.pc = bytes_get(&p, 8);
        s->skid.context = bytes_get(&p, 8);
    }
    return true;
}

static bool read_stack(struct read_collection *c, const uint8_t **p, const uint8_t *end, size_t entry) {
    if (end - *p < TRANSFERS_HEAD) return false;
    struct transfer_stack stack = {.first = c->view.transfer_count};
    stack.cycle = bytes_get(p, 8);
    stack.context = bytes_get(p, 8);
    stack.count = bytes_get(p, 2);
    if (stack.count > c->view.depth || (size_t)(end - *p) < stack.count * entry) return false;
    for (size_t i = 0; i < stack.count; i++, *p += entry - TRANSFER_BYTES) {
        if (!array_reserve(&c->transfers, &c->transfer_capacity, c->view.transfer_count, sizeof *c->transfers))
            return false;
        struct transfer *t = &c->transfers[c->view.transfer_count++];
        t->source = bytes_get(p, 8);
        t->target = bytes_get(p, 8);
        t->data = bytes_get(p, 8);
    }
    if (!array_reserve(&c->stacks, &c->stack_capacity, c->view.stack_count, sizeof *c->stacks)) return false;
    c->stacks[c->view.stack_count++] = stack;
    return true;
}

static bool read_transfers(struct read_collection *c, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t entry = bytes >= 2 ? bytes_get(&p, 2) : 0;
    if (entry < TRANSFER_BYTES) return false;
    while (p < end)
        if (!read_stack(c, &p, end, entry)) return false;
    return true;
}

bool read_collection_block(struct read_collection *c, uint32_t type, const uint8_t *data, size_t bytes) {
    bool good = type == SAMPLES_BLOCK_COLLECTION ? read_head(c, data, bytes)
                : !c->known                      ? false
                : type == SAMPLES_BLOCK_RETIRED  ? read_retired(c, data, bytes)
                                                 : read_transfers(c, data, bytes);
    c->view.samples = c->samples;
    c->view.stacks = c->stacks;
    c->view.transfers = c->transfers;
    return good;
}

void read_collection_free(struct read_collection *c) {
    free(c->samples);
    free(c->stacks);
    free(c->transfers);
}
