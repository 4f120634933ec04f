// A batch: what a run emits to its workers, written down in its order, to be shown to them later. Of a cycle, only the
// parts that the workers need are copied; what it points to is copied, too.
#ifndef TIPOFF_WORKERS_BATCH_H
#define TIPOFF_WORKERS_BATCH_H

#include "workers/workers.h"

struct batch;

// needs: the DPI_* parts of a cycle to be copied (workers_dpi_options). NULL with err.
struct batch *batch_create(size_t capacity, uint32_t needs, struct error *err);
void batch_destroy(struct batch *b); // NULL is fine

// All seven, and batch_add_cycle (batch_internal.h): the batch is not full. Whether it is now.
bool batch_add_quiet(struct batch *b, uint64_t cycle, uint64_t count); // equal to the cycle before
bool batch_add_memory(struct batch *b, const struct memory_event *event);
bool batch_add_sample(struct batch *b, uint64_t cycle, bool taken);
bool batch_add_instruction(struct batch *b, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]);
bool batch_add_counter(struct batch *b, const struct counter_event *event);
bool batch_add_begin(struct batch *b, uint64_t cycle);
bool batch_add_end(struct batch *b, uint64_t cycle);
bool batch_empty(const struct batch *b);

bool batch_grow(struct batch *b); // to twice as many entries; false: no memory
// All that was added to `from` goes behind what `to` has; `from` is empty then. Of the same needs. False: no memory.
bool batch_move(struct batch *to, struct batch *from);

// Shows everything to the workers, up to the first error of one, which is returned as by workers_cycle; the batch is
// empty then. now: the cycle as the workers see it; the same for all batches of a run, zeroed before the first.
int batch_show(struct batch *b, struct workers *workers, struct trace_cycle *now, struct error *err);

// Step by step instead, to several harts' workers in turn: each cycle of the batch in three steps, then batch_forget.
// What stands before the next cycle is shown; *cycle: that one, or UINT64_MAX if there is none. As workers_cycle.
int batch_next(struct batch *b, struct workers *workers, uint64_t *cycle, struct error *err);
bool batch_read(struct batch *b, struct trace_cycle *now); // that cycle; false: it is as the one before, and quiet
int batch_tell(struct batch *b, struct workers *workers, const struct trace_cycle *now, struct error *err); // shows it
void batch_forget(struct batch *b, struct workers *workers); // what has been shown makes room

#endif
