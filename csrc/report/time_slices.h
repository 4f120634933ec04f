// The run's time in slices of one length: samples are cut where a slice ends. Not for other libraries.
#ifndef TIPOFF_REPORT_TIME_SLICES_H
#define TIPOFF_REPORT_TIME_SLICES_H

#include "samples/samples.h"

struct time_slices {
    uint64_t cycles; // of a slice
    size_t count;    // the last one has what is left
    uint64_t now;    // where the next sample's cycles begin: 0 at first, as the run's
};

// A part of a sample, in the slice of that number: the sample with the cycles that lie there. False: no memory.
typedef bool time_slices_take(void *context, size_t slice, const struct sample_record *part);
// The next sample's parts, in the order of time. A sample's cycles begin where those of the one before it end.
bool time_slices_add(struct time_slices *s, const struct sample_record *record, time_slices_take *take, void *context);

#endif
