// Collections of a file before version 3: samples of retired instructions, and stacks of taken transfers.
#include "base/bytes.h"
#include "profile/collection.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"

static bool read_head(struct results *r, const uint8_t *p, size_t bytes) {
    if (bytes < COLLECTION_BYTES || bytes_get(&p, 2) < COLLECTION_BYTES || results_collection(r)) return false;
    struct collection c = {.ebs_period = bytes_get(&p, 8)};
    c.lbr_period = bytes_get(&p, 8);
    c.depth = (uint32_t)bytes_get(&p, 4);
    c.source = bytes_get(&p, 1) == COLLECTION_UNIT ? COLLECTION_UNIT : COLLECTION_MODEL;
    c.retired = bytes_get(&p, 8);
    c.transfers_taken = bytes_get(&p, 8);
    return c.ebs_period && c.lbr_period && c.depth && results_add_collection(r, &c);
}

static bool read_retired(struct results *r, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t record = bytes >= 2 ? bytes_get(&p, 2) : 0;
    if (record < RETIRED_BYTES || (size_t)(end - p) % record) return false;
    for (; p < end; p += record - RETIRED_BYTES) {
        struct retired_sample s = {.cycle = bytes_get(&p, 8)};
        s.place.pc = bytes_get(&p, 8);
        s.place.context = bytes_get(&p, 8);
        s.skid.pc = bytes_get(&p, 8);
        s.skid.context = bytes_get(&p, 8);
        if (!results_add_retired_sample(r, &s)) return false;
    }
    return true;
}

static bool read_stack(struct results *r, const uint8_t **p, const uint8_t *end, size_t entry) {
    if (end - *p < TRANSFERS_HEAD) return false;
    struct transfer_stack stack = {.cycle = bytes_get(p, 8)};
    stack.context = bytes_get(p, 8);
    stack.transfers.count = (uint32_t)bytes_get(p, 2);
    if (stack.transfers.count > results_collection(r)->depth || (size_t)(end - *p) < stack.transfers.count * entry)
        return false;
    for (size_t i = 0; i < stack.transfers.count; i++, *p += entry - TRANSFER_BYTES) {
        struct transfer t = {.source = bytes_get(p, 8)};
        t.target = bytes_get(p, 8);
        t.data = bytes_get(p, 8);
        if (!results_add_transfer(r, &t)) return false;
    }
    return results_add_transfer_stack(r, &stack);
}

static bool read_transfers(struct results *r, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t entry = bytes >= 2 ? bytes_get(&p, 2) : 0;
    if (entry < TRANSFER_BYTES) return false;
    while (p < end)
        if (!read_stack(r, &p, end, entry)) return false;
    return true;
}

bool read_collection_block(struct results *r, uint32_t type, const uint8_t *data, size_t bytes) {
    if (type == SAMPLES_BLOCK_COLLECTION) return read_head(r, data, bytes);
    if (!results_collection(r)) return false;
    return type == SAMPLES_BLOCK_RETIRED ? read_retired(r, data, bytes) : read_transfers(r, data, bytes);
}
