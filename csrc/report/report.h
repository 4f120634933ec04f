// Reports: a sample file as text and as an HTML page for people, and as CSV and JSON for programs.
#ifndef TIPOFF_REPORT_REPORT_H
#define TIPOFF_REPORT_REPORT_H

#include "analysis/analysis.h"
#include "analysis/pool.h"
#include "base/error.h"
#include "base/notices.h"
#include "report/filter.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct unit_kind;

struct report_format; // a row of formats.c
size_t report_format_count(void);
const struct report_format *report_format_at(size_t i);
const char *report_format_name(const struct report_format *format);
// Of what: a file, several (`tipoff compare`), or two runs (`tipoff diff`). NULL: no such format.
enum report_of { REPORT_OF_ONE, REPORT_OF_SEVERAL, REPORT_OF_TWO };
const struct report_format *report_format_find(enum report_of of, const char *name);
void report_format_names(enum report_of of, char *text, size_t size); // "text, csv, json": all of them

struct report_options {
    const struct report_format *format; // NULL: text
    enum granularity granularity;       // of CSV and JSON rows, and of the text's table where one_table is set
    bool one_table;                     // text: the summary and that table only
    const struct unit_kind *by;         // rows of these units (report/units.h) in place of `granularity`; NULL: that
    const char *const *more;            // files of the same run's other harts ...
    size_t more_count;                  // ... that many
    size_t windows;                     // of --by window: how many; 0: 20 ...
    uint64_t window_cycles;             // ... or how long each is, in cycles; 0: not asked for
    size_t top;                         // rows of a table; 0: all
    uint32_t max_stack;                 // formats that write each stack out: frames of one, 2 at least; 0: all
    bool comments;                      // CSV: a line before the heading that says U, cycles and samples
    bool data_addresses;                // perf-script: of each event the data that it waits for
    bool stacks;                        // cycle stacks of functions and instructions (of `granularity`, with one_table)
    bool children;                      // functions with the time of what they call
    const char *callers, *callees;      // list the callers of this function, or its callees; NULL: not asked
    bool one_hart;                      // of `hart` alone, whose file is one of them
    uint32_t hart;
    const char *profiler;          // whose profile; NULL: TIP's samples, the Oracle's rows where there are none
    unsigned pools;                // the samples pooled by these kinds (bits of enum pool_kind): a profile by one,
                                   // compare a row of each
    const char *annotate;          // text: list this function; NULL: the hottest
    const char *program;           // ELF file in place of the one the samples name, or NULL
    const char *programs[2];       // diff: of A and of B alone, likewise
    const char *kernel, *firmware; // of a run of Linux, likewise
    const char *debug_dir;         // separate debug files are looked for there, too; NULL: in the usual places
    const char *output;            // where it will be written, which no file that is read may be; NULL: elsewhere
    bool shares;                   // diff: of each run's time, not cycles
    const char *page;              // HTML: the page that the data is put into (html/); NULL: not found
    struct report_filter filter;   // what of the run is shown
    bool no_profile;               // a file without a profile of time will do
    bool utf8, colour;             // text: block characters, escape sequences
    const struct notices *notices; // who gets the warnings; NULL: nobody
};

// What suits `out`: text, 20 rows, STACK_FRAMES; block characters in a UTF-8 locale, if the program has set it
// (LC_CTYPE), colour on a terminal (unless NO_COLOR is set).
struct report_options report_defaults(FILE *out, const struct notices *notices);

// All return 0, or a negative errno with err filled in (one line: file, fault, remedy): the file is missing, of another
// version or has a bad block, or there is no such profiler or function. A truncated file is reported as far as it is
// good. Both this and a program that cannot be read are a warning each, to options->notices.
int report_write(const char *path, const struct report_options *options, FILE *out, struct error *err);
// report_write with the defaults.
int report_print(const char *path, FILE *out, const struct notices *notices, struct error *err);

// The error of each profiler against the Oracle at each granularity: of one file, or mean and maximum over several.
int report_compare(const char *const *paths, size_t count, const struct report_options *options, FILE *out,
                   struct error *err);

// What differs between two runs, A and B, at options->granularity, and which of it is more than chance. paths: the
// files of A's harts, then of B's, two at least. Where both have as many harts, each hart's are compared, else those of
// all together.
int report_diff(const char *const *paths, size_t count, const struct report_options *options, FILE *out,
                struct error *err);

#endif
