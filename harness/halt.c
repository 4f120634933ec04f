// One flag for callbacks and signals: handlers carry no user pointer.
#include "harness/halt.h"
#include <signal.h>

static volatile int stop_model;
static volatile sig_atomic_t interrupted;

enum { SIGNALS = 3 };
static const int numbers[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[SIGNALS];

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
    struct sigaction action = {.sa_handler = on_signal};
    interrupted = 0;
    stop_model = 0;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], &action, &before[i]);
}

void halt_as_before(void) {
    for (int i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], &before[i], NULL);
}
