// Pipeline snippets of a sample file.
#include "base/array.h"
#include "base/bytes.h"
#include "records.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"

static void parse_row(struct snippet_row *row, const uint8_t *p) {
    row->pc = bytes_get(&p, 8);
    row->insn = (uint32_t)bytes_get(&p, 4);
    row->psv = (uint16_t)bytes_get(&p, 2);
    row->squashed = bytes_get(&p, 1) & 1;
    row->fetched = bytes_get(&p, 8);
    row->dispatched = bytes_get(&p, 8);
    row->issued = bytes_get(&p, 8);
    row->done = bytes_get(&p, 8);
    row->left = bytes_get(&p, 8);
}

bool read_snippets_block(struct read_snippets *s, const uint8_t *data, size_t bytes) {
    const uint8_t *p = data;
    if (bytes < SNIPPET_HEAD || !array_reserve(&s->list, &s->capacity, s->count, sizeof *s->list)) return false;
    struct snippet *snippet = &s->list[s->count];
    const size_t head = bytes_get(&p, 2), row = bytes_get(&p, 2);
    *snippet = (struct snippet){.count = 0};
    snippet->place.pc = bytes_get(&p, 8);
    snippet->place.context = bytes_get(&p, 8);
    snippet->cycle = bytes_get(&p, 8);
    snippet->triggers = bytes_get(&p, 8);
    snippet->state = (uint8_t)bytes_get(&p, 1);
    snippet->row = bytes_get(&p, 2);
    snippet->count = bytes_get(&p, 2);
    if (head < SNIPPET_HEAD || row < SNIPPET_ROW || snippet->state >= STATE_COUNT) return false;
    if (snippet->count > SNIPPET_ROWS || snippet->row >= snippet->count) return false;
    if (bytes < head || bytes - head != snippet->count * row) return false;
    for (size_t i = 0; i < snippet->count; i++)
        parse_row(&snippet->rows[i], data + head + i * row);
    s->count++;
    return true;
}
