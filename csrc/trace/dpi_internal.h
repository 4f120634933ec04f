// Of the DPI context that the calling thread has entered: for the files that have the calls of models. Not for other
// libraries.
#ifndef TIPOFF_TRACE_DPI_INTERNAL_H
#define TIPOFF_TRACE_DPI_INTERNAL_H

#include "trace/dpi.h"
#include "trace/dpi_ticks.h"

const struct dpi_client *dpi_running_client(void);

struct dpi_ticks {
    bool waits;                      // there is a tick that the model has not had
    uint32_t code, said;             // of the last tick; of those before it, where it waits
    uint64_t mtime, same;            // of the last tick; ticks in a row up to it that said the same
    uint64_t times[DPI_TICKS_AGAIN]; // mtime of those that the model asked for ahead,
    uint64_t last;                   // and how many they were
    unsigned again;                  // of them the model has still to have
};
struct dpi_ticks *dpi_running_ticks(void);

#endif
