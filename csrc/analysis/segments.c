// Ranges in ranges, flattened: segments.h.
#include "analysis/segments.h"
#include "base/bisect.h"
#include <stdlib.h>

static int compare(const void *x, const void *y) {
    const struct span *a = x, *b = y;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    if (!a->depth && a->high != b->high) return a->high > b->high ? -1 : 1;
    return a->owner < b->owner ? -1 : a->owner > b->owner;
}

static void from_here(struct segments *s, uint64_t start, size_t span) {
    if (s->count && s->list[s->count - 1].start == start) s->count--;
    s->list[s->count++] = (struct segment){start, span};
}

// Closes what has ended at the address.
static void close_ended(struct segments *s, const size_t *open, size_t *depth, uint64_t address) {
    while (*depth && s->spans[open[*depth - 1]].high <= address) {
        const uint64_t end = s->spans[open[--*depth]].high;
        while (*depth && s->spans[open[*depth - 1]].high <= end)
            --*depth;
        from_here(s, end, *depth ? open[*depth - 1] : SEGMENTS_NONE);
    }
}

bool segments_create(struct segments *s, struct span *spans, size_t count) {
    size_t *open = malloc((count + 1) * sizeof *open), depth = 0;
    *s = (struct segments){.spans = spans, .span_count = count, .list = calloc(2 * count + 1, sizeof *s->list)};
    if (!open || !s->list) {
        free(open);
        return false;
    }
    if (count) qsort(spans, count, sizeof *spans, compare);
    for (size_t i = 0; i < count; i++) {
        close_ended(s, open, &depth, spans[i].low);
        const struct span *around = depth ? &spans[open[depth - 1]] : NULL;
        if (around && spans[i].depth > around->depth && spans[i].high > around->high) spans[i].high = around->high;
        spans[i].outer = around ? open[depth - 1] : SEGMENTS_NONE;
        open[depth++] = i;
        from_here(s, spans[i].low, i);
    }
    close_ended(s, open, &depth, UINT64_MAX);
    free(open);
    return true;
}

void segments_free(struct segments *s) {
    free(s->spans);
    free(s->list);
    *s = (struct segments){0};
}

static bool starts_by(const void *entry, const void *address) {
    return ((const struct segment *)entry)->start <= *(const uint64_t *)address;
}
size_t segments_find(const struct segments *s, uint64_t address) {
    const size_t behind = bisect(s->list, s->count, sizeof *s->list, starts_by, &address);
    return behind ? s->list[behind - 1].span : SEGMENTS_NONE;
}

size_t segments_outer(const struct segments *s, size_t span, uint64_t address) {
    do {
        span = s->spans[span].outer;
    } while (span != SEGMENTS_NONE && s->spans[span].high <= address);
    return span;
}
