// Slices of time: a sample's stalled cycles are its last.
#include "report/time_slices.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

bool time_slices_add(struct time_slices *s, const struct sample_record *record, time_slices_take *take, void *context) {
    struct sample_record part = *record;
    uint64_t left = record->cycles, stalled = record->stalled_cycles;
    while (left) {
        const size_t slice = (size_t)least(s->now / s->cycles, s->count - 1);
        const uint64_t remaining = slice + 1 < s->count ? (slice + 1) * s->cycles - s->now : left;
        part.cycles = least(left, remaining);
        const uint64_t before = left - stalled;
        part.stalled_cycles = part.cycles > before ? part.cycles - before : 0;
        if (!take(context, slice, &part)) return false;
        s->now += part.cycles;
        left -= part.cycles;
        stalled -= part.stalled_cycles;
    }
    return true;
}
