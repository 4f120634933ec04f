// The signals that ask a run to end: SIGINT, SIGTERM and SIGHUP.
#ifndef TIPOFF_BASE_SIGNALS_H
#define TIPOFF_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum { SIGNALS_OF_END = 3 };
struct signals_before {
    struct sigaction actions[SIGNALS_OF_END];
};

// Calls handler on each of them from now on, with once only the first time: the second ends the process. System calls
// are taken up again after it (SA_RESTART): no output is lost because a signal came while its reader was slow. One
// that is ignored stays so: nohup and shells ask for that.
void signals_catch(void (*handler)(int), bool once, struct signals_before *before);
// ... and only notes which one came: where the note is, 0 until then. It is the process's: of one run at a time.
const volatile sig_atomic_t *signals_note(struct signals_before *before);
void signals_restore(const struct signals_before *before);

#endif
