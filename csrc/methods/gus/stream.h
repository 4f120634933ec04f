// From what the instruction-set simulator did to what the model is told: the only part that knows RISC-V.
#ifndef TIPOFF_METHODS_GUS_STREAM_H
#define TIPOFF_METHODS_GUS_STREAM_H

#include "iss/iss.h"
#include "methods/gus/gus.h"

struct gus_stream;
// table is borrowed. NULL with err: no memory, or the table has no kind for some instruction: neither its own nor its
// unit's (tables/instructions.tsv).
struct gus_stream *gus_stream_create(const struct gus_table *table, struct error *err);
void gus_stream_destroy(struct gus_stream *s); // NULL is fine
// False: no memory.
bool gus_stream_next(struct gus_stream *s, const struct iss_retire *retire, struct gus_event *event);

size_t gus_stream_places(const struct gus_stream *s); // one more than the greatest place so far
// Of a place: where it is, and what is there; 0: an interrupt or a fault of the fetch.
uint64_t gus_stream_pc(const struct gus_stream *s, size_t place);
uint32_t gus_stream_insn(const struct gus_stream *s, size_t place);

#endif
