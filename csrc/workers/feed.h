// The path from a run to its workers: events go into batches of a fixed number of entries. A full one is handed
// over, to be shown to the workers by a thread of their own while the next one fills; or, without a thread, at once.
//
// Where a difference ends the run depends on the program alone: what the workers found in one batch is reported as the
// next one is handed over, with a thread and without.
#ifndef TIPOFF_WORKERS_FEED_H
#define TIPOFF_WORKERS_FEED_H

#include "workers/workers.h"

struct feed;
enum { FEED_ENTRIES = 256 }; // of a batch, in a run

// From now on only the feed calls the workers, until feed_finish has returned. thread: with one, if it can be
// started. NULL with err: no memory.
struct feed *feed_create(struct workers *workers, size_t entries, bool thread, struct error *err);
// The feed of one of several harts (workers/harts.h): what they emit is shown in step, in calls of feed_passed.
struct feed *feed_of_harts(struct workers *workers, struct harts *harts, unsigned hart, struct error *err);
void feed_destroy(struct feed *f); // NULL is fine

// What is called whenever all that was handed over so far has been shown, before more is: then, and in it, whoever
// hands over may look at the workers. < 0 with err: the feed returns it.
typedef int feed_shown(void *context, struct error *err);
void feed_on_shown(struct feed *f, feed_shown *shown, void *context);

// All that follow: 0, or what workers_cycle returned in a batch that was handed over before; err has its line, and what
// workers_explain says is on stderr. After that no events may be added.
int feed_cycle(struct feed *f, const struct trace_cycle *cycle, struct error *err);
int feed_quiet(struct feed *f, uint64_t cycle, uint64_t count, struct error *err); // equal to the one before them
int feed_memory(struct feed *f, const struct memory_event *event, struct error *err);
int feed_sample(struct feed *f, uint64_t cycle, bool taken, struct error *err); // a trigger in this cycle
int feed_instruction(struct feed *f, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err);
int feed_counter(struct feed *f, const struct counter_event *event, struct error *err);
int feed_begin(struct feed *f, uint64_t cycle, struct error *err); // time counts from this cycle on, which comes next
int feed_end(struct feed *f, uint64_t cycle, struct error *err);   // and from this one on no more
// Of one of several harts: all cycles before this one have been added. Often: they are kept until all harts have. Of
// a hart alone: nothing.
int feed_passed(struct feed *f, uint64_t cycle, struct error *err);
// Hands over the batch, full or not.
int feed_hand_over(struct feed *f, struct error *err);
// All events have been processed, and the thread has ended. Covers all batches. A second call has no effect. Of several
// harts: each has passed the cycle in which they end; -ECANCELED, without err: another one's workers have found
// something, and nothing of this one's is to be believed from then on.
int feed_finish(struct feed *f, struct error *err);

#endif
