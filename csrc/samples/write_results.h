// One result of a run into a sample file; not for other libraries.
#ifndef TIPOFF_SAMPLES_WRITE_RESULTS_H
#define TIPOFF_SAMPLES_WRITE_RESULTS_H

#include "base/container.h"
#include "profile/result_store.h"

// Nothing where the run did not keep it. 0 or a negative errno with err.
int write_result(struct container_writer *w, const struct results *r, unsigned number, uint32_t hart,
                 struct error *err);

#endif
