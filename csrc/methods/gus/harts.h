// The fast model of a machine of several harts: the simulator runs it, and a model of resources each says how long it
// takes (gus.h), over one memory system with coherent L1 data caches (hub.h, traffic.h).
//
// The hart goes on whose model is the earliest of all (ties: the lower number), until it is `ahead` cycles before the
// next one, or spins, or uses a line that harts write and others read: so waiting, locks and barriers take their
// modelled time. What another hart has written is not had before it is written, whoever is ahead. Of one hart times are
// those of a gus alone.
#ifndef TIPOFF_METHODS_GUS_HARTS_H
#define TIPOFF_METHODS_GUS_HARTS_H

#include "iss/iss.h"
#include "methods/gus/stream.h"

enum { GUS_AHEAD = 1000, GUS_MOST_AHEAD = 1000000 }; // cycles: unless somebody says otherwise, and at most
struct gus_harts;
// Of all harts of iss, which is loaded or restored; after a run of it without the model: gus_harts_enter. table: of
// each core. Both are borrowed. Caches, predictors and TLBs are empty. NULL with err: no memory, or the table lacks a
// kind of instruction.
struct gus_harts *gus_harts_create(struct iss *iss, const struct gus_table *table, uint64_t ahead, struct error *err);
void gus_harts_destroy(struct gus_harts *g); // NULL is fine

// Called after each instruction and trap that a model has seen, if set; true: the run ends there. NULL: none.
typedef bool gus_harts_stepped(void *context, unsigned hart, const struct iss_retire *retire);
void gus_harts_watch(struct gus_harts *g, gus_harts_stepped *stepped, void *context);

// Runs `most` instructions and traps of all harts together, fewer if the program ends, all harts wait for nothing that
// will come (gus_harts_stuck), or who watches ends it; how many were done goes to *done (NULL is fine). 0, or -ENOMEM
// with err.
int gus_harts_run(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err);
// Runs the program without time, by the simulator's own turns; caches, predictors and TLBs see it all the same. For
// what is to be faster, iss_run and then gus_harts_enter: they stay as they were.
int gus_harts_warm(struct gus_harts *g, uint64_t most, uint64_t *done, struct error *err);
// The harts have run without the model: it goes on from where they are, its clock from where it was.
void gus_harts_enter(struct gus_harts *g);

bool gus_harts_over(const struct gus_harts *g);  // the program has ended
bool gus_harts_stuck(const struct gus_harts *g); // all harts wait, and no timer is to come
// Cycles since the model began: those that all harts have reached that do not wait, exact to `ahead`; when the program
// has ended, until its end was written.
double gus_harts_cycles(const struct gus_harts *g);
uint64_t gus_harts_instructions(const struct gus_harts *g); // and traps, modelled, of all harts

unsigned gus_harts_count(const struct gus_harts *g);
const struct gus *gus_harts_model(const struct gus_harts *g, unsigned hart); // its time, instructions and places
const struct gus_stream *gus_harts_places(const struct gus_harts *g);        // of all models

#endif
