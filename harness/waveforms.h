// Waveforms of a run (FST): where they begin and end, and their file, which appears whole or not at all.
#ifndef TIPOFF_HARNESS_WAVEFORMS_H
#define TIPOFF_HARNESS_WAVEFORMS_H

#include "base/elf.h"
#include "harness/model.h"
#include "records.h"

struct waveforms_options {
    const char *path;
    const char *from, *to; // POSITIONS_SEEN (base/position.h), or NULL
    bool samples;          // some are taken
};

struct waveforms;
// NULL with err: a position is none, or names a sample where none is taken, or there is no memory. The path lives on.
struct waveforms *waveforms_create(const struct waveforms_options *options, const struct image *image,
                                   struct error *err);
void waveforms_destroy(struct waveforms *w); // NULL is fine

bool waveforms_watch(const struct waveforms *w); // cycles may meet an edge
// A cycle; a sample that is taken in it. True: the model is to be left after it, for waveforms_turn.
bool waveforms_cycle(struct waveforms *w, uint64_t cycle, const struct commit_bundle *b);
bool waveforms_sample(struct waveforms *w, uint64_t cycle);
// The first cycle before `until`, behind `now`, in which they begin or end; else until.
uint64_t waveforms_next(const struct waveforms *w, uint64_t now, uint64_t until);

// Between two cycles, `now` being the next: begins or ends them; after a run of cycles; at the end of the run.
// False with err: they cannot be written.
bool waveforms_turn(struct waveforms *w, const struct model_api *api, struct model *model, uint64_t now,
                    struct error *err);
bool waveforms_look(struct waveforms *w, const struct model_api *api, struct model *model, struct error *err);
bool waveforms_finish(struct waveforms *w, const struct model_api *api, struct model *model, struct error *err);

#endif
