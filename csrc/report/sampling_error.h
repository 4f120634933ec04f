// How far a sampled profile is likely to be from the time that was, and by which triggers it was sampled: the number
// and the words of every view. Not for other libraries.
#ifndef TIPOFF_REPORT_SAMPLING_ERROR_H
#define TIPOFF_REPORT_SAMPLING_ERROR_H

#include "report/confidence.h"

// docs/method/sampling-error.md.
struct sampling_error {
    double part;   // of all time that is likely to be at another unit
    bool at_least; // it may be more, and the samples cannot show it: triggers that are not random keep step with a loop
};
struct sampling_error sampling_error_of(const struct confidence *c);
// "about 1.9 % of the time is booked to a wrong instruction, 0.1 % to a wrong function"; by_function NULL: without
// that.
void sampling_error_words(const struct confidence *by_instruction, const struct confidence *by_function, char *text,
                          size_t size);
// The loop with which the triggers keep step, and what its samples are worth: "keep step with main+0x4, ...". False:
// there is none.
bool sampling_error_step_words(const struct confidence *c, char *text, size_t size);
// "one every 97 cycles on average, jittered by less than 2^6".
void sampling_triggers_words(const struct samples_header *h, char *text, size_t size);

#endif
