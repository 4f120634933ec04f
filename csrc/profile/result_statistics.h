// The results of a run as its statistics (--stats), in the order of tables/results.tsv and the shapes that it names.
#ifndef TIPOFF_PROFILE_RESULT_STATISTICS_H
#define TIPOFF_PROFILE_RESULT_STATISTICS_H

#include "results.h"
#include <cjson/cJSON.h>

// Nothing of what the run did not keep, or what has no shape. Rows in groups are in the order of their contexts, so
// that each group stands once; the context of a place "nowhere" is that of the other. False: out of memory.
bool result_statistics_add(cJSON *statistics, const struct results *r);

#endif
