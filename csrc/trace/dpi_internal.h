// Of the DPI context that the calling thread has entered: for the files that have the calls of models. Not for other
// libraries.
#ifndef TIPOFF_TRACE_DPI_INTERNAL_H
#define TIPOFF_TRACE_DPI_INTERNAL_H

#include "trace/dpi.h"

const struct dpi_client *dpi_running_client(void);

#endif
