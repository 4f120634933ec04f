// CSV fields (RFC 4180). Not for other libraries.
#ifndef TIPOFF_REPORT_CSV_H
#define TIPOFF_REPORT_CSV_H

#include <stdio.h>

// The text, in quotes where it needs them; made plain (base/plain_text.h), so that a row is a line.
void csv_text(FILE *out, const char *text);
struct run;
struct report_options;
// With --comments the first line of a run's reports: "# U=12 cycles=34 samples=56".
void csv_run(FILE *out, const struct run *d, const struct report_options *o);

#endif
