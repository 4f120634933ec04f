// From what the instruction-set simulator did to the model's events: the only part that knows RISC-V.
#ifndef TIPOFF_METHODS_GUS_STREAM_H
#define TIPOFF_METHODS_GUS_STREAM_H

#include "iss/iss.h"
#include "methods/gus/gus.h"

struct gus_stream;
// table is borrowed. NULL with err: no memory, or the table has no kind for some instruction: neither its own nor its
// unit's (tables/instructions.tsv).
struct gus_stream *gus_stream_create(const struct gus_table *table, struct error *err);
// Of one of several harts: hub has the caches of all, first is the first one's stream, whose places are everybody's
// (NULL: this is it). Both outlive it.
struct gus_hub;
struct gus_stream *gus_stream_create_in(const struct gus_table *table, struct gus_hub *hub,
                                        const struct gus_stream *first, struct error *err);
void gus_stream_destroy(struct gus_stream *s); // NULL is fine
// What predictors and caches know when an instruction is fetched depends on what has left by then: clock gives that, a
// model without accelerations that gets each event as soon as it is made. All models then see the same events, whatever
// they accelerate. Borrowed; NULL (the default): all has left. After its step, gus_stream_left with its gus_time, if
// the event began a packet.
void gus_stream_set_clock(struct gus_stream *s, const struct gus *clock);
void gus_stream_left(struct gus_stream *s, uint64_t time);
// The hart has done what the stream has not seen, or was restored: its registers and address space are looked up. What
// caches, predictors and TLBs know stays.
void gus_stream_enter(struct gus_stream *s, const struct hart *hart);
// What a hart of iss did last. False: no memory.
bool gus_stream_next(struct gus_stream *s, struct iss *iss, const struct iss_retire *retire, struct gus_event *event);

size_t gus_stream_places(const struct gus_stream *s); // one more than the greatest place so far
// Of a place: its address, and its instruction; 0: an interrupt or a fault of the fetch.
uint64_t gus_stream_pc(const struct gus_stream *s, size_t place);
uint32_t gus_stream_insn(const struct gus_stream *s, size_t place);

#endif
