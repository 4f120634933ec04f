// One handler for all signals of a run's end, and what they did before.
#include "base/signals.h"

static const int numbers[SIGNALS_OF_END] = {SIGINT, SIGTERM, SIGHUP};

void signals_catch(void (*handler)(int), bool once, struct signals_before *before) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | (once ? (int)SA_RESETHAND : 0)};
    for (int i = 0; i < SIGNALS_OF_END; i++) {
        sigaction(numbers[i], NULL, &before->actions[i]);
        if (before->actions[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    }
}

static volatile sig_atomic_t note; // a handler has no context

static void take_note(int number) {
    note = number;
}

const volatile sig_atomic_t *signals_note(struct signals_before *before) {
    note = 0;
    signals_catch(take_note, true, before);
    return &note;
}

void signals_restore(const struct signals_before *before) {
    for (int i = 0; i < SIGNALS_OF_END; i++)
        sigaction(numbers[i], &before->actions[i], NULL);
}
