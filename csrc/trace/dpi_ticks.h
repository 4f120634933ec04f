// Ticks of the platform for a model that leaves out cycles in which nothing happens in it (harness/idle_skip.h): it has
// them ahead of its own calls of tipoff_tick.
#ifndef TIPOFF_TRACE_DPI_TICKS_H
#define TIPOFF_TRACE_DPI_TICKS_H

// The next tick comes now. Nonzero: it says what the last one did, but for mtime, and is done. Else the model has still
// to make that call of tipoff_tick, which gets it.
int tipoff_tick_same(void);
enum { DPI_TICKS_AGAIN = 64 };
void tipoff_ticks_again(unsigned count);          // before it, the model has the last ones once more, fewer than that
int tipoff_tick_waits(void);                      // for its call of tipoff_tick
unsigned long long tipoff_ticks_same(void);       // ticks in a row up to the last one that say the same
unsigned long long tipoff_mtime(unsigned before); // of the last one that was the same, or of one before it

#endif
