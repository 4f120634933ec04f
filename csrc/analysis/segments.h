// Ranges of addresses that lie in one another, made into a list in which each address is found once: in the range that
// begins last before it. Not for other libraries.
#ifndef TIPOFF_ANALYSIS_SEGMENTS_H
#define TIPOFF_ANALYSIS_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEGMENTS_NONE SIZE_MAX

struct span {
    uint64_t low, high; // up to high, exclusive
    unsigned depth;     // in a tree: of two that begin at one address the deeper one is inside; 0: the shorter one
    size_t owner;
    size_t outer; // set by segments_create: the one around it, or SEGMENTS_NONE. It may end earlier
};
struct segment {
    uint64_t start;
    size_t span; // up to the next segment, or SEGMENTS_NONE: nobody's
};
struct segments {
    struct span *spans; // sorted
    struct segment *list;
    size_t span_count, count;
};

// Takes the spans (from malloc, or NULL), and sorts them. One that lies deeper than the one around it ends with it at
// the latest. False: no memory. To be freed in any case.
bool segments_create(struct segments *s, struct span *spans, size_t count);
void segments_free(struct segments *s);
size_t segments_find(const struct segments *s, uint64_t address); // the innermost span there, or SEGMENTS_NONE
// The next one that has the address, outwards from that one; or SEGMENTS_NONE.
size_t segments_outer(const struct segments *s, size_t span, uint64_t address);

#endif
