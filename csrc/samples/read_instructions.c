// ProfileMe's records of a sample file.
#include "base/array.h"
#include "base/bytes.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <string.h>

static bool same(const struct instruction_settings *a, const struct instruction_settings *b) {
    return a->interval == b->interval && a->jitter == b->jitter && a->window == b->window && a->pairs == b->pairs &&
           a->opportunities == b->opportunities;
}

bool read_instructions_block(struct read_instructions *r, const uint8_t *data, size_t bytes) {
    const uint8_t *p = data;
    if (bytes < INSTRUCTIONS_HEAD) return false;
    const size_t head = bytes_get(&p, 2), words = bytes_get(&p, 2);
    struct instruction_settings settings = {.interval = bytes_get(&p, 8)};
    settings.jitter = (uint8_t)bytes_get(&p, 1);
    settings.window = (uint8_t)bytes_get(&p, 1);
    settings.pairs = bytes_get(&p, 1) != 0;
    settings.opportunities = bytes_get(&p, 1) != 0;
    if (head < INSTRUCTIONS_HEAD || words < INSTRUCTION_SAMPLE_WORDS || bytes < head) return false;
    if (settings.jitter > 31 || (bytes - head) % (8 * words)) return false;
    if (r->count == 0) r->settings = settings;
    if (!same(&r->settings, &settings)) return false;
    for (p = data + head; p < data + bytes; p += 8 * (words - INSTRUCTION_SAMPLE_WORDS)) {
        uint64_t word[INSTRUCTION_SAMPLE_WORDS];
        for (unsigned i = 0; i < INSTRUCTION_SAMPLE_WORDS; i++)
            word[i] = bytes_get(&p, 8);
        if (!array_reserve(&r->list, &r->capacity, r->count, sizeof *r->list)) return false;
        instruction_sample_unpack(&r->list[r->count++], word);
    }
    return true;
}
