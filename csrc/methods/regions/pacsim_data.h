// What accesses to data add to Pac-Sim's vectors: how far back in the hart's stack of lines each went (BarrierPoint's
// and Viper's LDV, stack_distance.h), so that the same code on other data is another region. The thesis's Pac-Sim has
// blocks alone (5.3.2); how the two are joined is ours: a second vector of PACSIM_DIMS for each hart, in which a bucket
// of distances is what a block is in the first, with the same hash and norm.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_DATA_H
#define TIPOFF_METHODS_REGIONS_PACSIM_DATA_H

#include "iss/iss.h"

struct pacsim_data;
// Watches the machine's accesses to data from here on; iss is borrowed, and outlives it. NULL with err: no memory.
struct pacsim_data *pacsim_data_create(struct iss *iss, struct error *err);
void pacsim_data_destroy(struct pacsim_data *d); // NULL is fine
// Adds what was accessed since it was last asked to sums: harts times PACSIM_DIMS numbers. False: memory was short.
bool pacsim_data_take(struct pacsim_data *d, uint64_t *sums);

#endif
