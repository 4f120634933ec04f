// How text reports look: bars, colours, numbers. Not for other libraries.
#ifndef TIPOFF_REPORT_STYLE_H
#define TIPOFF_REPORT_STYLE_H

#include "analysis/spread.h"
#include "report/run.h"

// A bar of `width` columns, padded with spaces: one piece a state, all of `full` being the whole width.
void style_bar(FILE *out, const struct report_options *o, const uint64_t states[STATE_COUNT + 1], uint64_t full,
               unsigned width);
void style_key(FILE *out, const struct report_options *o); // what the pieces stand for, in one line
void style_heading(FILE *out, const struct report_options *o, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum { STYLE_HOT = 5 }; // %: a share from which on a row stands out
// "45.2 %" right-aligned in 8 columns; hot ones stand out.
void style_share(FILE *out, const struct report_options *o, uint64_t part, uint64_t whole);
// Of a share by samples, in per cent: " ± 1.2 " in 8 columns; "?" after it where they are few.
void style_interval(FILE *out, const struct report_options *o, double half, bool few);
// "   share ±95 %        cycles  time by state": of shares, intervals where something is estimated, cycles and bars.
void style_time_heading(FILE *out, const struct report_options *o, const struct run *d, bool estimated, int bar);
const char *style_unit(const struct run *d);         // "cycles"; of a profile of perf record what its event counts
bool style_sampled(const struct run *d);             // that of perf record: no account of cycles
const char *style_number(uint64_t n, char text[32]); // 1,234,567
// "  12,345 cycles (0.012 ms at 1.00 GHz), 6,789 instructions, IPC 0.550", of the run.
void style_totals(FILE *out, const struct run *d);
static inline const char *style_cycles(const struct run *d, uint64_t weight, char text[32]) { // rounded
    return style_number((weight + d->header->units / 2) / d->header->units, text);
}
void style_dim(FILE *out, const struct report_options *o, bool on);

#endif
