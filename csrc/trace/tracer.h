// Tracers: workers that write the commit bundle of every cycle to a file, by the format named on the command line.
#ifndef TIPOFF_TRACE_TRACER_H
#define TIPOFF_TRACE_TRACER_H

#include "base/error.h"
#include "trace/cycle.h"

struct tracer;

// What a format implements. Each defines its own struct tracer in its file.
struct tracer_format {
    const char *name;
    struct tracer *(*create)(const char *path, unsigned width, const char *program, struct error *err);
    // count >= 1 equal cycles from `cycle` on
    int (*cycle)(struct tracer *, uint64_t cycle, uint64_t count, const struct commit_bundle *b, struct error *err);
    int (*close)(struct tracer *, struct error *err); // frees it
};
extern const struct tracer_format tracer_csv, tracer_bin;

// The format of that name, or NULL with err naming those there are.
const struct tracer_format *tracer_find(const char *name, struct error *err);

#endif
