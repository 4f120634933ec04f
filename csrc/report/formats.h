// The formats of reports: tables, which every view can be written as, and exports of a profile. Adding one:
// a file that defines its row, and its name in formats.c. Not for other libraries.
#ifndef TIPOFF_REPORT_FORMATS_H
#define TIPOFF_REPORT_FORMATS_H

#include "report/run.h"

typedef int report_writer(const struct run *d, const struct report_options *options, FILE *out, struct error *err);
struct report_format {
    const char *name;     // of --format
    report_writer *write; // an export; NULL: tables
    bool two;             // `tipoff diff` has it, too
    bool stacks;          // it writes call stacks out: --max-stack
    bool one_hart;        // its samples follow each other in time
    bool data_addresses;  // it has a place for them: --data-addresses
    bool whole_stacks;    // of whole call stacks: no view has it, and its units are functions or instructions
};
extern const struct report_format format_text, format_csv, format_json; // tables
extern const struct report_format format_html;
// False with err: the format is none of those for that.
bool report_format_is_of(enum report_of of, const struct report_format *format, struct error *err);

report_writer report_text, report_csv, report_json, report_stacks_text, report_stacks_csv, report_stacks_json,
    report_calls;

#endif
