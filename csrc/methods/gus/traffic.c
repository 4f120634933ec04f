// The spans that are taken, in order, each with a gap after it: see traffic.h.
#include "methods/gus/traffic.h"
#include <string.h>

// The first of the spans that ends after `from`: most uses are the latest.
static uint32_t first_after(const struct gus_bookings *b, uint64_t from) {
    uint32_t i = b->count;
    while (i > 0 && b->spans[i - 1].until > from)
        i--;
    return i;
}

// Where there is no room the oldest goes: nobody asks for so early a time again.
static uint32_t insert(struct gus_bookings *b, uint32_t at, struct gus_span span) {
    if (b->count == GUS_BOOKED) {
        if (at == 0) return at;
        memmove(b->spans, b->spans + 1, (--b->count) * sizeof *b->spans);
        at--;
    }
    memmove(b->spans + at + 1, b->spans + at, (b->count - at) * sizeof *b->spans);
    b->spans[at] = span;
    b->count++;
    return at;
}

static void join(struct gus_bookings *b, uint32_t at) { // with the one after it
    if (at + 1 >= b->count || b->spans[at].until != b->spans[at + 1].from) return;
    b->spans[at].until = b->spans[at + 1].until;
    b->count--;
    memmove(b->spans + at + 1, b->spans + at + 2, (b->count - at - 1) * sizeof *b->spans);
}

uint64_t gus_book(struct gus_bookings *b, uint64_t from, uint64_t gap) {
    uint32_t at = first_after(b, from);
    while (at < b->count && b->spans[at].from < from + gap) {
        from = b->spans[at].until > from ? b->spans[at].until : from;
        at++;
    }
    if (at > 0 && b->spans[at - 1].until == from) {
        b->spans[--at].until += gap;
    } else {
        at = insert(b, at, (struct gus_span){from, from + gap});
    }
    join(b, at);
    return from;
}
