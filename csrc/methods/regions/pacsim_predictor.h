// Pac-Sim's predictor (Sabu's thesis, 5.3.4): which cluster the next region belongs to, by where it begins and by the
// clusters of those before it. Of all earlier regions with the same begin it is the one whose history has most in
// common with the present one, from the latest on; the latest of those where several have as much.
//
// A trie: below each begin the histories, the most recent cluster first, to a depth. A region that ends leaves its
// cluster at each node of its history, so that a search goes down as far as there are nodes.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_PREDICTOR_H
#define TIPOFF_METHODS_REGIONS_PACSIM_PREDICTOR_H

#include "base/error.h"
#include "methods/regions/pacsim_clusters.h"
#include <stdint.h>

struct pacsim_predictor;
// depth: clusters of a history at most, 1 or more. NULL with err: no memory.
struct pacsim_predictor *pacsim_predictor_create(unsigned depth, struct error *err);
void pacsim_predictor_destroy(struct pacsim_predictor *p); // NULL is fine
// The cluster of a region that begins at `marker`, after those learnt; PACSIM_NONE: no region began there, or none with
// the cluster before. *matched: length of the history that they have in common, up to the depth.
size_t pacsim_predictor_ask(const struct pacsim_predictor *p, uint64_t marker, unsigned *matched);
// That it was `cluster`. False with err: no memory.
bool pacsim_predictor_learn(struct pacsim_predictor *p, uint64_t marker, size_t cluster, struct error *err);
size_t pacsim_predictor_nodes(const struct pacsim_predictor *p); // of the trie, begins included

#endif
