// The flags of a run, for the handler of its signals: handlers carry no user pointer.
#include "harness/halt.h"
#include "base/signals.h"
#include <stdatomic.h>

static atomic_int interrupted;
static volatile int *const *stops;
static size_t stop_count;

static struct signals_before before;

static void on_signal(int number) {
    interrupted = number;
    for (size_t i = 0; i < stop_count; i++)
        __atomic_store_n(stops[i], 1, __ATOMIC_RELAXED);
}

int halt_signal(void) {
    return interrupted;
}

void halt_on_signals(volatile int *const *flags, size_t count) {
    interrupted = 0;
    stops = flags;
    stop_count = count;
    signals_catch(on_signal, false, &before);
}

void halt_as_before(void) {
    signals_restore(&before);
    stop_count = 0;
}
