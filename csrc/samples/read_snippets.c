// Pipeline snippets of a file before version 3: one a block.
#include "base/bytes.h"
#include "records.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"

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

bool read_snippets_block(struct results *r, const uint8_t *data, size_t bytes) {
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
