// What makes the model leave its run early: a callback that asks for it, or a signal.
#ifndef TIPOFF_HARNESS_HALT_H
#define TIPOFF_HARNESS_HALT_H

#include <stdbool.h>

void halt_request(void);             // after this cycle
void halt_clear(void);               // what was asked for is done
const volatile int *halt_flag(void); // nonzero: asked for; the model polls it after every cycle
int halt_signal(void);               // the signal that ended the run, or 0

// From now on SIGINT, SIGTERM and SIGHUP end the run; none has come so far.
void halt_on_signals(void);
void halt_as_before(void); // they do what they did before

#endif
