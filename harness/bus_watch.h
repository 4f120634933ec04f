// Which events between a core and its machine are emitted to workers, and what was emitted last.
#ifndef TIPOFF_HARNESS_BUS_WATCH_H
#define TIPOFF_HARNESS_BUS_WATCH_H

#include "trace/dpi.h"
#include <stdbool.h>
#include <stdint.h>

struct bus_watch {
    bool watched;       // some worker wants them
    bool at_tile;       // a bus lies between tile and memory: lines count where they pass the tile
    uint32_t lines;     // TICK_* of the interrupt lines that were emitted last
    bool lines_emitted; // ... and they are not emitted again while they stay
};

static inline void bus_watch_begin(struct bus_watch *b, bool watched) {
    *b = (struct bus_watch){.watched = watched};
}

// Whether a line that is read, or its response, is emitted where it passes memory. The tile may be heard of later: of a
// core on a bus, which passes the tile first.
static inline bool bus_watch_at_memory(const struct bus_watch *b) {
    return b->watched && !b->at_tile;
}
static inline bool bus_watch_at_tile(struct bus_watch *b) {
    b->at_tile = true;
    return b->watched;
}

// What software did may have changed a line's reason, though not the line: they are emitted with the next tick.
static inline void bus_watch_lines_again(struct bus_watch *b) {
    b->lines_emitted = false;
}

// Whether a tick with these TICK_* has lines to emit; they count as emitted.
bool bus_watch_lines(struct bus_watch *b, uint32_t code);

#endif
