// A result in the statistics of a run (--stats), in the shape that its row of tables/results.tsv names.
#ifndef TIPOFF_PROFILE_RESULT_STATISTICS_H
#define TIPOFF_PROFILE_RESULT_STATISTICS_H

#include "results.h"
#include <cjson/cJSON.h>

// Nothing where the run did not keep it, or its row names no shape. Rows in groups are in the order of their contexts,
// so that each group stands once; the context of a place "nowhere" is that of the other. False: out of memory.
bool result_statistics_add(cJSON *statistics, const struct results *r, unsigned number);

#endif
