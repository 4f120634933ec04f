// Blocks of files of former versions, as the rows that have taken their place: the only reader of each.
#include "base/bytes.h"
#include "profile/collection.h"
#include "records.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"

// ---- before version 3: collections ----
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

static bool read_collection(struct results *r, uint32_t type, const uint8_t *data, size_t bytes) {
    if (type == SAMPLES_BLOCK_COLLECTION) return read_head(r, data, bytes);
    if (!results_collection(r)) return false;
    return type == SAMPLES_BLOCK_RETIRED ? read_retired(r, data, bytes) : read_transfers(r, data, bytes);
}

// ---- before version 3: pipeline snippets, one a block ----
static struct snippet_row parse_row(const uint8_t *p) {
    struct snippet_row row = {.pc = bytes_get(&p, 8)};
    row.insn = (uint32_t)bytes_get(&p, 4);
    row.psv = (uint16_t)bytes_get(&p, 2);
    row.squashed = bytes_get(&p, 1) & 1;
    row.fetched = bytes_get(&p, 8);
    row.dispatched = bytes_get(&p, 8);
    row.issued = bytes_get(&p, 8);
    row.done = bytes_get(&p, 8);
    row.left = bytes_get(&p, 8);
    return row;
}

static bool read_snippet(struct results *r, const uint8_t *data, size_t bytes) {
    const uint8_t *p = data;
    if (bytes < SNIPPET_HEAD) return false;
    const size_t head = bytes_get(&p, 2), row = bytes_get(&p, 2);
    struct snippet s = {.place.pc = bytes_get(&p, 8)};
    s.place.context = bytes_get(&p, 8);
    s.cycle = bytes_get(&p, 8);
    s.triggers = bytes_get(&p, 8);
    s.state = (uint8_t)bytes_get(&p, 1);
    s.row = (uint32_t)bytes_get(&p, 2);
    s.rows.count = (uint32_t)bytes_get(&p, 2);
    if (head < SNIPPET_HEAD || row < SNIPPET_ROW || s.state >= STATE_COUNT) return false;
    if (s.rows.count > SNIPPET_ROWS || s.row >= s.rows.count) return false;
    if (bytes < head || bytes - head != s.rows.count * row) return false;
    for (size_t i = 0; i < s.rows.count; i++) {
        const struct snippet_row one = parse_row(data + head + i * row);
        if (!results_add_snippet_row(r, &one)) return false;
    }
    return results_add_snippet(r, &s);
}

// ---- before version 4 ----
static bool read_route(struct results *r, const uint8_t **p, const uint8_t *end, size_t bytes) {
    if (end - *p < ROUTES_HEAD) return false;
    struct route route = {.known = bytes_get(p, 1) != 0};
    route.steps.count = (uint32_t)bytes_get(p, 2);
    if (route.steps.count > ROUTE_STEPS || (size_t)(end - *p) < route.steps.count * bytes) return false;
    for (uint32_t i = 0; i < route.steps.count; i++, *p += bytes - ROUTE_STEP_BYTES) {
        struct route_step step = {.from = bytes_get(p, 8)};
        step.to = bytes_get(p, 8);
        if (!results_add_route_step(r, &step)) return false;
    }
    return results_add_route(r, &route);
}

static bool read_routes(struct results *r, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t step = bytes >= 2 ? bytes_get(&p, 2) : 0;
    bool good = step >= ROUTE_STEP_BYTES;
    while (good && p < end)
        good = read_route(r, &p, end, step);
    return good;
}

static bool read_lives(struct results *r, const uint8_t *p, size_t bytes) {
    const uint8_t *const end = p + bytes;
    const size_t words = bytes >= 2 ? bytes_get(&p, 2) : 0;
    if (words < LIVES_WORDS || (bytes - 2) % (8 * words)) return false;
    for (; p < end; p += 8 * (words - LIVES_WORDS)) {
        struct lifetime row = {.place.pc = bytes_get(&p, 8)};
        row.place.context = bytes_get(&p, 8);
        for (unsigned i = 0; i < LIVES_WORDS - 2; i++)
            row.total[i] = bytes_get(&p, 8);
        if (!results_add_lifetime(r, &row)) return false;
    }
    return true;
}

static bool read_losses(struct results *r, const uint8_t *p, size_t bytes) {
    return bytes >= 8 && results_add_lost_triggers(r, &(struct lost_triggers){bytes_get(&p, 8)});
}

bool read_old_block(struct results *r, uint32_t type, const uint8_t *data, size_t bytes) {
    switch (type) {
    case SAMPLES_BLOCK_SNIPPET: return read_snippet(r, data, bytes);
    case SAMPLES_BLOCK_COLLECTION:
    case SAMPLES_BLOCK_RETIRED:
    case SAMPLES_BLOCK_TRANSFERS: return read_collection(r, type, data, bytes);
    case SAMPLES_BLOCK_ROUTES: return read_routes(r, data, bytes);
    case SAMPLES_BLOCK_LIVES: return read_lives(r, data, bytes);
    case SAMPLES_BLOCK_LOSSES: return read_losses(r, data, bytes);
    default: return true; // a later version's
    }
}
