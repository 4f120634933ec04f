// The formats of reports, and the functions that write them. Not for other libraries.
#ifndef TIPOFF_REPORT_FORMATS_H
#define TIPOFF_REPORT_FORMATS_H

#include "report/run.h"

struct report_format_row {
    const char *name;
    bool runs; // of `tipoff compare` and `tipoff diff`, too
    int (*write[REPORT_VIEWS])(const struct run *d, const struct report_options *options, FILE *out,
                               struct error *err); // NULL: not of that view
};
const struct report_format_row *report_format_row(enum report_format format);
bool report_format_of_runs(enum report_format format, struct error *err); // false with err: not of several files
int report_text(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_csv(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_json(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_html(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_text(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_csv(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_stacks_json(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_calls(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_folded(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_flamegraph(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_callgrind(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_gecko(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_perf_script(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_pprof(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_speedscope(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
int report_vcd(const struct run *d, const struct report_options *options, FILE *out, struct error *err);

#endif
