// What the models of several harts share in time: the last level's port, DRAM's bus, and when lines were last written.
//
// Models are some cycles ahead of each other, and ask in no order of time. So a resource is booked: a use takes the
// first time that is free at its own or later, also where later ones are taken already.
#ifndef TIPOFF_METHODS_GUS_TRAFFIC_H
#define TIPOFF_METHODS_GUS_TRAFFIC_H

#include <stdint.h>

enum { GUS_BOOKED = 64, GUS_WRITTEN = 1 << 14 };
struct gus_span {
    uint64_t from, until;
};
struct gus_bookings {
    struct gus_span spans[GUS_BOOKED]; // taken, by time; those that touch are one
    uint32_t count;
};
struct gus_written { // of a line + 1, by whom, and when it was in the cache
    uint64_t what, time;
    unsigned hart;
};
struct gus_owner { // of a line + 1: the last two, when the first lost it, and since when the second has it
    uint64_t what, lost, since;
    unsigned hart, before;
};
struct gus_traffic {
    struct gus_bookings llc, dram;
    struct gus_written lines[GUS_WRITTEN];
    struct gus_owner owners[GUS_WRITTEN];
};

// Takes `gap` of it from the first free time on that is not before `from`; when that is.
uint64_t gus_book(struct gus_bookings *b, uint64_t from, uint64_t gap);

static inline struct gus_written *gus_written_at(struct gus_traffic *t, uint64_t line) {
    return &t->lines[line % GUS_WRITTEN];
}
static inline void gus_wrote(struct gus_traffic *t, unsigned hart, uint64_t line, uint64_t time) {
    *gus_written_at(t, line) = (struct gus_written){line + 1, time, hart};
}
static inline struct gus_owner *gus_owner_of(struct gus_traffic *t, uint64_t line) {
    return &t->owners[line % GUS_WRITTEN];
}
static inline void gus_owns(struct gus_traffic *t, unsigned hart, uint64_t line, uint64_t lost, uint64_t since) {
    struct gus_owner *const o = gus_owner_of(t, line);
    *o = (struct gus_owner){line + 1, lost, since, hart, o->what == line + 1 ? o->hart : hart};
}
// When the line comes at the earliest: `from`, or later, when another hart has written what is read.
static inline uint64_t gus_had(struct gus_traffic *t, unsigned hart, uint64_t line, uint64_t from) {
    const struct gus_written *w = gus_written_at(t, line);
    return w->what == line + 1 && w->hart != hart && w->time > from ? w->time : from;
}

#endif
