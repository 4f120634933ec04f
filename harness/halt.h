// Signals that end a run: they make each of its models leave its cycles early.
#ifndef TIPOFF_HARNESS_HALT_H
#define TIPOFF_HARNESS_HALT_H

#include <stddef.h>

// From now on SIGINT, SIGTERM and SIGHUP end the run: each sets these flags, which the models poll and which live until
// halt_as_before. None has come so far.
void halt_on_signals(volatile int *const *flags, size_t count);
void halt_as_before(void); // they do what they did before
int halt_signal(void);     // the signal that ended the run, or 0

#endif
