// Commit bundles, cycle by cycle, from how each instruction of a trace came and left: what a core of ours shows.
//
// The ROB is a ring of BUNDLES_ROB entries: lanes and indices are those that such a core would have. A trace that does
// not say when its instructions were dispatched has them in the ROB as soon as the one before has retired.
#ifndef TIPOFF_IMPORT_BUNDLES_H
#define TIPOFF_IMPORT_BUNDLES_H

#include "import/fates.h"
#include "records.h"

enum { BUNDLES_ROB = 4096 };

struct bundles;
// `count` equal cycles from `cycle` on; more than one only where nothing commits, traps, dispatches or is fetched.
typedef bool bundles_show(void *context, const struct commit_bundle *bundle, uint64_t cycle, uint64_t count,
                          struct error *err);
struct bundles *bundles_create(const char *path, unsigned width, bundles_show *show, void *context,
                               struct error *err); // NULL with err
void bundles_destroy(struct bundles *b);           // NULL is fine
// In the order of fetch. False with err: more retire in a cycle than `width`, more are in flight than BUNDLES_ROB.
bool bundles_add(struct bundles *b, const struct fate *fate, struct error *err);
// Up to the last that retires.
bool bundles_finish(struct bundles *b, struct error *err);
uint64_t bundles_cycles(const struct bundles *b); // shown so far

#endif
