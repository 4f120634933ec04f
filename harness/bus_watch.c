// Which interrupt lines are emitted to workers: those that differ from the ones emitted last.
#include "harness/bus_watch.h"

bool bus_watch_lines(struct bus_watch *b, uint32_t code) {
    enum { LINES = TICK_MSIP | TICK_MTIP | TICK_MEIP | TICK_SEIP };
    const uint32_t lines = code & LINES;
    if (!b->watched || (b->lines_emitted && lines == b->lines)) return false;
    b->lines = lines;
    b->lines_emitted = true;
    return true;
}
