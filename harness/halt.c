// One flag for callbacks and signals: handlers carry no user pointer.
#include "harness/halt.h"
#include "base/signals.h"

static volatile int stop_model;
static volatile sig_atomic_t interrupted;

static struct signals_before before;

static void on_signal(int number) {
    interrupted = number;
    stop_model = 1;
}

void halt_request(void) {
    stop_model = 1;
}
void halt_clear(void) {
    stop_model = 0;
}
const volatile int *halt_flag(void) {
    return &stop_model;
}
int halt_signal(void) {
    return interrupted;
}

void halt_on_signals(void) {
    interrupted = 0;
    stop_model = 0;
    signals_catch(on_signal, false, &before);
}

void halt_as_before(void) {
    signals_restore(&before);
}
