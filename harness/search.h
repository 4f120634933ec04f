// A position that a run is made for: it ends when it is found.
#ifndef TIPOFF_HARNESS_SEARCH_H
#define TIPOFF_HARNESS_SEARCH_H

#include "base/elf.h"
#include "samples/samples.h"

// The cycle of a position in the run: runs are deterministic, so it is the same in every one.
struct simulation_search {
    const char *at; // POSITIONS_ON_CORE (base/position.h)
    bool found;
    uint64_t cycle; // where it is found: of a sample, that of its trigger
};

struct search;
// wanted gets the answer, and lives on; samples: some are taken. NULL with err: no position, one of a sample where none
// is taken, or no memory.
struct search *search_create(struct simulation_search *wanted, bool samples, const struct image *image,
                             struct error *err);
void search_destroy(struct search *s); // NULL is fine

bool search_found(const struct search *s);
bool search_watches(const struct search *s); // cycles may hold it
// A cycle; a sample that was collected. True: there it is.
bool search_cycle(struct search *s, uint64_t cycle, const struct commit_bundle *b);
bool search_record(struct search *s, const struct sample_record *record);

#endif
